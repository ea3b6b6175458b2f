"""Whisper's two normalizers, held against the package that keeps the original code."""
import json
from functools import cache

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from texts import TEXTS, examples

from amend_nb import get_normalizer, whisper_english


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
-- – , . ... ! 99999999999999999999""".split(), "\t", "\n", "and a half", "and a half", " "]
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
    assert whisper_english.__wrapped__(text) == original()(text)


def test_what_the_package_gives_up_on_stays():
    with pytest.raises(AssertionError): original()("9" * 5000)
    assert whisper_english("code " + "9" * 5000) == "code " + "9" * 5000
