"""Counts of a corpus: the same as `align` gives pair by pair, whatever the texts, the rules and the way they are got."""
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import mutant
from texts import TEXTS, examples

import amend_nb.counts as counts
import amend_nb.pairs as pairs
from amend_nb import (
    BadTable,
    Prepared,
    Study,
    align,
    compound_counts,
    confusions,
    edit_table,
    error_counts,
    get_normalizer,
    measure_scores,
    norm_effects,
    pool,
    prepare,
    ser,
    wer,
    without_control_tokens,
)
from amend_nb.tables import Tables

ROOT = Path(__file__).resolve().parents[1]
COLUMNS = ["hits", "substitutions", "deletions", "insertions", "reference_length", "hypothesis_length"]
# Words that try the coder: up to eight bytes and over, one a prefix of another, NUL and high characters, odd spaces.
WORDS = ["a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefghj", "abcdefghabcdefgh", "abcdefghabcdefghx", "é", "ação", "naïveté", "打", "开",
         "打开播放", "😀", "\U0010ffff", "a\0", "\0", "\0\0", "x" * 40, "x" * 41, "a\u200bb", "\ufeff", "\u00ad", "…", "'", "\ud800", "\x01"]
GAPS = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", " \n ", "\u3000", "\x1c", "\u2028", "\u0085", "\r\n"]
TEXT = st.one_of(TEXTS, st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), max_size=7).map(
    lambda parts: "".join(w + g for w, g in parts)))
RULES = st.fixed_dictionaries({"norm": st.sampled_from([None, "amend", "agentic", "whisper-basic", "literal", str.upper]),
                               "unit": st.sampled_from(["word", "char", "mixed"]), "ties": st.sampled_from(["jiwer", "diagonal", "hits"])})


@pytest.fixture(autouse=True)
def quiet():
    "Texts of these tests hold all that is warned of."
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.fixture(params=["plain", "numpy"])
def way(request, monkeypatch):
    "Both ways to the same counts, whatever the size."
    monkeypatch.setattr(pairs, "_FEW", 10**9 if request.param == "plain" else 0)
    if request.param == "plain": monkeypatch.setattr(pairs, "_SHORT", 10**9)
    return request.param


def by_align(refs, hyps, **rules):
    "The rows as `align` gives them."
    found = [align(r, h, **rules).counts for r, h in zip(refs, hyps, strict=True)]
    return [[*c, c.reference_length, c.hypothesis_length] for c in found]


@examples(500)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=5), RULES, st.booleans())
def test_rows_are_aligns(data, rules, plain):
    refs, hyps = map(list, zip(*data, strict=True))
    refs, hyps = [*refs, refs[0]], [*hyps, refs[0]]
    few, short = pairs._FEW, pairs._SHORT
    try:
        pairs._FEW, pairs._SHORT = (10**9, 10**9) if plain else (0, 0)
        rows = error_counts(refs, hyps, **rules)
    finally: pairs._FEW, pairs._SHORT = few, short
    assert rows.to_numpy().tolist() == by_align(refs, hyps, **rules)
    assert list(rows) == COLUMNS and set(rows.dtypes) == {np.dtype("int64")}


@examples(500)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4), st.sampled_from(["jiwer", "hits"]), st.booleans())
def test_rows_are_aligns_with_jiwers_words(data, ties, plain):
    refs, hyps = map(list, zip(*data, strict=True))
    few = pairs._FEW
    try:
        pairs._FEW = 10**9 if plain else 0
        rows = error_counts(refs, hyps, space="ascii", ties=ties)
    finally: pairs._FEW = few
    assert rows.to_numpy().tolist() == by_align(refs, hyps, space="ascii", ties=ties)


@examples(500)
@given(st.lists(TEXT, min_size=1, max_size=6))
def test_strings_of_word_numbers_are_equal_where_words_are(texts):
    "One character a word; two characters are the same exactly where the words are, over all texts of a chunk."
    rules = pairs._rules("none", "word", "unicode")
    words = [rules.cut(t) for t in texts]
    letters = pairs._in_a_row(texts, rules.cut)
    coded = letters and pairs._coded(letters, len(texts), len(texts))
    if coded is None:
        assert any(c in t for t in texts for c in ("\0", "\ud800"))
        return
    codes, lengths = coded
    assert [len(c) for c in codes] == list(lengths) == [len(w) for w in words]
    flat = [(w, c) for ws, cs in zip(words, codes, strict=True) for w, c in zip(ws, cs, strict=True)]
    assert len(set(flat)) == len({w for w, _ in flat}) == len({c for _, c in flat})


def test_words_whose_keys_agree_by_chance_are_told_apart(monkeypatch):
    "If the mixing of long words were ever to fail, the chunk goes by a dictionary, and the counts stay right."
    monkeypatch.setattr(pairs, "_keys", lambda np, letters, start, size: np.where(size > 8, np.uint64(3 << 62), size.astype("u8")))
    monkeypatch.setattr(pairs, "_FEW", 0)
    refs, hyps = ["abcdefghi abcdefghj"], ["abcdefghj abcdefghj"]
    assert error_counts(refs, hyps).to_numpy().tolist() == by_align(refs, hyps)


def corpus(n=900, seed=3):
    rng = random.Random(seed)
    words = [w for w in WORDS if "\0" not in w and w != "\ud800"] + [f"w{k}" for k in range(300)]
    refs = [" ".join(rng.choices(words, k=rng.randrange(14))) for _ in range(n)]
    hyps = [" ".join(w if rng.random() > .1 else rng.choice(words) for w in r.split() if rng.random() > .04) for r in refs]
    return refs, hyps


@pytest.mark.parametrize("rules", [{}, {"ties": "hits"}, {"ties": "diagonal"}, {"norm": "amend"}, {"unit": "char"}, {"unit": "mixed"},
                                   {"norm": "whisper-english"}, {"unit": "char", "norm": "agentic"}], ids=str)
def test_a_corpus_in_several_chunks(rules, monkeypatch):
    refs, hyps = corpus()
    monkeypatch.setattr(pairs._Pairs.chunks, "__defaults__", (400, 5000))
    assert error_counts(refs, hyps, **rules).to_numpy().tolist() == by_align(refs, hyps, **rules)


def test_counts_are_the_same_in_any_order_and_cut(way):
    refs, hyps = corpus(600)
    rows, order = error_counts(refs, hyps), np.random.default_rng(1).permutation(600)
    assert error_counts([refs[k] for k in order], [hyps[k] for k in order]).equals(rows.iloc[order].reset_index(drop=True))
    halves = pd.concat([error_counts(refs[:250], hyps[:250]), error_counts(refs[250:], hyps[250:])], ignore_index=True)
    assert halves.equals(rows)


@pytest.mark.parametrize("n", [40, 2500])
def test_long_texts(n, way):
    rng = random.Random(n)
    refs = [" ".join(rng.choices([f"w{k}" for k in range(500)], k=n)) for _ in range(3)]
    hyps = [" ".join(w if rng.random() > .1 else "x" for w in r.split() if rng.random() > .03) for r in refs]
    for ties in ("jiwer", "diagonal", "hits"):
        assert error_counts(refs, hyps, ties=ties).to_numpy().tolist() == by_align(refs, hyps, ties=ties)


def unlike(kind, n):
    rng = random.Random(n)
    words = [f"w{int(rng.paretovariate(.8)) % 5000}" for _ in range(n)]
    return {"nothing shared": ([f"a{k}" for k in range(n)], [f"b{k}" for k in range(n)]), "back to front": (words, words[::-1]),
            "shuffled": (words, rng.sample(words, n)), "two letters": (rng.choices("ab", k=n), rng.choices("ab", k=n))}[kind]


KINDS = ["nothing shared", "back to front", "shuffled", "two letters"]

@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unit", ["word", "char"])
def test_long_texts_that_are_unlike(kind, unit):
    "Counts and edits are those of `align`, where a table of all prices is out of the question too."
    refs, hyps = ([" ".join(side)] * 2 for side in unlike(kind, 1500))
    for ties in ("jiwer", "diagonal", "hits"):
        rows = by_align(refs[:1], hyps[:1], ties=ties, unit=unit)
        assert error_counts(refs, hyps, ties=ties, unit=unit).to_numpy().tolist() == rows * 2
        assert edit_table(refs, hyps, ties=ties, unit=unit)["tag"].value_counts().sum() == 2 * sum(rows[0][1:4])


@pytest.mark.parametrize("ties", ["jiwer", "diagonal", "hits"])
def test_20000_words_that_are_unlike_take_less_than_200_mb(ties):
    code = f"""
import sys, resource
sys.path.insert(0, {str(ROOT / "tests")!r})
import test_counts as t
pairs = [[" ".join(side) for side in t.unlike(kind, 20000)] for kind in t.KINDS]
t.error_counts(["a b"] * 400, ["a c"] * 400, ties={ties!r})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for r, h in pairs:
    a, rows = t.align(r, h, ties={ties!r}), t.error_counts([r], [h], ties={ties!r})
    assert list(a.counts) == rows.to_numpy().tolist()[0][:4], a.counts
    assert len(t.edit_table([r], [h], ties={ties!r})) == a.counts.errors
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0 and int(run.stdout) < 200, run.stderr


# ---- a row an edit

@examples(500)
@given(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4), RULES)
def test_edits_are_aligns(data, rules):
    refs, hyps = map(list, zip(*data, strict=True))
    expected = []
    for k, (r, h) in enumerate(zip(refs, hyps, strict=True)):
        a = align(r, h, **rules)
        for op in a.ops:
            if op.tag == "equal": continue
            for x in range(max(op.ref_end - op.ref_start, op.hyp_end - op.hyp_start)):
                i, j = op.ref_start + x * (op.tag != "insert"), op.hyp_start + x * (op.tag != "delete")
                expected.append([k, op.tag, i, j, "" if op.tag == "insert" else a.ref_tokens[i].text,
                                 "" if op.tag == "delete" else a.hyp_tokens[j].text])
    table = edit_table(refs, hyps, words=True, **rules)
    assert [list(row) for row in table.astype({"tag": object}).itertuples(index=False)] == expected
    assert list(edit_table(refs, hyps, **rules)) == ["pair", "tag", "ref_at", "hyp_at"]


def test_no_edits_is_an_empty_table_of_the_same_kind():
    some, none = edit_table(["a b"], ["a c"], words=True), edit_table(["a b"], ["a b"], words=True)
    assert len(none) == 0 and list(none) == list(some) and none.dtypes.astype(str).tolist() == some.dtypes.astype(str).tolist()


# ---- what comes in

@pytest.mark.parametrize("kind", [list, tuple, pd.Series, np.array, lambda t: np.array(t, dtype=object), pa.array,
                                  lambda t: pa.chunked_array([t[:2], t[2:]]), lambda t: pd.Series(t, dtype="category"), iter,
                                  lambda t: pd.Series(t, dtype="string[pyarrow]"), lambda t: np.array(t, dtype=np.dtypes.StringDType())])
def test_columns_of_any_kind(kind, way):
    refs, hyps = ["a b", "", "c d e"], ["a", "x", "c d e"]
    assert error_counts(kind(refs), kind(hyps)).to_numpy().tolist() == by_align(refs, hyps)


def test_two_series_meet_by_label():
    refs, hyps = pd.Series(["a b", "c"], index=["x", "y"]), pd.Series(["c", "a d"], index=["y", "x"])
    rows = error_counts(refs, hyps)
    assert rows["substitutions"].to_dict() == {"x": 1, "y": 0}
    assert error_counts(refs, ["a b", "d"])["substitutions"].to_dict() == {"x": 0, "y": 1}
    assert error_counts(["a b", "d"], refs)["substitutions"].to_dict() == {"x": 0, "y": 1}
    assert error_counts(refs.iloc[1:], hyps.iloc[:1])["hits"].to_dict() == {"y": 1}


@pytest.mark.parametrize(("refs", "hyps", "error", "said"), [
    (["a"], ["a", "b"], ValueError, r"refs has 1 text, hyps has 2"),
    (["a", None], ["a", "b"], TypeError, r"refs\[1\]=None"),
    (["a", "b"], ["a", float("nan")], TypeError, r"hyps\[1\]=nan"),
    (["a", 7], ["a", "7"], TypeError, r"refs\[1\]=7"),
    (["a", pd.NA], ["a", "7"], TypeError, r"refs\[1\]=<NA>"),
    (["a", ["b"]], ["a", "b"], TypeError, r"refs\[1\]=\['b'\].*got a list"),
    (["a", b"b"], ["a", "b"], TypeError, r"refs\[1\]=b'b'"),
    ("a", ["a"], TypeError, r"refs='a': expected a list of texts"),
    (["a"], "a", TypeError, r"hyps='a'"),
    ({"a": 1}, ["a"], TypeError, "dict"), ({"a"}, ["a"], TypeError, "set"),
    (pd.DataFrame({"a": ["b"]}), ["a"], TypeError, "2 dimensions"), (5, ["a"], TypeError, "refs=5"), (["a"], None, TypeError, "hyps"),
    (pd.Series(["a"], index=["x"]), pd.Series(["a"], index=["y"]), ValueError, "labels are on one side only"),
    (pd.Series(["a", "b"], index=["x", "x"]), pd.Series(["a", "b"], index=["x", "y"]), ValueError, "'x' comes twice"),
    (pd.Series(["a", None], index=["x", "y"]), ["a", "b"], TypeError, "row 'y'")])
def test_what_is_no_column_of_texts_is_refused(refs, hyps, error, said):
    for call in (error_counts, edit_table, prepare):
        with pytest.raises(error, match=said): call(refs, hyps)
    with pytest.raises(error, match=said): error_counts(refs, hyps, unit="char")


def test_a_missing_text_far_down_is_named(way):
    texts = ["a b"] * 3000
    with pytest.raises(TypeError, match=r"hyps\[2999\]=None"): error_counts(texts, [*texts[:-1], None])


@pytest.mark.parametrize("wrong", [{"unit": "words"}, {"ties": "best"}, {"space": "tab"}, {"norm": "nothing"}])
def test_an_unknown_rule_is_refused(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong.values()))): error_counts(["a"], ["a"], **wrong)
    with pytest.raises(ValueError, match="mixed"): error_counts(["a"], ["a"], unit="mixed", space="ascii")


def test_numpys_own_strings_are_texts():
    assert error_counts([np.str_("a b")], ["a c"]).to_numpy().tolist() == [[1, 1, 0, 0, 2, 2]]


# ---- prepared, and a study

def test_a_prepared_corpus_answers_as_the_lists_do(way, monkeypatch):
    refs, hyps = corpus(700)
    ready = prepare(refs, hyps, norm="amend")
    assert isinstance(ready, Prepared) and len(ready) == 700 and "700 pairs" in repr(ready)
    monkeypatch.setattr(pairs, "_coded", None)   # nothing is cut into words again
    monkeypatch.setattr(pairs, "_plain_chunk", None)
    for ties in ("jiwer", "hits", "jiwer"):
        assert error_counts(ready, ties=ties).to_numpy().tolist() == by_align(refs, hyps, norm="amend", ties=ties)


@pytest.mark.parametrize(("wrong", "said"), [({"norm": "agentic"}, "norm"), ({"unit": "char"}, "unit"), ({"space": "ascii"}, "space")])
def test_a_prepared_corpus_keeps_its_rules(wrong, said):
    ready = prepare(["a"], ["a"], norm="amend")
    assert error_counts(ready, norm="amend").equals(error_counts(ready))
    with pytest.raises(ValueError, match=said): error_counts(ready, **wrong)
    with pytest.raises(TypeError, match="hyps"): error_counts(ready, ["a"])


def test_a_study():
    table = pd.DataFrame({"id": ["1", "2"], "reference": ["a b", "c"], "spoken": ["a um b", "c"], "x": ["a b", "d"], "y": ["a", "c"]})
    study = Tables.from_wide(table, arms=["x", "y"], spoken="spoken", clip="id", norm="amend")
    rows = error_counts(study)
    assert rows.attrs["norm"] == get_normalizer("amend").id and rows.index.names == ["clip", "arm"]
    assert rows["substitutions"].to_dict() == {("1", "x"): 0, ("1", "y"): 0, ("2", "x"): 1, ("2", "y"): 0}
    assert error_counts(study, against="spoken")["deletions"].sum() == 3
    assert pool(rows, "arm").set_index("arm")["deletions"].to_dict() == {"x": 0, "y": 1}
    with pytest.raises(ValueError, match="against"): error_counts(study, against="intended")
    for call in (error_counts, edit_table, prepare):
        with pytest.raises(ValueError, match="only a study"): call(["a"], ["a"], against="spoken")
    ready = prepare(study, against="spoken")
    assert ready.against == error_counts(ready).attrs["against"] == "spoken" and ready.arms == ("x", "y")
    assert error_counts(ready)["deletions"].sum() == 3
    with pytest.raises(ValueError, match="against='spoken': the corpus was prepared with 'reference'"): error_counts(prepare(study), against="spoken")


# ---- warnings

@pytest.mark.parametrize(("refs", "hyps", "said"), [
    (["turn on", "the light"], ["turn on", "the light </s> ⁇"], r"hyps\[1\]: '</s>' is a control token"),
    (["the minister said [...] and left"], ["the minister said the price is ten and left"], r"refs\[0\]: '\[\.\.\.\]' may stand for words"),
    (["今天天气很好我们一起去公园散步吧"], ["今天天气很好"], "unit='mixed'")])
def test_what_is_no_word_is_told_once(refs, hyps, said, way):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = error_counts(refs * 3, hyps * 3)
    assert len(caught) == 1 and len(rows) == 3 * len(refs)
    with pytest.warns(UserWarning, match=said): error_counts(refs, hyps)


NORMS = [None, "amend", "agentic", "whisper-english", "literal"]

@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("many", [1, 400])
def test_what_a_norm_leaves_is_told_and_what_it_drops_is_not(norm, many):
    "A control token counts as a word where the norm makes one of it; the first such one is named. One pair and many are told the same."
    for token in ("</s>", "<unk>", "[PAD]", "<|endoftext|>", "⁇"):
        ref, hyp = "turn on the light", f"turn on the light {token}"
        counted = align(ref, hyp, norm).counts.insertions > 0
        for call in (lambda: error_counts([ref] * many, [hyp] * many, norm), *([lambda: wer(ref, hyp, norm)] if many == 1 else [])):  # noqa: B023
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            assert len(caught) == counted, (token, norm)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            error_counts([ref] * many, [hyp] * many, without_control_tokens(norm))
            wer(ref, hyp, without_control_tokens(norm))


def test_words_taken_out_are_told_under_every_norm():
    for norm in NORMS:
        with pytest.warns(UserWarning, match="taken out"): error_counts(["he said [...] and left"], ["he said ten and left"], norm)


def test_warnings_name_the_callers_line(study_with_tokens):
    ref, hyp = "turn on the light", "turn on the light </s>"
    calls = [lambda: wer(ref, hyp), lambda: wer([ref] * 500, [hyp] * 500), lambda: error_counts([ref], [hyp]), lambda: edit_table([ref], [hyp]),
             lambda: prepare([ref], [hyp]), lambda: confusions([ref], [hyp]), lambda: norm_effects([ref], "literal", [hyp]),
             lambda: compound_counts([ref], [hyp]), lambda: wer([ref], [hyp], compounds=True), lambda: measure_scores(study_with_tokens, "ser"),
             lambda: study_with_tokens.scores(["wer", "cer"]), lambda: study_with_tokens.summary(), lambda: ser(study_with_tokens)]
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert caught and {w.filename for w in caught} == {__file__}


@pytest.fixture
def study_with_tokens():
    return Study.from_wide(pd.DataFrame({"reference": ["turn on the light"], "x": ["turn on the light </s>"]}), arms=["x"], norm="none")


def test_plain_texts_are_passed_in_silence(way):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        error_counts(["a < b", "naïve café [sic] *"], ["a <b", "打开 播放 5*3"])
        error_counts(["今天天气很好我们一起去公园散步吧"], ["今天"], unit="mixed")


def test_control_tokens_can_be_dropped():
    refs, hyps = ["turn on the light"], ["turn on the light </s> ⁇"]
    assert error_counts(refs, hyps)["insertions"].tolist() == [2]
    for norm in (None, "amend", "whisper-english"):
        assert error_counts(refs, hyps, without_control_tokens(norm)).to_numpy().tolist() == [[4, 0, 0, 0, 4, 4]]
    assert without_control_tokens().id != get_normalizer("none").id


# ---- sums

def scores():
    rows = [("1", "x", "wer", "", "n", 0, 1, 4), ("2", "x", "wer", "", "n", 0, 0, 6), ("3", "x", "wer", "", "n", 0, 2, 0),
            ("4", "x", "wer", "", "n", 0, None, None), ("1", "x", "ser", "", "n", 0, 1, 1), ("1", "y", "wer", "", "n", 0, None, None)]
    names = ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den"]
    return pd.DataFrame(rows, columns=names).astype({"num": "Int64", "den": "Int64"}).assign(group=["a", "b", "a", "a", "b", "a"])


def test_pool_sums_first_and_divides_last():
    made = pool(scores()).set_index(["arm", "measure"])
    assert made.loc[("x", "wer"), ["num", "den", "rate", "clips", "not_scored", "empty", "errors_on_empty"]].tolist() == [3, 10, 0.3, 3, 1, 1, 2]
    assert made.loc[("y", "wer"), "clips"] == 0 and made.loc[("y", "wer"), "not_scored"] == 1 and made.loc[("y", "wer"), "rate"] is pd.NA
    assert made.loc[("x", "ser"), "rate"] == 1.0
    by = pool(scores(), by="group").set_index(["group", "arm", "measure"])
    assert by.loc[("a", "x", "wer"), "rate"] == 0.75 and by.loc[("b", "x", "wer"), "rate"] == 0.0


def test_pool_is_the_same_in_any_order():
    table = scores()
    first = pool(table).sort_values(["arm", "measure"], ignore_index=True)
    for seed in range(5):
        assert pool(table.sample(frac=1, random_state=seed)).sort_values(["arm", "measure"], ignore_index=True).equals(first)


def test_pool_refuses_half_a_score_and_an_unknown_column():
    half = scores()
    half.loc[1, "den"] = pd.NA
    with pytest.raises(ValueError, match="column 'den', clip '2': row 1: one of num and den is missing"): pool(half)
    with pytest.raises(ValueError, match="by='speaker'"): pool(scores(), by="speaker")
    with pytest.raises(ValueError, match="num and den"): pool(pd.DataFrame({"a": [1]}))


@pytest.mark.parametrize("column", ["num", "den"])
@pytest.mark.parametrize("bad", [-1, "1", "x", 1.5, True, float("inf"), [1], 2**60, -0.5])
def test_pool_refuses_what_is_no_count(bad, column):
    plain = scores().iloc[:3].set_axis([7, 8, 9])
    table = plain.astype({column: object})
    table.at[8, column] = bad
    with pytest.raises(BadTable, match=rf"column '{column}', clip '2': row 8: .*whole number from 0"): pool(table)
    if type(bad) in (int, float):
        with pytest.raises(BadTable, match="row 8"): pool(plain.astype({column: "float64"}).assign(**{column: [1, bad, 2]}))
    for good in (1, 1.0, np.int64(1), np.float64(1)):
        table.at[8, column] = good
        assert pool(table).loc[0, column] == plain[column].sum() + 1 - plain.loc[8, column]


def test_pool_refuses_what_is_no_table_of_counts():
    for bad in (None, [1], "num", 3, {"num": 1}):
        with pytest.raises(TypeError, match="scores=.*a table of scores, or the rows of error_counts"): pool(bad)
    rows = error_counts(["a b", "c"], ["a", "c"])
    for column in rows:
        with pytest.raises(BadTable, match=f"column '{column}': row 1: -1"): pool(rows.assign(**{column: [1, -1]}))
    with pytest.raises(ValueError, match="more than one column is named 'num'"): pool(pd.concat([scores(), scores()[["num"]]], axis=1))
    with pytest.raises(ValueError, match="num and den"): pool(rows.drop(columns="insertions"))


# ---- errors say labels and numbers as they are

LABELS = {"whole": [1, 2], "numpy": np.array([1, 2]), "fraction": np.array([0.5, 1.5]), "text": ["x", "y"],
          "several": pd.MultiIndex.from_tuples([(1, "x"), (2, "y")])}


@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_no_error_shows_a_numpy_type(labels):
    one = pd.Series(["a", "b"], index=labels)
    other = one.set_axis(one.index[::-1].map(lambda k: (k[0] + 9, k[1]) if isinstance(k, tuple) else k * 9))
    twice = pd.concat([one.iloc[:1]] * 2)
    odd = pd.Series(["a", np.float64(3)], index=one.index)
    for refs, hyps in ((one, other), (twice, one), (one, twice), (one, one.where(one != "b")), (one, odd)):
        with pytest.raises((TypeError, ValueError)) as e: error_counts(refs, hyps)
        assert "np." not in str(e.value) and "float64" not in str(e.value).replace("got float64", "")
    with pytest.raises(ValueError, match="1 label is on one side only"): error_counts(one, one.iloc[:1])


@pytest.mark.parametrize("value, says", [
    (3, "expected a text, got int"), (2.5, "got float"), (True, "got bool"), (b"a", "got bytes"), ({"a": 1}, "got dict"), (["a"], "got a list; join"),
    (None, "a missing text is not an empty one"), (float("nan"), "a missing text"), (pd.NA, "a missing text"), (pd.NaT, "a missing text")])
def test_what_is_no_text_is_told_as_what_it_is(value, says):
    odd, fine = ["a", value], ["a", "b"]
    for call in (lambda: error_counts(odd, fine), lambda: error_counts(fine, odd), lambda: wer(odd, fine)):
        with pytest.raises(TypeError, match=says) as e: call()
        assert ("missing" in str(e.value)) == ("missing" in says) and "[1]" in str(e.value)




# ---- memory

def test_a_large_corpus_needs_little_memory():
    "Above the inputs, by the kernel's high-water mark, which is set back before the call."
    code = """
import ctypes, random
from pathlib import Path
from amend_nb.measures import wer
wer(["a b"] * 400, ["a c"] * 400)
rng = random.Random(1)
words = [f"w{k}" for k in range(20000)]
refs = [" ".join(rng.choices(words, k=12)) for _ in range(50000)]
hyps = [r if k % 3 else r + " x" for k, r in enumerate(refs)]
ctypes.CDLL(None).malloc_trim(0)
Path("/proc/self/clear_refs").write_text("5")
def held(key): return int(next(x.split()[1] for x in Path("/proc/self/status").read_text().splitlines() if x.startswith(key)))
before = held("VmRSS")
print(wer(refs, hyps), (held("VmHWM") - before) / 1024)"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    rate, mb = map(float, run.stdout.split())
    assert rate == 16667 / 600000 and mb < 30


def test_threads_do_not_disturb_each_other():
    from concurrent.futures import ThreadPoolExecutor
    corpora = [corpus(800, seed) for seed in range(6)]
    expected = [error_counts(*c).to_numpy().tolist() for c in corpora]
    with ThreadPoolExecutor(6) as pool_:
        for _ in range(3): assert list(pool_.map(lambda c: error_counts(*c).to_numpy().tolist(), corpora)) == expected


@pytest.mark.parametrize(("module", "old", "new"), [
    (counts, "if spare < 2: return spare", "if spare < 4: return spare"),
    (counts, "grain = min(len(a), len(b)) + 1", "grain = 2"),
    (counts, "gone = (errors - swaps + n - m) // 2", "gone = (errors - swaps - n + m) // 2"),
    (counts, "(d - s + n - m) // 2, (d - s - n + m) // 2", "(d - s - n + m) // 2, (d - s + n - m) // 2"),
    (counts, "i, j = i + (tag != \"insert\"), j", "i, j = i + 1, j"),
    (pairs, "ends[1:] -= ends[:-1] + 1", "ends[1:] -= ends[:-1]"),
    (pairs, "found = found + 1 if", "found = found * 0 + 1 if"),
    (pairs, "ref_len[rows] = lengths[2*k:], lengths[:k]", "ref_len[rows] = lengths[2*k:], lengths[k:2*k]"),
    (pairs, "codes[:k], codes[k:2*k]", "codes[k:2*k], codes[:k]"),
    (pairs, "hyp_len = ref_len.copy()", "hyp_len = ref_len")])
def test_a_mutant_gives_other_counts(module, old, new, monkeypatch):
    "The comparison with `align` notices a dropped sign, a shifted place, words mixed up."
    changed, made = mutant(module, (old, new)), counts
    if module is counts: made = changed
    else:
        for name in ("_chunks", "_Pairs", "_rules"): monkeypatch.setattr(counts, name, getattr(changed, name))
    changed.__dict__["_FEW"] = 0
    refs, hyps = corpus(300, 8)
    rng = random.Random(9)
    for side in (refs, hyps): side += [" ".join(rng.choices("abc", k=rng.randrange(7))) for _ in range(400)]   # full of ties
    def right(ties):
        rows = made.error_counts(refs, hyps, ties=ties).to_numpy().tolist() == by_align(refs, hyps, ties=ties)
        total = list(made._total(made.prepare(refs, hyps), ties)) == [sum(c) for c in zip(*by_align(refs, hyps, ties=ties), strict=True)][:4]
        return rows and total and made.edit_table(refs, hyps, ties=ties).equals(edit_table(refs, hyps, ties=ties))
    assert not all(map(right, ("jiwer", "hits", "diagonal")))


def test_distances_take_a_hint_without_harm():
    rng = random.Random(2)
    ref = [[rng.randrange(9) for _ in range(400)] for _ in range(4)]
    hyp = [[rng.randrange(9) for _ in range(300)], ref[1], ref[2][::-1], []]
    plain = list(map(counts.Levenshtein.distance, ref, hyp))
    assert list(counts._distances(ref, hyp, 400)) == list(counts._distances(ref, hyp, 0)) == plain
