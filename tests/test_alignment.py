"""Alignment: held against jiwer, the obvious table and the peers' recorded answers; laws that mutants of the code break."""
import csv
import json
import random
import subprocess
import sys
from pathlib import Path

import jiwer
import peers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import mutant
from rapidfuzz.distance import Levenshtein
from texts import TEXTS, check_spans, examples

import amend_nb.alignment as subject
from amend_nb import Alignment, Counts, align, aligned_text, get_normalizer

ROOT = Path(__file__).resolve().parents[1]
WORDS = st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join)
PAIRS = st.tuples(WORDS, WORDS)
TIES = ("jiwer", "diagonal", "hits")


# ---- the obvious tables

def table(ref, hyp):
    "(errors, -hits) of the best way to every cell: first by errors, then by hits."
    best = {(0, 0): (0, 0)}
    for i in range(len(ref) + 1):
        for j in range(len(hyp) + 1):
            ways = []
            if i and j:
                e, h = best[i-1, j-1]
                ways.append((e, h - 1) if ref[i-1] == hyp[j-1] else (e + 1, h))
            if i: ways.append((best[i-1, j][0] + 1, best[i-1, j][1]))
            if j: ways.append((best[i, j-1][0] + 1, best[i, j-1][1]))
            if ways: best[i, j] = min(ways)
    return best


def obvious(ref, hyp, ties):
    "Tags, walking back from the end: diagonal where it is as cheap, else deletion, else insertion."
    best = {cell: (e, h if ties == "hits" else 0) for cell, (e, h) in table(ref, hyp).items()}
    tags, i, j = [], len(ref), len(hyp)
    while i or j:
        same = i and j and ref[i-1] == hyp[j-1]
        if i and j:
            e, h = best[i-1, j-1]
            if best[i, j] == (e + (not same), h - (same and ties == "hits")):
                tags.append("equal" if same else "substitute"); i, j = i - 1, j - 1; continue
        if i and best[i, j] == (best[i-1, j][0] + 1, best[i-1, j][1]): tags.append("delete"); i -= 1
        else: tags.append("insert"); j -= 1
    return tags[::-1]


# ---- the laws, as functions of the module under test, so that a mutant of it can be tried on them

def steps(a):
    "One tag a step."
    return [op.tag for op in a.ops for _ in range(max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start))]


def law_jiwer(m, ref, hyp):
    if not ref: return  # jiwer's own rule for empty references is another matter; the ops are checked elsewhere
    ours, theirs = m.align(ref, hyp, space="ascii"), jiwer.process_words(ref, hyp)
    assert [tuple(op) for op in ours.ops] == [(c.type, c.ref_start_idx, c.ref_end_idx, c.hyp_start_idx, c.hyp_end_idx)
                                              for c in theirs.alignments[0]]
    assert ours.counts == (theirs.hits, theirs.substitutions, theirs.deletions, theirs.insertions)


def law_diagonal(m, ref, hyp):
    assert steps(m.align(ref, hyp, ties="diagonal")) == obvious(ref.split(), hyp.split(), "diagonal")


def law_hits(m, ref, hyp):
    a = m.align(ref, hyp, ties="hits")
    errors, hits = table(ref.split(), hyp.split())[len(a.ref_tokens), len(a.hyp_tokens)]
    assert (a.counts.errors, a.counts.hits) == (errors, -hits)
    assert steps(a) == obvious(ref.split(), hyp.split(), "hits")


def law_ops(m, ref, hyp):
    "Ops tile both sides in order, neighbours differ, and what they say of the tokens is true."
    for unit in ("word", "char", "mixed"):
        for ties in TIES:
            a, at = m.align(ref, hyp, ties=ties, unit=unit), (0, 0)
            for op, after in zip(a.ops, (*a.ops[1:], None), strict=False):
                assert (op.ref_start, op.hyp_start) == at
                at, n, k = (op.ref_end, op.hyp_end), op.ref_end - op.ref_start, op.hyp_end - op.hyp_start
                left = [t.text for t in a.ref_tokens[op.ref_start:op.ref_end]]
                right = [t.text for t in a.hyp_tokens[op.hyp_start:op.hyp_end]]
                assert {"equal": n == k > 0 and left == right, "delete": n > 0 == k, "insert": k > 0 == n,
                        "substitute": n == k > 0 and all(map(str.__ne__, left, right))}[op.tag]
                assert after is None or after.tag != op.tag
            assert at == (len(a.ref_tokens), len(a.hyp_tokens))
            assert a.counts.errors == Levenshtein.distance(*([t.text for t in s] for s in (a.ref_tokens, a.hyp_tokens)))
            assert (a.counts.reference_length, a.counts.hypothesis_length) == at


def law_places(m, ref, hyp):
    "Under no norm each token is the stretch of raw text that it says it is."
    for unit in ("word", "char"):
        a = m.align(ref, hyp, unit=unit)
        for raw, tokens in ((a.reference, a.ref_tokens), (a.hypothesis, a.hyp_tokens)):
            assert [raw[t.start:t.end] for t in tokens] == [t.text for t in tokens] == \
                (raw.split() if unit == "word" else list(raw.strip()))


def law_counts(m, ref, hyp):
    "Counts of parts add up to the counts of the whole, and the rate is errors over reference words."
    a, b = m.align(ref, hyp).counts, m.align(hyp, ref).counts
    both = sum([a, b])
    assert both == a + b == m.Counts(*(x + y for x, y in zip(a, b, strict=True)))
    assert both.errors == a.errors + b.errors == both.substitutions + both.deletions + both.insertions
    n = len(ref.split())
    assert a.reference_length == n and a.rate == (a.errors / n if n else None)
    assert a.insertions - a.deletions == len(hyp.split()) - n


WIDE = str.maketrans({"b": "bbb", "c": "字", "d": "e\u0301e"})   # one to three columns


def columns(line):
    "What stands in each column: a wide character fills two, an accent none."
    return "".join({"字": "##", "\u0301": ""}.get(c, c) for c in line)


def law_lines(m, ref, hyp):
    "Printed at 20 columns, no line is wider, and reading the two rows column by column gives the texts and the marks back."
    ref, hyp = ref.translate(WIDE), hyp.translate(WIDE)
    a = m.align(ref, hyp)
    text = m.aligned_text(a, width=20)
    assert all(len(columns(line)) <= 20 for line in text.split("\n"))
    blocks = [b.split("\n") for b in text.split("\n\n")[:-1]]
    for k, side in ((0, ref), (1, hyp)):
        assert [t for b in blocks for t in b[k][4:].split() if set(t) != {"·"}] == side.split()
    marks = [b[2] if len(b) > 2 else "" for b in blocks]
    assert "".join(marks).split() == [t[0].upper() for t in steps(a) if t != "equal"]
    for b, line in zip(blocks, marks, strict=True):
        rows = [columns(r).ljust(20) for r in b[:2]]
        for at, mark in enumerate(line):
            if mark == " ": continue
            assert all(r[at] != " " == r[at - 1] for r in rows)
            assert mark == ("I" if rows[0][at] == "·" else "D" if rows[1][at] == "·" else "S")


LAWS = [law_jiwer, law_diagonal, law_hits, law_ops, law_places, law_counts, law_lines]


@pytest.mark.parametrize("law", LAWS)
@examples(1000)
@given(PAIRS)
def test_law(law, pair): law(subject, *pair)


def sample(n=400):
    rng = random.Random(5)
    def text(): return " ".join(rng.choices("abcd", k=rng.randrange(9)))
    return [(text(), text()) for _ in range(n)] + [(" a  b", "b a "), ("a  b", " a b")]


@pytest.mark.parametrize(("law", "old", "new"), [
    (law_jiwer, "Levenshtein.editops(ref, hyp)", "Levenshtein.editops(hyp, ref).inverse()"),
    (law_jiwer, "i = at + (tag != \"insert\")", "i = at + 1"),
    (law_jiwer, "if ties == \"jiwer\": return", "if ties == \"no\": return"),
    (law_diagonal, "while i and dear >> i - 1 - lo & 1 and up", "while i and up"),
    (law_diagonal, "dear = level & up, level & ~same", "dear = level & up, level"),
    (law_diagonal, "= right << 1 | 1, left", "= right << 1, left"),
    (law_diagonal, "walk = _tags_diagonal if ties == \"diagonal\" else", "walk ="),
    (law_hits, "walk = _tags_diagonal if ties == \"diagonal\" else _tags_hits", "walk = _tags_diagonal"),
    (law_hits, "0 if r == h else step + 1", "0 if r == h else step"),
    (law_hits, "step = min(len(ref), len(hyp)) + 1", "step = 1"),
    (law_hits, "if not alive & alive - 1: knots", "if alive: knots"),
    (law_ops, "i2, j2 = i + k * (tag != \"insert\")", "i2, j2 = i + k"),
    (law_ops, "for tag, run in groupby(tags):", "for tag, run in ((t, [t]) for t in tags):"),
    (law_ops, "\"equal\"] * tail", "\"equal\"] * max(tail - 1, 0)"),
    (law_places, "left + i, left + i + 1", "i, i + 1"),
    (law_counts, "self.substitutions + self.deletions + self.insertions", "self.substitutions + self.deletions - self.insertions"),
    (law_counts, "if self.reference_length else None", "if self.reference_length else 0.0"),
    (law_counts, "a + b for a, b in zip(self, other", "a - b for a, b in zip(self, other"),
    (law_lines, "+ 1 > width - 3: yield", "+ 1 > width: yield"),
    (law_lines, "\" \" * (p[3] - _width(p[k]))", "\" \" * (p[3] - len(p[0]))"),
])
def test_a_mutant_breaks_its_law(law, old, new):
    changed = mutant(subject, (old, new))
    with pytest.raises(AssertionError):   # a crash is no finding
        for pair in sample(): law(changed, *pair)


def test_the_sample_that_catches_mutants_is_clean():
    for law in LAWS:
        for pair in sample(): law(subject, *pair)


# ---- long texts

def heard(rng, ref, vocabulary, rate):
    "A hypothesis with about `rate` errors a word."
    out = []
    for w in ref:
        x = rng.random() / rate
        out += [w] if x > 1 else [rng.choice(vocabulary)] if x < .5 else [] if x < .75 else [w, rng.choice(vocabulary)]
    return out


@pytest.mark.parametrize(("n", "vocabulary", "rate"), [(700, "abc", .1), (900, "abcdefghij", .2), (600, "ab", .6), (350, "abcd", 2)])
def test_long_texts_go_by_the_obvious_table(n, vocabulary, rate):
    "Long enough for several blocks of columns, and with a band that leaves the first rows."
    rng, vocabulary = random.Random(n), list(map(ord, vocabulary))
    ref = rng.choices(vocabulary, k=n)
    hyp = heard(rng, ref, vocabulary, rate)
    for ties in ("diagonal", "hits"): assert subject._tags(ref, hyp, ties) == obvious(ref, hyp, ties)


@pytest.mark.parametrize("cut", [(0, 500), (500, 0), (0, 3), (40, 300)])
def test_long_texts_of_different_lengths(cut):
    rng = random.Random(sum(cut))
    ref, hyp = rng.choices(range(3), k=520 - cut[0]), rng.choices(range(3), k=520 - cut[1])
    for ties in ("diagonal", "hits"): assert subject._tags(ref, hyp, ties) == obvious(ref, hyp, ties)


@pytest.mark.parametrize("n", [2500, 6000])
def test_long_texts_get_jiwers_ops(n):
    "At 6,000 words RapidFuzz halves its table: asked with a hint, it would give other ops than jiwer has."
    rng, ref = random.Random(1), None
    for _ in range(3):
        ref = rng.choices("ab", k=n)
        law_jiwer(subject, " ".join(ref), " ".join(heard(rng, ref, "ab", .08)))


def test_hits_by_numpy_rows_are_those_of_the_plain_table():
    rng = random.Random(4)
    for n, m in ((90, 80), (70, 100), (1, 300), (300, 1), (64, 64)):
        ref, hyp = rng.choices(range(4), k=n), rng.choices(range(4), k=m)
        assert subject._walk_far(ref, hyp) == subject._walk(ref, hyp) == obvious(ref, hyp, "hits")


def test_texts_too_unlike_for_hits_are_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr(subject, "_MOST", 1000)
    with pytest.raises(ValueError, match="ties='diagonal'"):
        align(" ".join(map(str, range(100))), " ".join(map(str, range(90, -90, -1))), ties="hits")


@pytest.mark.parametrize("ties", TIES)
def test_two_texts_of_20000_words_take_less_than_200_mb(ties):
    code = f"""
import random, resource
from amend_nb.alignment import align
rng = random.Random(3)
ref = [f"w{{int(rng.paretovariate(.8)) % 5000}}" for _ in range(20000)]
hyp = [w if rng.random() > .1 else f"x{{rng.randrange(900)}}" for w in ref if rng.random() > .03]
import numpy  # the little that `hits` may load is not the alignment's
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
a = align(" ".join(ref), " ".join(hyp), ties={ties!r})
print(a.counts.errors, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    errors, mb = map(int, run.stdout.split())
    assert 2000 < errors < 3000 and mb < 200


def test_a_long_text_by_words_and_by_characters():
    ref = "word " * 20000
    hyp = " ".join("wird" if n % 100 == 99 else "word" for n in range(20000))
    for ties in TIES:
        a = align(ref, hyp, ties=ties)
        assert a.counts == Counts(19800, 200, 0, 0) and a.counts.rate == 0.01
        assert align(ref, hyp, ties=ties, unit="char").counts == Counts(99799, 200, 0, 0)
    shown = repr(a)
    assert len(shown) < 10_000 and "blocks of lines more" in shown and "S 200" in shown


# ---- what peers recorded

def test_jiwers_own_tests(shared):
    wanted = seen = 0
    for _, r in peers.rows(shared, "jiwer"):
        if r["fn"] not in ("process_words", "process_characters") or "raises" in r: continue
        refs, hyps = ([t] if isinstance(t, str) else t for t in (r["reference"], r["hypothesis"]))
        if r["transform"] != "default": refs, hyps = [" ".join(refs)], [" ".join(hyps)]
        unit = "word" if r["fn"] == "process_words" else "char"
        both = [align(a, b, unit=unit) for a, b in zip(refs, hyps, strict=True)]
        assert [[list(op) for op in a.ops] for a in both] == r["alignments"]
        total = sum((a.counts for a in both), Counts())
        assert total._asdict() == {k: r[k] for k in Counts._fields}
        seen += 1; wanted += 1
    assert seen == wanted == 94


def test_sclites_utterances(shared):
    rows = list(peers.rows(shared, "sclite_utterances"))
    assert len(rows) == 954
    for n, r in rows:
        ref, hyp = (" ".join(r[k]).lower() for k in ("ref", "hyp"))
        for ties in TIES: assert align(ref, hyp, ties=ties).counts.errors == r["min_edits_lower"], n


def test_texterrors(shared):
    seen = 0
    for n, r in peers.rows(shared, "texterrors"):
        if r["fn"] in ("lev_distance", "seq_distance"):
            ref, hyp = (a if isinstance(a, str) else " ".join(a) for a in r["args"][:2])
            a = align(ref, hyp, unit="char" if r["fn"] == "lev_distance" else "word")
            assert a.counts.errors == r["result"], n
        elif r["fn"] == "align_texts" and r["kwargs"].get("use_chardiff") is False:
            assert align(*(" ".join(a) for a in r["args"])).counts.errors == r["result"][2], n
        else: continue
        seen += 1
    assert seen >= 15


def test_kaldialign(shared):
    seen = 0
    for n, r in peers.rows(shared, "kaldialign"):
        if r["kwargs"].get("merge_compounds") or r["kwargs"].get("sclite_mode") or r["fn"] not in ("align", "edit_distance"):
            continue
        c = align(*(" ".join(a) for a in r["args"][:2]), ties="hits").counts
        if r["fn"] == "edit_distance": ins, dele, sub = (r["result"][k] for k in ("ins", "del", "sub"))
        else:
            gap = r["args"][2]
            ins, dele = (sum(pair[k] == gap for pair in r["result"]) for k in (0, 1))
            sub = sum(gap not in pair and pair[0] != pair[1] for pair in r["result"])
        assert (c.insertions, c.deletions, c.substitutions) == (ins, dele, sub), n
        seen += 1
    assert seen >= 10


@pytest.fixture(scope="module")
def voxpopuli(shared):
    folder = shared / "data/en_voxpopuli_5engines"
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as f: pairs = list(csv.DictReader(f))
    return pairs, json.loads((folder / "expected.json").read_text(encoding="utf-8"))["peer_measured"]["values"]


@pytest.mark.parametrize(("norm", "key"), [("none", "raw_whitespace"), ("whisper-english", "whisper_english_normalizer")])
def test_five_recognisers_on_voxpopuli(voxpopuli, norm, key):
    pairs, expected = voxpopuli
    norm = get_normalizer(norm)
    for engine, values in expected.items():
        mine = [(r["reference"], r["hypothesis"]) for r in pairs if r["engine"] == engine]
        total = sum((align(ref, hyp, norm).counts for ref, hyp in mine), Counts())
        assert total._asdict() == {k: values[key][k] for k in Counts._fields}, engine
        assert len(mine) == values[key]["n_utt"] and total.reference_length == values[key]["ref_words"]


def test_sclites_sums_on_voxpopuli(shared):
    files = sorted((shared / "data/sclite_voxpopuli").glob("*.csv"))
    assert len(files) == 5
    for path in files:
        with path.open(encoding="utf-8", newline="") as f:
            for r in csv.DictReader(f):
                c = align(r["reference"], r["hypothesis"], "none").counts
                assert (c.errors, c.reference_length) == (sum(int(r[k]) for k in "SDI"), sum(int(r[k]) for k in "CSD")), r["id"]


def test_rows_left_out_are_few_and_say_why():
    assert all(r["reason"] and r["table"] and r["row"] for r in peers.LEFT_OUT)


# ---- any text at all

@examples(500)
@given(TEXTS, TEXTS, st.sampled_from(["none", "amend", "agentic", "literal"]))
def test_any_texts_under_any_norm(ref, hyp, norm):
    for unit in ("word", "char", "mixed"):
        a = align(ref, hyp, norm, unit=unit, ties="hits")
        check_spans(ref, a.ref_tokens)
        check_spans(hyp, a.hyp_tokens)
        if unit == "word": assert [t.text for t in a.ref_tokens] == get_normalizer(norm).words(ref)
        shown = aligned_text(a, width=30)
        assert all(len(line) <= 90 and subject._width(line) <= 30 for line in shown.split("\n"))
        assert not set(shown) & {"\t", "\r", "\u2028", "\u200b", "\u202e"}


def test_scripts_without_spaces_go_by_characters_on_request():
    a = align("打开 Spotify 播放วันนี้", "打 Spotify播放 วันนี", unit="mixed")
    assert [t.text for t in a.ref_tokens] == ["打", "开", "Spotify", "播", "放", "วั", "น", "นี้"]
    assert [t.text for t in a.hyp_tokens] == ["打", "Spotify", "播", "放", "วั", "น", "นี"]
    assert a.counts == Counts(6, 1, 1, 0)
    assert [a.hypothesis[t.start:t.end] for t in a.hyp_tokens] == [t.text for t in a.hyp_tokens]
    assert align("한국어 문장", "한국어 문장", unit="mixed").counts == Counts(2, 0, 0, 0)
    assert align("打开", "打 开").counts.errors == 2 and align("打开", "打 开", unit="mixed").counts.errors == 0


# ---- as lines of text

def rows_of(text): return [line[4:] for line in text.split("\n") if line[:3] in ("REF", "HYP")]


def test_a_gap_is_told_from_any_word():
    a = align("{ name } <eps> * b", "{ name } b")
    assert a.counts == Counts(4, 0, 2, 0) and len(a.ref_tokens) == 6
    assert rows_of(repr(a)) == ["{ name } <eps> * b", "{ name } ····· · b"]
    assert rows_of(repr(align("* *** · b", "b"))) == ['* *** "·" b', '· ··· ··· b']


def test_a_long_sentence_is_broken_into_blocks():
    ref = "this is a very long sentence that goes on and on for much longer than one line can hold in a notebook cell"
    hyp = ref.replace("long ", "loong ", 1).replace("and on ", "and ")
    a = align(ref, hyp)
    assert a.counts == Counts(21, 1, 1, 0)
    text = aligned_text(a, width=40)
    assert max(map(len, text.split("\n"))) <= 40 and text.count("REF") >= 3
    assert [t for row in rows_of(text)[::2] for t in row.split() if set(t) != {"·"}] == ref.split()


def test_wide_and_combining_characters_stand_under_each_other():
    a = align("我 很 好 cafe\u0301 ok", "我 好 cafe ok", "literal")
    ref, hyp = rows_of(repr(a))
    assert ref.split()[:3] == ["我", "很", "好"] and hyp.split()[:3] == ["我", "··", "好"]
    assert subject._width(ref) == subject._width(hyp)
    assert rows_of(repr(align("e\u0301", "e", unit="char"))) == ["e ◌\u0301", "e ·"]


def test_words_from_right_to_left_stay_in_their_columns():
    ref, hyp = rows_of(repr(align("שלום עולם טוב", "שלום עולם רע")))
    for row in (ref, hyp):
        words = row.replace("\u200e", "").split()
        assert row.count("\u200e") == len(words) == 3
        assert all(cell.endswith("\u200e") for cell in row.split())
    assert "\u200e" not in repr(align("a b", "a c"))
    assert "می\u200cخواهم" in repr(align("می\u200cخواهم", "می\u200cخواهم"))


def test_a_word_wider_than_the_line_is_cut_and_says_so():
    text = aligned_text(align("a" * 100, "字" * 60), width=30)
    assert all(subject._width(line) <= 30 for line in text.split("\n")) and text.count("…") == 2


@pytest.mark.parametrize("width", [19, 0, -3])
def test_a_width_that_holds_nothing_is_refused(width):
    with pytest.raises(ValueError, match="width"): aligned_text(align("a", "b"), width=width)


# ---- what is refused, and jiwer's shape

@pytest.mark.parametrize(("args", "error", "said"), [
    ((None, "a"), TypeError, "reference=None"), (("a", float("nan")), TypeError, "hypothesis=nan"),
    ((["a"], "a"), TypeError, "error_counts"), ((b"a", "a"), TypeError, "bytes"), (("a", 7), TypeError, "hypothesis=7")])
def test_what_is_no_text_is_refused(args, error, said):
    with pytest.raises(error, match=said.replace("[", "\\[")): align(*args)


@pytest.mark.parametrize("wrong", [{"ties": "best"}, {"unit": "words"}, {"space": "tab"}, {"norm": "nothing"}, {"ties": None}])
def test_an_unknown_rule_is_refused(wrong):
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))): align("a", "a", **wrong)


@examples(500)
@given(PAIRS)
def test_to_jiwer_is_what_jiwer_gives(pair):
    ref, hyp = pair
    for unit, process in (("word", jiwer.process_words), ("char", jiwer.process_characters)):
        if unit == "char" and not ref: continue
        assert align(ref, hyp, unit=unit).to_jiwer() == process(ref, hyp)


def test_an_alignment_is_a_value():
    a, b = align("a b", "a c"), align("a b", "a c")
    assert a == b and isinstance(a, Alignment) and hash(a) == hash(b) and a != align("a b", "a c", ties="hits")
    assert isinstance(a.ops, tuple) and isinstance(a.ref_tokens, tuple)
    with pytest.raises(AttributeError): a.ties = "hits"
