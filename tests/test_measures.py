"""Measures: jiwer's values, the peers' recorded ones, and what follows from counts that are summed first."""
import csv
import inspect
import json
import pickle
import random
import subprocess
import sys
import warnings
from collections import Counter
from itertools import product
from pathlib import Path

import jiwer
import pandas as pd
import peers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.measures as subject
import amend_nb.spacing as spacing
from amend_nb import (
    Counts,
    Measure,
    Normalizer,
    align,
    cer,
    compound_counts,
    confusions,
    edit_table,
    error_counts,
    figures,
    get_measure,
    get_normalizer,
    list_measures,
    list_normalizers,
    measure_scores,
    mer,
    norm_effects,
    pool,
    prepare,
    register_measure,
    ser,
    spacing_edits,
    wer,
    wil,
    wip,
    without_control_tokens,
)
from amend_nb.steps import SubStep
from amend_nb.tables import Tables

ROOT = Path(__file__).resolve().parents[1]
RATES = {"wer": wer, "mer": mer, "wil": wil, "wip": wip, "cer": cer}
WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", "é", "打开"]), max_size=8).map(" ".join)
CORPUS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)


def jiwers(refs, hyps):
    "jiwer's own values."
    made = jiwer.process_words(refs, hyps)
    return {k: getattr(made, k) for k in ("wer", "mer", "wil", "wip")} | {"cer": jiwer.process_characters(refs, hyps).cer}


@pytest.mark.parametrize("name", RATES)
@examples(500)
@given(CORPUS)
def test_rates_are_jiwers(name, data):
    "For one text and for many, empty references too where that is asked for; equal, not nearly equal."
    refs, hyps = map(list, zip(*data, strict=True))
    assert RATES[name](refs, hyps, empty="jiwer") == jiwers(refs, hyps)[name]
    assert RATES[name](refs[0], hyps[0], empty="jiwer") == jiwers(refs[0], hyps[0])[name]
    assert RATES[name](prepare(refs, hyps, unit="char" if name == "cer" else "word"), empty="jiwer") == jiwers(refs, hyps)[name]
    if any(r.strip() for r in refs): assert RATES[name](refs, hyps) == jiwers(refs, hyps)[name]
    else: assert RATES[name](refs, hyps) is None


@examples(500)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from(["jiwer", "diagonal", "hits"]),
       st.sampled_from([None, "amend", "agentic"]))
def test_rates_are_those_of_summed_alignments(data, ties, norm):
    refs, hyps = map(list, zip(*data, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        c = sum((align(r, h, norm, ties=ties).counts for r, h in data), Counts())
        assert wer(refs, hyps, norm) == c.rate
        assert ser(refs, hyps, norm) == sum(align(r, h, norm).counts.errors > 0 for r, h in data) / len(data)
        if c.reference_length:
            assert mer(refs, hyps, norm, ties=ties) == c.errors / (c.errors + c.hits)
            assert wip(refs, hyps, norm, ties=ties) == (c.hits / c.reference_length * (c.hits / c.hypothesis_length) if c.hits else 0)
            assert wil(refs, hyps, norm, ties=ties) == 1 - wip(refs, hyps, norm, ties=ties)


@examples(500)
@given(CORPUS)
def test_order_and_cut_change_nothing(data):
    "Swapping pairs, and adding up the counts of two halves, gives the same figures."
    refs, hyps = map(list, zip(*data, strict=True))
    for f in (*RATES.values(), ser): assert f(refs, hyps) == f(refs[::-1], hyps[::-1])
    k = len(refs) // 2
    parts = [pool(error_counts(r, h)) for r, h in ((refs[:k], hyps[:k]), (refs[k:], hyps[k:])) if r]
    errors, words = (sum(int(p[c].iloc[0]) for p in parts for c in cs) for cs in
                     (["substitutions", "deletions", "insertions"], ["reference_length"]))
    assert wer(refs, hyps) == (errors / words if words else None)


# ---- what peers recorded

def test_jiwers_own_values(shared):
    seen = Counter()
    for n, r in peers.rows(shared, "jiwer"):
        refs, hyps = r["reference"], r["hypothesis"]
        if r["transform"] != "default": refs, hyps = (" ".join([t] if isinstance(t, str) else t) for t in (refs, hyps))
        if isinstance(refs, str) != isinstance(hyps, str): refs, hyps = ([t] if isinstance(t, str) else t for t in (refs, hyps))
        if "raises" in r:
            call = {"process_words": wer}.get(r["fn"]) or RATES[r["fn"]]
            with pytest.raises(ValueError, match="reference has 4 texts, hypothesis has 1"): call(refs, hyps)
        elif "value" in r: assert RATES[r["fn"]](refs, hyps, empty="jiwer") == pytest.approx(r["value"], abs=1e-12), n
        else:
            for name in ("cer",) if r["fn"] == "process_characters" else ("wer", "mer", "wil", "wip"):
                assert RATES[name](refs, hyps, empty="jiwer") == r[name], (n, name)
        seen[r["fn"], "raises" in r] += 1
    assert sum(seen.values()) == 119 and sum(v for (_, raises), v in seen.items() if raises) == 6


def test_agwers_recorded_calls(shared):
    seen = 0
    for n, r in peers.rows(shared, "agwer_recorded"):
        if r["fn"] not in {**RATES, "ser": ser}: continue
        options = {"norm": "agentic"} if r["kwargs"] else {}
        if "raises" in r:
            with pytest.raises(ValueError, match="must pair up"): RATES[r["fn"]](*r["args"], **options)
        else: assert RATES[r["fn"]](*r["args"], empty="jiwer", **options) == pytest.approx(r["result"], abs=1e-12), n
        seen += 1
    assert seen == 44


def test_agwers_alignment_fixture(shared):
    "Twenty-four triples on which agwer was held to another implementation: ours gives jiwer's counts on both of their pairs."
    cases = json.loads((shared / "data/peers/agwer_fixture_alignment_equiv.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) == 24
    for ref, *hyps in cases:
        for hyp in hyps:
            c, j = align(ref, hyp).counts, jiwer.process_words(ref, hyp)
            assert tuple(c) == (j.hits, j.substitutions, j.deletions, j.insertions)


def test_meetevals_plain_wer(shared):
    seen = 0
    for _, r in peers.rows(shared, "meeteval_examples", metric="wer"):
        skip = 5 if r["args"][1].endswith(".stm") else 1   # an stm line: recording, channel, speaker, start, end, words
        ref, hyp = ([line.split(maxsplit=skip)[-1] for line in r["files"][r["args"][k]].splitlines() if line.strip()] for k in (1, 3))
        total = pool(error_counts(ref, hyp, ties="hits"))
        assert total[["insertions", "deletions", "substitutions", "reference_length"]].iloc[0].tolist() == \
            [r["average"][k] for k in ("insertions", "deletions", "substitutions", "length")]
        assert wer(ref, hyp) == r["average"]["error_rate"]
        seen += 1
    assert seen == 2


def test_watson(shared):
    with (shared / "data/en_watson_drug_names/pairs.csv").open(encoding="utf-8", newline="") as f: rows = list(csv.DictReader(f))
    said, heard = ([r[k] for r in rows] for k in ("clean_reference", "clean_hypothesis"))
    counts = error_counts(said, heard)
    for name in Counts._fields: assert counts[name].tolist() == [int(r[name]) for r in rows]
    for r in rows:
        for name in ("wer", "mer", "wil"):
            assert RATES[name](r["clean_reference"], r["clean_hypothesis"]) == pytest.approx(float(r[f"{name}_pct"]) / 100)
    values = json.loads((shared / "data/en_watson_drug_names/expected.json").read_text(encoding="utf-8"))["source_values"]
    assert counts["reference_length"].sum() == values["Total Words"] == 31
    assert counts[["substitutions", "deletions", "insertions"]].to_numpy().sum() == values["Total Word Errors"] == 6
    assert round(wer(said, heard), 4) == values["Word Error Rate"] and ser(said, heard) == values["Sentence Error Rate"] == 0.75


@pytest.mark.parametrize(("norm", "key"), [("none", "raw_whitespace"), ("whisper-english", "whisper_english_normalizer")])
def test_voxpopuli(shared, norm, key):
    "All rates of five recognisers, four clips with an empty reference among them."
    folder = shared / "data/en_voxpopuli_5engines"
    with (folder / "pairs.csv").open(encoding="utf-8", newline="") as f: pairs = list(csv.DictReader(f))
    for engine, values in json.loads((folder / "expected.json").read_text(encoding="utf-8"))["peer_measured"]["values"].items():
        refs, hyps = ([r[k] for r in pairs if r["engine"] == engine] for k in ("reference", "hypothesis"))
        for name in RATES.keys() - {"wip"}: assert RATES[name](refs, hyps, norm) == values[key][name], (engine, name)
        total = pool(error_counts(refs, hyps, norm, unit="char")).iloc[0]
        for kind in Counts._fields: assert total[kind] == values[key]["char_" + kind]


# ---- reports

def test_empty_texts():
    assert [wer(r, h) for r, h in (("", ""), ("", "peaceful silence"), ("hello world", ""))] == [None, None, 1]
    assert wer("", "", empty="jiwer") == 0 and wer(["", "hello world"], ["peaceful silence", "hello world"]) == 1.0
    assert wer([], []) is None and ser([], []) is None and cer(" ", "a") is None and wer(" \u200b ", "a") is None


def test_a_corpus_figure_is_not_the_mean_of_its_rows():
    refs, hyps = ["yes", "the quick brown fox jumps over the lazy dog"], ["no", "the quick brown fox jumps over the lazy dog"]
    assert wer(refs, hyps) == 0.1 and sum(map(wer, refs, hyps)) / 2 == 0.5


def test_spaces_count_and_the_reference_divides():
    a, b = "\n\nwe are contributing", "we are contri-buting"
    assert (cer(a, b), cer(b, a), cer("the cat sat on the mat", "the cat sit on the")) == (1 / 19, 1 / 20, 5 / 22)
    assert cer("a  b", "a b") == 1 / 4 and cer("a  b", "a b", norm="literal") == 0


def test_a_rate_above_one_is_not_clipped():
    assert wer("ok", "ok ok ok ok") == 3.0 and mer("ok", "ok ok ok ok") == 0.75


@pytest.mark.parametrize("name", [*RATES, "ser"])
def test_mixed_shapes_and_lengths_are_refused(name):
    call = {**RATES, "ser": ser}[name]
    with pytest.raises(ValueError, match="reference has 2 texts, hypothesis has 1"): call(["a b", "c"], ["a b"])
    with pytest.raises(TypeError, match=r"hypothesis\[1\]=None"): call(["a b", "c"], ["a b", None])
    for ref, hyp in (("a b c d", ["a b", "c d"]), (["a b"], "a b")):
        with pytest.raises(TypeError, match="text"): call(ref, hyp)
    for bad in (None, float("nan"), 3, b"a"):
        for ref, hyp in (("a", bad), (bad, "a"), (["a"], [bad]), ([bad], ["a"])):
            with pytest.raises(TypeError): call(ref, hyp)


def test_marks_that_are_no_words_are_told():
    with pytest.warns(UserWarning, match="control token"): assert wer("turn on the light", "turn on the light </s> ⁇") == 0.5
    assert wer("turn on the light", "turn on the light </s> ⁇", without_control_tokens()) == 0
    with pytest.warns(UserWarning, match="taken out"):
        assert wer("the minister said [...] and left", "the minister said the price is ten and left") == 4 / 6
    with pytest.warns(UserWarning, match="unit='mixed'"): assert wer("今天天气很好我们一起去公园", "今天天气很好我们一起去公司") == 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wer("今天天气很好我们一起去公园", "今天天气很好我们一起去公司", unit="mixed") == 1 / 13


def test_a_long_text():
    ref = "word " * 20000
    assert wer(ref, " ".join("wird" if n % 100 == 99 else "word" for n in range(20000))) == 0.01


@pytest.mark.parametrize("wrong", [{"empty": "zero"}, {"space": "tab"}, {"norm": "nothing"}, {"ties": "best"}])
def test_an_unknown_rule_is_refused(wrong):
    for ref, hyp in (("a", "a"), (["a"], ["a"]), ("", "")):
        with pytest.raises(ValueError, match=next(iter(wrong.values()))): mer(ref, hyp, **wrong)


# ---- public reports, from the file of cases

def counted(case, **options): return align(case["input"]["ref"], case["input"]["hyp"], **options)


def report_M01(case):
    refs, hyps = map(list, zip(*case["input"]["pairs"], strict=True))
    rows = error_counts(refs, hyps)
    assert rows[["insertions", "deletions"]].to_numpy().tolist() == [[0, 0], [2, 0], [0, 2]]
    assert [wer(r, h) for r, h in zip(refs, hyps, strict=True)] == [None, None, 1.0] and wer(refs[0], hyps[0], empty="jiwer") == 0
    assert wer(refs, hyps) == 4 / 2 and pool(rows)["errors_on_empty"].tolist() == [2]


def report_M03(case):
    refs, hyps = case["input"]["refs"], case["input"]["hyps"]
    assert wer(refs, hyps) == 0.1 and sum(map(wer, refs, hyps)) / 2 == 0.5


def report_M06(case): assert [cer(*pair) for pair in case["input"]["pairs"]] == [1 / 19, 1 / 20, 5 / 22]


def report_M08(case):
    for ties in ("jiwer", "diagonal", "hits"):
        a = counted(case, ties=ties)
        assert a.counts == Counts(4, 0, 2, 0) and len(a.ref_tokens) == 6
        assert [t.text for op in a.ops if op.tag == "delete" for t in a.ref_tokens[op.ref_start:op.ref_end]] == ["<eps>", "*"]
        assert "<eps>" in repr(a) and "·" in repr(a) and "·" not in a.reference   # the mark of a gap is none of the texts' own


def report_M10(case):
    ref, hyp = case["input"]["ref"], case["input"]["hyp"]
    assert align(ref, hyp).counts.insertions == 3 and wer(ref, hyp) == 3.0 and mer(ref, hyp) == 0.75


def report_M11(case):
    for ties in ("jiwer", "diagonal", "hits"):
        a = counted(case, ties=ties)
        inserted = [op for op in a.ops if op.tag == "insert"]
        assert a.counts == Counts(9, 0, 0, 3) and len(inserted) == 1 and sorted(
            t.text for t in a.hyp_tokens[inserted[0].hyp_start:inserted[0].hyp_end]) == ["and", "set", "the"]


def report_M12(case):
    refs, hyps, mixed = (case["input"][k] for k in ("refs", "hyps", "mixed"))
    for call in (*RATES.values(), ser, error_counts, prepare, confusions, compound_counts):
        with pytest.raises(ValueError, match=r"(refs|reference) has 2 texts, (hyps|hypothesis) has 1"): call(refs, hyps)
        with pytest.raises(TypeError): call(mixed["ref"], mixed["hyp"])


def report_M13(case):
    with pytest.warns(UserWarning, match="taken out"): assert counted_errors(case) == 4


def report_M14(case):
    with pytest.warns(UserWarning, match="control token"): assert wer(case["input"]["ref"], case["input"]["hyp"]) == 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert wer(case["input"]["ref"], case["input"]["hyp"], without_control_tokens()) == 0


def counted_errors(case):
    "Errors beside the mark itself, which is a word of the reference as any other."
    counts = error_counts([case["input"]["ref"]], [case["input"]["hyp"]]).iloc[0]
    return counts["insertions"] + counts["substitutions"]


def test_public_reports(shared):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").strip().split("\n")
    cases = {c["id"]: c for c in map(json.loads, lines) if c["area"] in ("metrics", "align")}
    checks = {name.removeprefix("report_"): check for name, check in globals().items() if name.startswith("report_")}
    assert cases.keys() == checks.keys() and len(cases) == 9
    for name, check in checks.items(): check(cases[name])


# ---- the registry

def room_of(name):
    m = get_measure(name)
    return (m.source or m.value).__module__


@pytest.fixture
def study():
    table = pd.DataFrame({"id": ["1", "2", "3", "4"], "reference": ["a b c", "d", "", "e f"], "spoken": ["a um b c", "d", "", "e f"],
                          "x": ["a b", "d", "uh", "f e"], "y": ["a b c", "", "", "e f g"], "group": ["p", "q", "q", "p"]})
    return Tables.from_wide(table, arms=["x", "y"], spoken="spoken", clip="id", norm="none")


def test_scores_hold_what_the_functions_give(study):
    own = [m for m in list_measures()["measure"] if room_of(m) == subject.__name__]  # rooms above add measures of what is not here
    scores = measure_scores(study, own, ties="hits")
    assert list(scores) == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"]
    assert not scores.duplicated(["clip", "arm", "measure", "item", "basis", "repeat"]).any()
    made = figures(scores).set_index(["arm", "measure"])["rate"]
    for arm in ("x", "y"):
        refs, hyps = study.clips["reference"].tolist(), study.drafts.loc[study.drafts["arm"] == arm, "text"].tolist()
        for name in ("wer", "cer"): assert made[arm, name] == RATES[name](refs, hyps)
        for name in ("mer", "wip", "wil"): assert made[arm, name] == pytest.approx(RATES[name](refs, hyps, ties="hits"), abs=1e-15)
        assert made[arm, "ser"] == ser(refs, hyps)
        assert made[arm, "wer"] == pytest.approx(sum(made[arm, k] for k in ("substitutions", "deletions", "insertions")))
    empty = scores[(scores["clip"] == "3") & (scores["measure"] == "wer")]
    assert empty["note"].tolist() == ["empty reference"] * 2 and empty["den"].tolist() == [0, 0]


def test_a_derived_measure_of_a_slice_is_that_of_the_slice(study):
    scores = measure_scores(study, "wil").merge(study.clips[["clip", "group"]], on="clip")
    made = figures(scores, "wil", by="group").set_index(["group", "arm"])["rate"]
    assert made["p", "x"] == wil(["a b c", "e f"], ["a b", "f e"]) and made["q", "y"] == wil(["d", ""], ["", ""])


def test_against_what_is_said(study):
    scores = measure_scores(study, "wer", against="spoken")
    assert scores["basis"].str.contains("word against spoken").all()
    assert figures(scores).set_index("arm").loc["y", "num"] == 3
    assert figures(measure_scores(study, "wer")).set_index("arm").loc["y", "num"] == 2


def test_null_parts_give_a_null_figure():
    study = Tables.from_wide(pd.DataFrame({"reference": [""], "x": ["uh"]}), arms=["x"], norm="none")
    made = figures(measure_scores(study, ["wer", "wil", "wip"]), ["wer", "wil", "wip"]).set_index("measure")
    assert made["rate"].isna().all() and made.loc["wer", "num"] == 1


def test_registering(monkeypatch):
    monkeypatch.setattr(subject, "MEASURES", dict(subject.MEASURES))
    twice = Measure("twice", "double the error rate", parts=("wer",), value=lambda w: 2 * w[0] / w[1] if w[1] else None)
    assert register_measure(twice) is register_measure(twice) is get_measure("twice")
    study = Tables.from_wide(pd.DataFrame({"reference": ["a b"], "x": ["a"]}), arms=["x"], norm="none")
    assert figures(measure_scores(study, "twice"), "twice")["rate"].tolist() == [1.0]
    for bad, said in ((Measure("wer", "another", value=lambda: 1), "registered already"), (Measure("new", "nothing"), "give a source"),
                      (Measure("new", "of a derived one", parts=("wil",), value=lambda w: w), "base measure"),
                      (Measure("new", "of what is not there", parts=("wur",), value=lambda w: w), "not known")):
        with pytest.raises(ValueError, match=said): register_measure(bad)
    with pytest.raises(ValueError, match="known: wer"): get_measure("accuracy")
    with pytest.raises(ValueError, match="at least one"): measure_scores(study, [])


def test_a_cell_that_is_run_again_registers_again(monkeypatch):
    monkeypatch.setattr(subject, "MEASURES", dict(subject.MEASURES))
    def cell(n, body="made_source"):
        scope = {}
        exec(f"def {body}(study, names, against, ties): return {n}", scope)
        return register_measure(Measure("made", "by a cell", source=scope[body]))
    assert cell(1) != cell(2) == get_measure("made") and get_measure("made").source(None, None, None, None) == 2
    with pytest.raises(ValueError, match="registered already"): cell(3, "another_source")


@pytest.mark.parametrize("against", ["reference", "spoken"])
@pytest.mark.parametrize("name", [*RATES, "ser"])
def test_a_rate_of_a_study_is_a_row_an_arm(study, name, against):
    "Arms are never added up; the row says what was compared; a prepared study is asked in the same way."
    call = {**RATES, "ser": ser}[name]
    unit = "char" if name == "cer" else "word"
    made = call(study, against=against)
    assert made["arm"].tolist() == ["x", "y"] and set(made["against"]) == {against} and set(made["norm"]) == {get_normalizer("none").id}
    for arm, rate in zip(made["arm"], made[name], strict=True):
        hyps = study.drafts.loc[study.drafts["arm"] == arm, "text"].tolist()
        assert rate == call(study.clips[against].tolist(), hyps)
    assert call(prepare(study, unit=unit, against=against)).equals(made)
    if name != "cer": assert call(study, against=against, compounds=True)["spacing"].tolist() == [0, 0]
    assert call(study, norm="amend")["norm"].tolist() == [get_normalizer("amend").id] * 2
    empty = Tables.from_wide(pd.DataFrame({"reference": [], "x": []}, dtype="str"), arms=["x"], norm="none")
    assert len(call(empty)) == 0 and name in call(empty)


def test_all_six_take_the_same_options():
    calls = [*RATES.values(), ser]
    assert len({inspect.signature(f) for f in calls}) == 1
    assert [f.__name__ for f in calls] == [*RATES, "ser"] and all(f.__doc__ and f.__module__ == "amend_nb.measures" for f in calls)
    for f in calls: assert pickle.loads(pickle.dumps(f)) is f


@pytest.mark.parametrize(("name", "options", "said"), [
    ("wer", {"unit": "char"}, "wer counts words"), ("cer", {"unit": "word"}, "cer counts characters"), ("ser", {"unit": "chars"}, "ser"),
    ("cer", {"compounds": True}, "compounds"), ("wer", {"compounds": True, "unit": "mixed"}, "compounds"),
    ("mer", {"against": "spoken"}, "only a study"),
    ("wer", {"ties": "best"}, "ties"), ("cer", {"empty": "zero"}, "empty"), ("ser", {"empty": ""}, "empty")])
def test_an_option_that_is_none_of_a_rate_is_refused(name, options, said):
    for texts in (("a b", "a c"), (["a b"], ["a c"])):
        with pytest.raises(ValueError, match=said): {**RATES, "ser": ser}[name](*texts, **options)


def test_a_corpus_of_characters_has_no_word_error_rate():
    ready = prepare(["ab c"], ["ab d"], unit="char")
    for f in (wer, mer, wip, wil, ser):
        with pytest.raises(ValueError, match="unit='char'"): f(ready)
    with pytest.raises(ValueError, match="unit"): cer(prepare(["ab"], ["ab"]))
    assert wer(prepare(["打开"], ["打门"], unit="mixed")) == 0.5


def test_figures_are_refused_where_there_are_no_rows(study):
    with pytest.raises(ValueError, match="no rows for that; it has wer"): figures(measure_scores(study, "wer"), "wil")
    some = measure_scores(study, ["hits", "precision"])
    some.loc[some["measure"].eq("precision") & some["arm"].eq("x"), ["num", "den"]] = pd.NA
    made = figures(some, "wil").set_index("arm")["rate"]
    assert made["x"] is pd.NA and made["y"] == wil(study.clips["reference"].tolist(), study.drafts.loc[study.drafts["arm"] == "y", "text"].tolist())


# ---- which words, which step

@examples(500)
@given(CORPUS, st.sampled_from(["jiwer", "hits"]))
def test_confusions_are_the_edits_counted(data, ties):
    refs, hyps = map(list, zip(*data, strict=True))
    expected, texts = Counter(), {}
    for k, (r, h) in enumerate(data):
        a = align(r, h, ties=ties)
        for op in a.ops:
            left, right = a.ref_tokens[op.ref_start:op.ref_end], a.hyp_tokens[op.hyp_start:op.hyp_end]
            for x in range(max(len(left), len(right)) if op.tag != "equal" else 0):
                key = op.tag, left[x].text if left else "", right[x].text if right else ""
                expected[key] += 1
                texts.setdefault(key, set()).add(k)
    made = confusions(refs, hyps, ties=ties, top=None)
    rows = [tuple(row) for row in made.itertuples(index=False)]
    assert rows == sorted(((*key, n, len(texts[key])) for key, n in expected.items()), key=lambda r: (-r[3], *r[:3]))
    assert len(confusions(refs, hyps, top=1)) == min(1, len(rows))
    for top in (0, -1, 1.5, True, "3"):
        with pytest.raises(ValueError, match="top="): confusions(refs, hyps, top=top)


def test_confusions_of_a_study_are_those_of_each_arm(study):
    made = confusions(study, top=1)
    assert list(made) == ["arm", "tag", "ref", "hyp", "count", "texts"] and made["arm"].tolist() == ["x", "y"]
    every = confusions(study, top=None, against="spoken")
    for arm in ("x", "y"):
        hyps = study.drafts.loc[study.drafts["arm"] == arm, "text"].tolist()
        alone = confusions(study.clips["spoken"].tolist(), hyps, top=None)
        assert every[every["arm"] == arm].drop(columns="arm").reset_index(drop=True).equals(alone)
    table = edit_table(study, words=True)
    assert list(table) == ["clip", "arm", "pair", "tag", "ref_at", "hyp_at", "ref", "hyp"]
    errors = measure_scores(study, "wer").set_index(["clip", "arm"])["num"]
    assert table.groupby(["clip", "arm"]).size().to_dict() == errors[errors > 0].to_dict()
    same = Tables.from_wide(pd.DataFrame({"reference": ["a"], "x": ["a"]}), arms=["x"])
    assert len(confusions(same)) == 0 and list(confusions(same)) == list(made)


@pytest.mark.parametrize("norm", ["amend", "agentic", "lecture-pt", "whisper-basic", "whisper-english", "none"])
def test_the_last_step_is_the_whole_norm(norm):
    refs, hyps = ["Vou às 10h, ok? [risos]", "It's 5% — OK!"], ["vou as dez horas hum OK", "its five percent ok"]
    made = norm_effects(refs, norm, hyps)
    assert made["rate"].iloc[-1] == wer(refs, hyps, norm) and made["rate"].iloc[0] == wer(refs, hyps)
    assert len(made) == 1 + len(get_normalizer(norm).active)
    assert made["change"].iloc[1:].sum() == pytest.approx(made["rate"].iloc[-1] - made["rate"].iloc[0])


def test_norm_effects_of_a_study(study):
    made = norm_effects(study, "amend")
    assert made["arm"].unique().tolist() == ["x", "y"]
    spoken = norm_effects(study, "amend", against="spoken").groupby("arm")["rate"].last()
    for arm, rate in wer(study, norm="amend", against="spoken").set_index("arm")["wer"].items(): assert spoken[arm] == rate
    with pytest.raises(TypeError, match="hyps"): norm_effects(["a"], "amend")
    with pytest.raises(ValueError, match="against"): norm_effects(study, "amend", against="group")
    with pytest.raises(TypeError, match="a list of texts"): norm_effects("a b", "amend", "a c")
    with pytest.raises(TypeError, match="prepared"): norm_effects(prepare(["a"], ["b"]), "amend")
    refs, hyps = pd.Series(["a b", "c"], index=["p", "q"]), pd.Series(["c", "A b"], index=["q", "p"])
    assert norm_effects(refs, "amend", hyps)["errors"].tolist()[-1] == 0   # by label, as everywhere
    with pytest.raises(ValueError, match="norm"): norm_effects(["a"], hyps=["a"])


def test_a_second_question_cuts_no_text_again(monkeypatch):
    refs, hyps = [f"the white paper {k}." for k in range(400)], [f"the whitepaper {k}" for k in range(400)]
    ready = prepare(refs, hyps, "amend")
    first = confusions(ready, top=None), compound_counts(ready)
    rules = ready.rules
    monkeypatch.setattr(type(rules), "cut", None)
    monkeypatch.setattr(type(rules.norm), "many", None)
    assert confusions(ready, top=None).equals(first[0]) and compound_counts(ready).equals(first[1])
    monkeypatch.undo()
    hits = [align(r, h, "amend", ties="hits").counts.hits for r, h in zip(refs, hyps, strict=True)]
    assert error_counts(ready, ties="hits")["hits"].tolist() == hits


# ---- spaces

def cheapest(ref, hyp):
    "(errors, joins) by trying every way."
    best = {(0, 0): (0, 0)}
    for i, j in product(range(len(ref) + 1), range(len(hyp) + 1)):
        ways = [(best[i-1, j][0] + 1, best[i-1, j][1])] if i else []
        if j: ways.append((best[i, j-1][0] + 1, best[i, j-1][1]))
        if i and j: ways.append((best[i-1, j-1][0] + (ref[i-1] != hyp[j-1]), best[i-1, j-1][1]))
        for a in range(2, i + 1):
            if j and "".join(ref[i-a:i]) == hyp[j-1]: ways.append((best[i-a, j-1][0], best[i-a, j-1][1] + 1))
        for b in range(2, j + 1):
            if i and "".join(hyp[j-b:j]) == ref[i-1]: ways.append((best[i-1, j-b][0], best[i-1, j-b][1] + 1))
        if ways: best[i, j] = min(ways)
    return best[len(ref), len(hyp)]


@examples(500)
@given(*[st.lists(st.sampled_from(["a", "b", "ab", "ba", "aab", "abab"]), max_size=7) for _ in "rh"])
def test_joins_are_the_cheapest(ref, hyp):
    row = compound_counts([" ".join(ref)], [" ".join(hyp)]).iloc[0]
    assert (row["substitutions"] + row["deletions"] + row["insertions"], row["spacing"]) == cheapest(ref, hyp)
    assert row["hits"] + row["substitutions"] + row["deletions"] == row["reference_length"] == len(ref)
    found = spacing_edits(align(" ".join(ref), " ".join(hyp)))
    assert len(found) == row["spacing"]
    for op in found: assert "".join(ref[op.ref_start:op.ref_end]) == "".join(hyp[op.hyp_start:op.hyp_end])


def test_kaldialigns_compounds(shared):
    seen = 0
    for n, r in peers.rows(shared, "kaldialign", fn="edit_distance"):
        if not r["kwargs"].get("merge_compounds") or r["kwargs"].get("sclite_mode"): continue
        ref, hyp = (" ".join(a) for a in r["args"][:2])
        row = compound_counts([ref], [hyp]).iloc[0]
        assert row[["insertions", "deletions", "substitutions", "reference_length"]].tolist() == \
            [r["result"][k] for k in ("ins", "del", "sub", "ref_len")], n
        assert wer(ref, hyp, compounds=True) == r["result"]["err_rate"]
        seen += 1
    assert seen >= 5


def test_joins_in_a_long_text():
    rng = random.Random(4)
    words = [f"{a}{b}{c}" for a, b, c in product("bdfg", "aeiou", "lmnr")]
    ref = rng.choices(words, k=3000)
    hyp = list(ref)
    for k in range(2900, 0, -100): hyp[k:k + 2] = ["".join(hyp[k:k + 2])]
    row = compound_counts([" ".join(ref)], [" ".join(hyp)]).iloc[0]
    assert row[["hits", "substitutions", "deletions", "insertions", "spacing"]].tolist() == [3000, 0, 0, 0, 29]


@examples(500)
@given(*[st.lists(st.sampled_from(["a", "b", "ab", "ba", "aab", "abab"]), max_size=7) for _ in "rh"])
def test_every_rate_takes_joins_for_right(ref, hyp):
    "As if the hypothesis were written together and apart as the reference is; and the figure says how often."
    row = compound_counts([" ".join(ref)], [" ".join(hyp)]).iloc[0]
    h, s, d, i = (int(row[k]) for k in Counts._fields)
    texts = " ".join(ref), " ".join(hyp)
    if ref:
        assert wer(*texts, compounds=True) == (s + d + i) / len(ref) and mer(*texts, compounds=True) == (s + d + i) / (h + s + d + i)
        assert wip(*texts, compounds=True) == (h / len(ref) * (h / (h + s + i)) if h else 0)
        assert wer(*texts, compounds=True).spacing == row["spacing"] and f"({row['spacing']} spacing edit" in repr(wer(*texts, compounds=True))
        assert pickle.loads(pickle.dumps(mer(*texts, compounds=True))).spacing == row["spacing"]
    else: assert wer(*texts, compounds=True) is None
    assert ser(*texts, compounds=True) == (s + d + i > 0)


def test_joins_in_long_texts_that_share_little_take_little_memory():
    code = """
import random, resource
from amend_nb import compound_counts
rng = random.Random(2)
ref, hyp = rng.choices("ab", k=5000), rng.choices(["a", "b", "ab", "ba"], k=5000)
compound_counts(["a b"], ["ab"])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
row = compound_counts([" ".join(ref)], [" ".join(hyp)]).iloc[0]
print(row["spacing"] > 500, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)"""
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    found, mb = run.stdout.split()
    assert found == "True" and int(mb) < 200


def test_joins_never_go_unseen(study):
    table = pd.DataFrame({"reference": ["the white paper is here"], "x": ["the whitepaper was here"]})
    made = figures(measure_scores(Tables.from_wide(table, arms=["x"], norm="none"), ["wer", "wer_joined", "spacing"])).set_index("measure")
    assert made["num"].to_dict() == {"wer": 3, "wer_joined": 1, "spacing": 1} and set(made["den"]) == {5}
    with pytest.raises(ValueError, match="words"): spacing_edits(align("a", "a", unit="char"))


# ---- mutants

def sample(n=150):
    rng = random.Random(7)
    def text(): return " ".join(rng.choices(["a", "b", "ab", "ba", "aab"], k=rng.randrange(7)))
    def parted(text): return " ".join("".join(c + " " * (rng.random() < .5) for c in text.replace(" ", "")).split())
    pairs = [(text(), text()) for _ in range(n)] + [(t, parted(t)) for t in (text() for _ in range(n))] + [("a  b", "a b"), ("a", " a")]
    return [list(side) for side in zip(*pairs, strict=True)]


def law_rates(made):
    refs, hyps = sample()
    for name in RATES:
        for r, h in [*zip(refs, hyps, strict=True), (refs, hyps)]:
            assert getattr(made, name)(r, h, empty="jiwer") == jiwers(r, h)[name]
    assert made.ser(refs, hyps) == sum(r.split() != h.split() for r, h in zip(refs, hyps, strict=True)) / len(refs)
    for r, h in zip(refs, hyps, strict=True): assert made.ser(r, h) == (r.split() != h.split())
    for name in RATES: assert getattr(made, name)("", "a") is None


def law_study(made):
    refs, hyps = sample(20)
    table = pd.DataFrame({"reference": refs, "x": hyps, "y": refs})
    study = Tables.from_wide(table, arms=["x", "y"], norm="none")
    for name in (*RATES, "ser"):
        call = getattr(made, name)
        assert call(study).set_index("arm")[name].to_dict() == {"x": call(refs, hyps), "y": call(refs, refs)}


def law_joins(made):
    refs, hyps = sample(60)
    rows = made.compound_counts(refs, hyps)
    found = rows[["substitutions", "deletions", "insertions"]].sum(axis=1).tolist(), rows["spacing"].tolist()
    assert list(zip(*found, strict=True)) == [cheapest(r.split(), h.split()) for r, h in zip(refs, hyps, strict=True)]


def law_confusions(made):
    refs, hyps = sample(40)
    expected, texts = Counter(), Counter()
    for r, h in zip(refs, hyps, strict=True):
        a, here = align(r, h), []
        for op in a.ops:
            left, right = a.ref_tokens[op.ref_start:op.ref_end], a.hyp_tokens[op.hyp_start:op.hyp_end]
            here += [(op.tag, left[x].text if left else "", right[x].text if right else "")
                     for x in range(max(len(left), len(right)) if op.tag != "equal" else 0)]
        expected.update(here)
        texts.update(set(here))
    rows = made.confusions(refs, hyps, top=None)
    assert {tuple(row[:3]): tuple(row[3:]) for row in rows.itertuples(index=False)} == {k: (n, texts[k]) for k, n in expected.items()}
    assert rows["count"].is_monotonic_decreasing


LAWS = (law_rates, law_study, law_joins, law_confusions)

@pytest.mark.parametrize("law", LAWS)
def test_a_law_holds(law): law(spacing if law is law_joins else subject)


@pytest.mark.parametrize(("law", "old", "new"), [
    (law_rates, "return c.errors / (c.hits + c.errors)", "return c.errors / c.reference_length"),
    (law_rates, "return h / n * (h / p) if h", "return h / n * (h / n) if h"),
    (law_rates, "return 1 - _preserved", "return _preserved"),
    (law_rates, "int(c.insertions == 0)", "0"),
    (law_rates, "return Counts(n, 0, 0, errors)", "return Counts(n, 0, 0, 0)"),
    (law_rates, "return Counts(not errors, bool(errors))", "return Counts(1, 0)"),
    (law_rates, "wrong = sum(_wrong(errors) for", "wrong = sum(len(errors) for"),
    (law_rates, "self.as_jiwer(counts) if empty == \"jiwer\" else None", "self.as_jiwer(counts)"),
    (law_rates, "return _counts(errors, swaps, n, m) if of.split", "return _counts(errors, swaps, m, n) if of.split"),
    (law_rates, "@_rate(\"char\")", "@_rate(\"word\")"),
    (law_study, "rows.groupby(level=\"arm\", sort=False)", "rows.groupby(level=\"clip\", sort=False)"),
    (law_study, "return Counts(*(int(rows[name].sum())", "return Counts(*(int(rows[name].max())"),
    (law_study, "of(_sum_of_rows(part, of), empty)", "of(_sum_of_rows(rows, of), empty)"),
    (law_joins, "yield (e, n + 1), (\"spacing\", a, b)", "yield (e + 1, n), (\"spacing\", a, b)"),
    (law_joins, "yield (e + (not same), n)", "yield (e + 1, n)"),
    (law_joins, "for i, j, word in _joins(hyp, set(ref)):", "for i, j, word in ():"),
    (law_confusions, "texts=\"nunique\"", "texts=\"size\""),
    (law_confusions, "ascending=[False, True", "ascending=[True, True")])
def test_a_mutant_breaks_its_law(law, old, new):
    changed = mutant(spacing if law is law_joins else subject, (old, new))
    with pytest.raises((AssertionError, KeyError)): law(changed)


# ---- a registered measure is the rate of the same name

EMPTY_TOO = st.lists(st.tuples(st.sampled_from(["", "", "a", "a b c"]), st.sampled_from(["", "a", "b", "a b", "c a b a"])), min_size=1, max_size=4)


def registered_measures_are_the_rates(module):
    @examples(500)
    @given(EMPTY_TOO, EMPTY_TOO)
    def law(x, y):
        rows = [(f"{arm}{n}", r, arm, h) for arm, texts in (("x", x), ("y", y)) for n, (r, h) in enumerate(texts)]
        study = Tables.from_long(pd.DataFrame(rows, columns=["id", "reference", "engine", "hypothesis"]), norm="none")
        names = {"wer": "wer", "cer": "cer", "mer": "mer", "wip": "wip", "wil": "wil", "ser": "ser"}
        shown = figures(measure_scores(study, [*names, "wer_mixed", "wer_joined"])).set_index(["arm", "measure"])["rate"]
        for arm, texts in (("x", x), ("y", y)):
            refs, hyps = map(list, zip(*texts, strict=True))
            due = {n: getattr(module, f)(refs, hyps) for n, f in names.items()}
            due |= {"wer_mixed": module.wer(refs, hyps, unit="mixed"), "wer_joined": module.wer(refs, hyps, compounds=True)}
            for name, rate in due.items():
                got = shown[arm, name]
                assert pd.isna(got) == (rate is None), (name, rate, got)
                assert rate is None or got == pytest.approx(rate, abs=1e-15), (name, rate, got)
            if not "".join(refs): assert all(pd.isna(shown[arm, n]) for n in due if n != "ser")
    law()


def test_registered_measures_are_the_rates():
    registered_measures_are_the_rates(subject)
    change = "if counts.reference_length else", "if counts.reference_length or self.name == 'mer' and counts.errors else"
    assert breaks(registered_measures_are_the_rates, mutant(subject, change))


# ---- the last row of norm_effects is the norm

@pytest.mark.parametrize("norm", [*list_normalizers(), "values-es with fold_accents", "whisper-basic with remove_diacritics, split_letters"])
def test_the_last_step_is_the_norm_and_without_is_the_norm_without_it(norm):
    made = get_normalizer(norm)

    @examples(30)
    @given(st.lists(st.tuples(VALUED, VALUED), min_size=1, max_size=3))
    def law(pairs):
        refs, hyps = map(list, zip(*pairs, strict=True))
        for unit in ("word", "char"):
            rate = (lambda n, u=unit: wer(refs, hyps, n) if u == "word" else cer(refs, hyps, n))
            table = norm_effects(refs, norm, hyps, unit=unit)
            def same(got, due): return pd.isna(got) if due is None else got == due
            assert same(table["rate"].iloc[-1], rate(made))
            for step, got in zip(made.active, table["without"].iloc[1:], strict=True):
                if step.name in made.switches: assert same(got, rate(made.without(step.name))), step.name
    law()


VALUED = st.lists(st.sampled_from(["5", "% mg", "Fifty", "1st of May", "½", "“so”", "é", "e\u0301", "R$ 3,50", "3 1/2", "10:30", "um", "—", "$",
                                   "três mil", "veinte", "co-op", "\u200b", "%", "#"]), max_size=4).map(" ".join)


def test_a_norm_that_runs_again_runs_again_in_its_steps():
    assert norm_effects(["5"], "values-es", ["% mg"]).iloc[-1]["rate"] == wer(["5"], ["% mg"], "values-es") == 2.0
    again = Normalizer("again", "1", [SubStep("dots", "aa", "a")], settles=True)
    table = norm_effects(["a"], again, ["aaaaaa"])
    assert table["errors"].tolist() == [1, 0] == [wer("a", "aaaaaa"), wer("a", "aaaaaa", again)]
    assert table["without"].tolist()[1] == 1.0


def test_one_text_beside_several_says_how_many():
    for call in RATES.values():
        says = r"hypothesis=\['a b', 'c d'\]: 2 texts beside one text \(reference='a b c d'\); .*or lists of the same length"
        with pytest.raises(TypeError, match=says): call("a b c d", ["a b", "c d"])
        with pytest.raises(TypeError, match="reference=.*: 1 text beside one text"): call(["a b"], "a b")
        with pytest.raises(TypeError, match="hypothesis=None: the other side is one text"): call("a b", None)
