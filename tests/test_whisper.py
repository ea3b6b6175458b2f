"""Whisper's two normalizers, held against the package that keeps the original code."""
import json
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import mutant
from texts import TEXTS, examples

import amend_nb.whisper as subject
from amend_nb import get_normalizer, whisper_english
from amend_nb.whisper import _in_english


@pytest.mark.parametrize("options", [{}, {"remove_diacritics": True}, {"split_letters": True},
                                     {"remove_diacritics": True, "split_letters": True}], ids=str)
@examples(700)
@given(TEXTS)
@example("(a] b")
@example("[a) b <c> () (d")
def test_whisper_basic_is_the_packages(options, text):
    from whisper_normalizer.basic import BasicTextNormalizer
    assert get_normalizer("whisper-basic", **options)(text) == BasicTextNormalizer(**options)(text)


def test_whispers_own_tests(shared):
    rows = [json.loads(line) for line in (shared / "data/peers/whisper_normalizer_tests.jsonl").open(encoding="utf-8")]
    norm = get_normalizer("whisper-english")
    assert len(rows) == 60
    assert [(r["input"], norm(r["input"])) for r in rows] == [(r["input"], r["expected"]) for r in rows]


def test_whisper_golden(shared):
    golden = json.loads((shared / "data/peers/agwer_fixture_whisper_golden.json").read_text(encoding="utf-8"))
    names = {"english": "whisper-english", "basic": "whisper-basic",
             "basic_diacritics": "whisper-basic with remove_diacritics"}
    assert golden.keys() == names.keys()
    for kind, pairs in golden.items():
        norm = get_normalizer(names[kind])
        assert {raw: norm(raw) for raw in pairs} == pairs


WORDS = [*"""o oh zero one two five ten eleven twenty thirty ninety hundred thousand million billion ones twos tens
first second third fifth twelfth twentieth hundredth thousandth millions twenties and double triple point
minus negative plus positive pound pounds euro dollars cent cents per percent half a 0 1 2 7 10 19 20 100
007 3.5 1,250 1.5 .5 5. $5 $0.36 €52.4 £2 ¢7 5% % $ 10th th st s 1960s b747 10km 1/2 ½ ² ٣ um uh hmm mhm
mm the cat won't can't let's it's he'd been she's got gone done 'cause cause ma'am y'all gonna dunno mr
mrs. st dr prof gen rep col jr esq colour theatre grey [x] (y) <z> [ ( ) ] > ' ’ café naïve œuvre ß İ -
-- – , . ... ! 99999999999999999999 i'ma sen't it's't x'sn't 's 's't 've 'm $0 $0.5 1s 21s2 21st 1st٣ a1b2
5s a%% 5%% hundredths""".split(), "\t", "\n", "and a half", "and a half", " ", " '", "two dollars and 7 cents", "5 s", "21 st"]
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=12).flatmap(
    lambda words: st.sampled_from([" ", "", "  ", "-"]).map(lambda gap: gap.join(words)))


@cache
def original():
    from whisper_normalizer.english import EnglishTextNormalizer
    return EnglishTextNormalizer()


@examples(5000)
@given(st.one_of(SENTENCES, TEXTS))
@example("minus point and cats")
@example("minus point point minus cats one")
@example("and a half")
@example("three (a] and b")
@example("[a) b <c> () (d")
def test_the_short_road_is_the_packages(text):
    assert _in_english.__wrapped__(text) == original()(text)


@pytest.mark.parametrize(("old", "new"), [
    ("u(?<!\\wu)[hm]", "u[hm]"), ("(?<!\\w{literal})", ""), ("|rd|th|s)\\b)[a-z]", "|rd|th|s)\\b)[a-b]"),
    ("1(?<!\\w1)(s?)\\b", "1(s?)\\b"), ("%(?<=[^0-9]%)", "%(?<=[a-z]%)"), ("10 if n < 10 else 100) == 0", "10) == 0"),
    ("v // 1000 * 1000 + v % 1000 * n", "v * n"), ("self.sign = sign or self.sign", "self.sign = sign"),
    ("2 if word == \"double\" else 3", "2"), (".{int(m[3]):02d}", ".{int(m[3])}"), ("return word if word not in", "return word if word in"),
    ("word == \"and\" and self.prev not in box.multipliers", "word == \"and\""), ("not s.isascii() or not words.isdisjoint", "words.isdisjoint")])
def test_a_mutant_of_the_short_road_is_seen(old, new):
    texts = ["an album", "mr amr", "10km", "11 a1 1 1s", "five . %", "twenty one fifty ten 20 ten", "two thousand three hundred million", "minus 5",
             "double five triple six", "two dollars and 7 cents", "three thousand and one", "doctor dr", "five hundred and a half", "twenty cats"]
    changed = mutant(subject, (old, new))
    assert any(changed._in_english.__wrapped__(t) != original()(t) for t in texts)
    assert all(_in_english.__wrapped__(t) == original()(t) for t in texts)


def test_what_the_package_gives_up_on_stays():
    with pytest.raises(AssertionError): original()("9" * 5000)
    assert whisper_english("code " + "9" * 5000) == "code " + "9" * 5000
