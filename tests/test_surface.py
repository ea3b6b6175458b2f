"""Marks and capitals: what counts as one, laws against a count by construction, and figures that no word error enters."""
from collections import Counter

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.surface as subject
from amend_nb import (
    CASE_KINDS,
    PUNCTUATION,
    align,
    case_errors,
    compare_arms,
    figures,
    find_case_errors,
    measure_scores,
    punctuation,
)
from amend_nb.tables import Tables

SUMS = ["right", "missed", "added"]


def sums(ref, hyp, **more): return {m: row for m, row in punctuation(ref, hyp, **more)[SUMS].T.to_dict("list").items() if m != "all"}


@pytest.mark.parametrize("text, marks", [
    ("Hello, world.", ",."), ("Wait... what?!", "….?!"[0:1] + "?!"), ("No…", "…"), ("«Hola», dijo", '"",'),
    ("¿Qué? ¡No!", "¿?¡!"), ("it cost 3.50, or 1,000.", ",."),
    ("at 10:30: now", ":"), ("well-known it's", ""), ("one - two", "—"), ("one – two—three", "——"),
    ("one -- two", "—"), ("- an item", ""), ("a\n- b\n- c", ""), ("-5 degrees", ""),
    ("你好，世界。", ",."), ("(a) [b]", "()()"), ("so!!! yes???", "!?"), ("U.S. law", "."), ("a.b.c", ""),
    ("e-mail: x@y.com.", ":."), ("yes,no", ","), ("他说：好", ":"), ("", ""), ("   ", ""), ("...", "…"),
    ("“Yes,” he said; “no.”", '","' + ';".' + '"'), ("C++, C#.", ",."), ("5% of $3!", "!"), ("O'Brien's", "")])
def test_what_counts_as_a_mark(text, marks):
    wanted = Counter(marks)
    assert {m: row[0] for m, row in sums(text, text).items()} == wanted
    assert all(row[1:] == [0, 0] for row in sums(text, text).values())
    bare = "".join(c if c.isalnum() or c.isspace() else "" for c in text)
    if any(c.isalnum() for c in text) and not any(c in text for c in "-.:'–—，@"): assert {m: row[1] for m, row in sums(text, bare).items()} == wanted


@pytest.mark.parametrize("ref, hyp, due", [
    ("Yes, I know.", "Yes I know.", {",": [0, 1, 0], ".": [1, 0, 0]}), ("Yes, I know.", "Yes I, know", {",": [0, 1, 1], ".": [0, 1, 0]}),
    ("go there now.", "go there.", {".": [1, 0, 0]}), ("go there now.", "", {".": [0, 1, 0]}),
    ("", "go.", {".": [0, 0, 1]}), ("is it? yes", "is it. yes", {"?": [0, 1, 0], ".": [0, 0, 1]}),
    ("red, green, blue.", "red, grin, blue.", {",": [2, 0, 0], ".": [1, 0, 0]}),
    ("a. b. c.", "a b c", {".": [0, 3, 0]}), ("¿Vienes?", "Vienes?", {"?": [1, 0, 0], "¿": [0, 1, 0]})])
@pytest.mark.parametrize("norm", ["amend", "agentic", None])
def test_marks_between_aligned_words(ref, hyp, due, norm): assert sums(ref, hyp, norm=norm) == due


def test_figures_are_missing_where_undefined():
    table = punctuation(["a, b"], ["a b?"])
    assert table.loc[",", "recall"] == 0 and pd.isna(table.loc[",", "precision"]) and pd.isna(table.loc[",", "f1"])
    assert table.loc["?", "precision"] == 0 and pd.isna(table.loc["?", "recall"]) and pd.isna(table.loc["all", "f1"])
    assert punctuation("a", "a").loc["all", ["recall", "precision", "f1"]].isna().all() and punctuation([], []).loc["all", SUMS].tolist() == [0, 0, 0]
    assert punctuation("a, b.", "a, b").loc["all", "f1"] == pytest.approx(2 / 3)


WORDS = st.lists(st.tuples(st.sampled_from(["so", "it", "is", "we", "go"]), st.sampled_from(["", ",", ".", "?", "!",
    ";"]), st.sampled_from(["", ",", ".", "?", "!", ";"])),
                 min_size=1, max_size=9)


def marks_are_counted_once(module):
    @examples(500)
    @given(WORDS, st.sampled_from(["amend", "agentic", None]))
    def law(words, norm):
        ref, hyp = (" ".join(w[0] + w[k] for w in words) for k in (1, 2))
        made = module.punctuation(ref, hyp, norm)
        assert made.loc["all", SUMS].tolist() == made[SUMS].iloc[:-1].sum().tolist()
        for mark in ",.?!;":
            both, was, now = (sum(map(f, words)) for f in (
                lambda w, m=mark: w[1] == w[2] == m, lambda w, m=mark: w[1] == m, lambda w, m=mark: w[2] == m))
            got = made.loc[mark, SUMS].tolist() if mark in made.index else [0, 0, 0]
            if norm: assert got == [both, was - both, now - both]
            assert [got[0] + got[1], got[0] + got[2]] == [was, now]
        back = module.punctuation(hyp, ref, norm)
        if norm: assert back.loc["all", SUMS].tolist() == [made.loc["all", c] for c in ("right", "added", "missed")]
    law()


def test_marks_are_counted_once():
    marks_are_counted_once(subject)
    for change in (("min(was[mark], now[mark])", "was[mark]"), ("in pairwise(ends):", "in [*pairwise(ends)][:-1]:"),
    ("((0, 0), (0, 0)), *(", "*("), ("now[mark] - both)", "now[mark])")):
        assert breaks(marks_are_counted_once, mutant(subject, change)), change
    assert breaks(marks_are_counted_once, mutant(subject, ('in ("equal", "substitute")', 'in ("substitute",)')))


def every_mark_of_any_text_is_in_one_stretch(module):
    @examples(500)
    @given(TEXTS, TEXTS, st.sampled_from([None, "amend", "agentic", "lecture-es"]))
    def law(ref, hyp, norm):
        made = module.punctuation(align(ref, hyp, norm)).drop(index="all")
        for text, other in ((ref, "missed"), (hyp, "added")):
            alone = module.punctuation(text, "").drop(index="all")["missed"]
            got = made["right"] + made[other]
            assert got[got > 0].to_dict() == alone.to_dict()
    law()


@pytest.mark.filterwarnings("ignore")
def test_every_mark_of_any_text_is_in_one_stretch():
    every_mark_of_any_text_is_in_one_stretch(subject)
    assert breaks(every_mark_of_any_text_is_in_one_stretch, mutant(subject, ("ref[0], ref2[0]))", "ref[1], ref2[0]))")))
    assert breaks(every_mark_of_any_text_is_in_one_stretch, mutant(subject, ("was[mark] - both", "max(was[mark] - both, 1)")))


@examples(500)
@given(TEXTS, TEXTS, st.sampled_from(["amend", "agentic", None, "lecture-es"]))
@pytest.mark.filterwarnings("ignore")
def test_any_text_has_its_figures(ref, hyp, norm):
    same, table = punctuation(ref, ref, norm), punctuation(ref, hyp, norm)
    assert same[["missed", "added"]].to_numpy().sum() == 0 and set(table.index) <= {*PUNCTUATION, "all"}
    assert case_errors(ref, ref, norm)["errors"].sum() == 0
    cased = case_errors(ref, hyp, norm)
    assert cased.index.tolist() == [*CASE_KINDS, "all"] and cased.loc["all", "errors"] == cased["errors"].iloc[:-1].sum() <= cased.loc["all", "words"]
    for rate in (*table["recall"].dropna(), *table["precision"].dropna(), *cased["rate"].dropna()): assert 0 <= rate <= 1


# ---- capitals

@pytest.mark.parametrize("ref, hyp, due", [
    ("Go home. The end", "go home. the end", ["opening", "opening"]), ("see Maria", "see maria", ["lost"]),
    ("see maria", "see Maria", ["added"]), ("an iPhone", "an Iphone", ["inside"]),
    ("an iPhone", "an IPHONE", ["inside"]), ("in 2020 OK", "in 2020 ok", ["inside"]),
    ("é É", "É é", ["opening", "lost"]), ("one two", "one three", []), ("Go, go", "Go, go", []),
    ("go there. now", "go there Now", ["opening"]), ("José", "JOSE\u0301", ["inside"]),
    ("a A", "A a", ["opening", "lost"]), ("Maria's car", "x maria's car", ["opening"]),
    ("he said: \"Go\"", "he said: \"go\"", ["lost"])])
def test_kinds_of_capitals(ref, hyp, due):
    assert [e.kind for e in find_case_errors(align(ref, hyp, "amend"))] == due
    assert case_errors(ref, hyp).loc["all", "errors"] == len(due)
    for e in find_case_errors(align(ref, hyp, "amend")): assert e.ref != e.hyp and e.ref.lower() == e.hyp.lower()


CASED = st.lists(st.tuples(st.sampled_from(["so", "it", "maria", "ok", "7"]), st.sampled_from([str.lower, str.upper,
    str.title]), st.sampled_from([str.lower, str.upper, str.title])), max_size=8)


def capitals_are_counted_once(module):
    @examples(500)
    @given(CASED)
    def law(words):
        ref, hyp = (" ".join(w[k](w[0]) for w in words) for k in (1, 2))
        table = module.case_errors(ref, hyp)
        assert table.loc["all", "words"] == sum(w.isalpha() for w, _, _ in words)
        assert table.loc["all", "errors"] == sum(a(w) != b(w) for w, a, b in words)
        inside = [(w, a, b) for w, a, b in words if a(w)[1:] != b(w)[1:]]
        assert table.loc["inside", "errors"] == len(inside)
        back = module.case_errors(hyp, ref)
        assert [back.loc[k, "errors"] for k in CASE_KINDS] == [table.loc[k, "errors"] for k in ("opening", "added", "lost", "inside")]
    law()


def test_capitals_are_counted_once():
    capitals_are_counted_once(subject)
    for change in (("if r[1:] != h[1:]: return", "if r[0] == h[0]: return"),
    ('"lost" if r[0] != r[0].lower()', '"lost" if r[0] == r[0].lower() or True'),
                   ("r.lower() == r.upper() or", ""), ("if r != h: found", "if r[0] != h[0]: found")):
        assert breaks(capitals_are_counted_once, mutant(subject, change)), change


def test_words_in_groups_are_asked_once():
    assert case_errors("Pros 1.250", "pros 1.250", "lecture-pt").loc["all", ["errors", "words"]].tolist() == [1, 1]


# ---- what may be given, and studies

@pytest.mark.parametrize("call", [punctuation, case_errors])
@pytest.mark.parametrize("refs, hyps, error, says", [
    (["a", None], ["a", "b"], TypeError, r"refs\[1\]=None"), (["a"], ["a", "b"], ValueError, "pair up"),
    ("a", None, TypeError, "hypotheses are needed"),
    (["a"], None, TypeError, "hypotheses are needed"), ("a", ["a"], TypeError, "list of texts"),
    (align("a", "a", unit="char"), None, ValueError, "unit is 'char'")])
def test_what_is_refused(call, refs, hyps, error, says):
    with pytest.raises(error, match=says): call(refs, hyps)


def test_alignments_texts_and_studies_agree():
    refs, hyps = ["Yes, it is.", "Go on"], ["yes it is.", "go, on"]
    made = [align(r, h, "amend") for r, h in zip(refs, hyps, strict=True)]
    study = Tables.from_wide(pd.DataFrame({"reference": refs, "x": hyps}), arms=["x"])
    for call in (punctuation, case_errors):
        for other in (made, study, tuple(made)): assert call(other).equals(call(refs, hyps))
    assert punctuation(made[0]).equals(punctuation(refs[0], hyps[0]))


def test_the_measures_are_the_same_counts_and_no_word_error_is_among_them():
    refs, hyps = ["Yes, it is.", "Go on!", "no Mark"], ["yes it is.", "go, on", "no mark"]
    study = Tables.from_wide(pd.DataFrame({"reference": refs, "x": hyps, "y": refs}), arms=["x", "y"])
    names = ["punctuation_recall", "punctuation_precision", "punctuation_f1", "case_errors", "wer"]
    shown = figures(measure_scores(study, names)).set_index(["arm", "measure", "item"])["rate"]
    table, cased = punctuation(refs, hyps), case_errors(refs, hyps)
    for item, mark in [("", "all"), *((m, m) for m in table.index[:-1])]:
        for name in ("recall", "precision", "f1"):
            due, got = table.loc[mark, name], shown.get(("x", f"punctuation_{name}", item))
            assert (got is None or pd.isna(got)) if pd.isna(due) else got == due
    for item, kind in [("", "all"), *((k, k) for k in CASE_KINDS)]: assert shown["x", "case_errors", item] == cased.loc[kind, "rate"]
    assert shown["x", "wer", ""] == shown["y", "wer", ""] == 0 == shown["y", "case_errors", ""] and shown["y", "punctuation_f1", ""] == 1


MARKED = st.lists(st.sampled_from(["so", "so,", "so.", "(so)", "¿so?"]), max_size=3).map(" ".join)


def every_arm_is_told_of_every_mark(module):
    @examples(500)
    @given(st.lists(st.tuples(MARKED, MARKED, MARKED), min_size=1, max_size=4), st.sets(st.integers(0, 3)))
    def law(texts, gone):
        rows = [(str(n), r, arm, h) for n, (r, *hyps) in enumerate(texts) for arm, h in zip("xy", hyps, strict=True) if arm == "x" or n not in gone]
        study = Tables.from_long(pd.DataFrame(rows, columns=["id", "reference", "engine", "hypothesis"]))
        names = ["punctuation_recall", "punctuation_precision"]
        made = module._mark_measures(study, names, "reference", "jiwer")
        keys = {arm: set(part[["clip", "measure", "item"]].itertuples(index=False, name=None)) for arm, part in made.groupby("arm")}
        drafted = {n for n, _, arm, _ in rows if arm == "y"}
        assert {k for k in keys["x"] if k[0] in drafted} == keys.get("y", set())
        for _, r, arm, _ in rows[:1]:
            own = made[made["clip"].eq("0") & made["arm"].eq(arm) & made["measure"].eq(names[0])].set_index("item")["den"]
            assert own[own.index != ""].sum() == own[""] == sum(r.count(c) for c in ",.()¿?")
    law()


def test_every_arm_is_told_of_every_mark():
    every_arm_is_told_of_every_mark(subject)
    assert breaks(every_arm_is_told_of_every_mark, mutant(subject, ("_mark_rows(counts, marks[clip], names)", "_mark_rows(counts, counts, names)")))


def test_a_mark_that_one_arm_made_up_is_in_the_comparison():
    df = pd.DataFrame({"reference": ["yes, it is", "go on"], "x": ["yes, it is", "go, on"], "y": ["yes, it is", "go on"]})
    made = compare_arms(measure_scores(Tables.from_wide(df, arms=["x", "y"]), ["punctuation_precision"]), "x", "y").get(item=",")
    assert (made.difference, made.clips, made.only_old, made.only_new) == (0.5, 2, (), ())
