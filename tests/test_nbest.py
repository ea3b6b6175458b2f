"""Correctors and n-best lists: the spec's figures, the peers' recorded ones, a slow reading of the definitions, and what is refused."""
import json
import pickle
import random
import re
import warnings
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pandas as pd
import peers
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.lists as lists_room
import amend_nb.nbest as subject
from amend_nb import (
    BadTable,
    Evaluation,
    align,
    cer,
    evaluate,
    figures,
    get_normalizer,
    measure_scores,
    oracle_curve,
    pool,
    read_nbest,
    read_table,
    read_transcripts,
    term_scores,
    wer,
)
from amend_nb.pairs import _rules
from amend_nb.tables import Tables

HER = ("utterance", "token")
WORDS = st.lists(st.sampled_from(["a", "b", "c", "dd", "é", "打开", "a_longer_word_than_eight"]), max_size=6).map(" ".join)
ANY = st.one_of(WORDS, WORDS, TEXTS)
CLIP = st.tuples(ANY, ANY, st.lists(ANY, min_size=1, max_size=4), st.booleans(), st.booleans())
CORPUS = st.lists(CLIP, min_size=1, max_size=5)
EACH_KIND = [(ref, corr, shown, ref == "", not corr) for ref, corr, shown in (
    ("a b c", "a x c", ["a y c", "a b"]), ("a b", "a b", ["a x", "a b"]), ("a c", "b c d", ["a c", "b"]), ("a b", "a b", ["x y z"]),
    ("a b c d", "a b x d e", ["x b c", "a y c d d", "q"]), ("a  b", "a b ", ["a b\t"]), ("", "x", ["y", "y z"]), ("a\u00a0é", "a  é", ["é"]),
    ("a b", "", ["b a", "c"]), ("a b c d", "a x c d d", ["a b c y", "a b c y z"]))]


def corpus(clips):
    "References, corrections and lists; some lists hold the reference, some corrections are the 1-best."
    refs = [r for r, *_ in clips]
    lists = [[*texts, r] if holds else texts for r, _, texts, holds, _ in clips]
    return refs, [texts[0] if same else c for (_, c, _, _, same), texts in zip(clips, lists, strict=True)], lists


def slow(refs, corr, lists, norm, her="utterance", ties="jiwer", unit="word"):
    "The definitions, clip by clip, from alignments."
    n = Counter()
    rows = []
    for ref, c, texts in zip(refs, corr, lists, strict=True):
        made = [align(ref, t, norm, unit, ties) for t in [c, *texts]]
        fixed, *shown = made
        words = [[t.text for t in a.hyp_tokens] for a in made]
        errors = [a.counts.errors for a in shown]
        known = {w for own in words[1:] for w in own}
        row = dict(words=fixed.counts.reference_length, errors_1best=errors[0], errors_corrected=fixed.counts.errors, errors_oracle=min(errors),
                   errors_compositional=sum(t.text not in known for t in fixed.ref_tokens))
        edited, gain = words[0] != words[1], errors[0] - fixed.counts.errors
        kind = "no_edit" if not edited else "helpful" if gain > 0 else "harmful" if gain < 0 else "neutral"
        if her == "utterance": n[kind] += 1
        else:
            right = [{i for op in a.ops if op.tag == "equal" for i in range(op.ref_start, op.ref_end)} for a in (shown[0], fixed)]
            more = fixed.counts.insertions - shown[0].counts.insertions
            row |= dict(helpful=len(right[1] - right[0]) + max(-more, 0), harmful=len(right[0] - right[1]) + max(more, 0),
                        missed=row["words"] - len(right[0] | right[1]))
            n.update({k: row[k] for k in ("helpful", "harmful", "missed")})
        n.update({k: v for k, v in row.items() if k.startswith(("words", "errors"))})
        n["empty_references"] += not row["words"]
        rows.append(row | {"oracle": errors.index(min(errors)), "edit": kind})
    return n, rows


def quiet(call, *args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **options)


def law(module):
    "Every count, and every row, is that of the definitions."
    @examples(500)
    @given(CORPUS, st.sampled_from(["agentic", None, "literal", "amend", "whisper-basic"]), st.sampled_from(HER),
           st.sampled_from(["jiwer", "diagonal", "hits"]), st.sampled_from(["word", "word", "mixed"]))
    @example(EACH_KIND, None, "utterance", "jiwer", "word")
    @example(EACH_KIND, None, "token", "jiwer", "word")
    @example(EACH_KIND, "agentic", "token", "hits", "mixed")
    def check(clips, norm, her, ties, unit):
        refs, corr, lists = corpus(clips)
        made = quiet(module.evaluate, refs, corr, lists, norm=norm, her=her, ties=ties, unit=unit)
        right, rows = slow(refs, corr, lists, norm, her, ties, unit)
        for key in module._Sums._fields:
            if key != "n" and getattr(made, key) is not None: assert getattr(made, key) == right[key], key
        items = quiet(lambda: made.items).to_dict("records")
        for row, item in zip(rows, items, strict=True):
            for key in row: assert key not in item or item[key] == row[key], key
    check()


def test_evaluation_is_the_definition(): law(subject)


def with_lists(*changes):
    "The room over a changed room of lists."
    changed = mutant(lists_room, *changes)
    room = mutant(subject, ("(", "("))
    for name in ("_chunks_of", "_Compared", "_normalised", "_of_rows", "_Sides", "_word_edits"): setattr(room, name, getattr(changed, name))
    return room


@pytest.mark.parametrize("old, new", [
    ("corrected < one, 1", "corrected <= one, 1"), ("kinds[1], harmful + kinds[2]", "kinds[2], harmful + kinds[1]"),
    ("found.words == 0", "found.words < 0"),
    ("texts.index(ref) if", "len(texts) - 1 if"), ("argmin())])", "argmax())])")])
def test_a_change_of_the_sums_is_seen(old, new):
    assert breaks(law, mutant(subject, (old, new)))


@pytest.mark.parametrize("old, new", [
    ("np.minimum.reduceat", "np.maximum.reduceat"), ("map(contains, lists, refs)", "map(contains, lists, corr)"),
    ("word not in known", "word in known"),
    ("np.flatnonzero(edited & off)", "np.flatnonzero(edited)[:0]"), ("max(more - less, 0)", "0"), ("len(was & now)", "len(was | now)"),
    ("(one == 0)).tolist(): made[row, 1]", "(one == 0)).tolist(): made[row, 0]"), ("made[row, 0] = one[row]", "made[row, 0] = 1"),
    ("wrong & ~is_open", "wrong & is_open"), ("return [\" \".join(rules.cut(t)) for t in texts]\n\ndef", "return texts\n\ndef"),
    ("+ len(ref) - len(hyp)) // 2", "+ len(hyp) - len(ref)) // 2"), ("not ref.strip(", "ref.strip(")])
def test_a_change_of_the_comparison_is_seen(old, new):
    assert breaks(law, with_lists((old, new)))


@examples(500)
@given(CORPUS, st.sampled_from(HER))
def test_laws(clips, her):
    refs, corr, lists = corpus(clips)
    made = quiet(evaluate, refs, corr, lists, her=her)
    assert made.errors_compositional <= made.errors_oracle <= made.errors_1best
    assert made.wer_1best == quiet(wer, refs, [t[0] for t in lists], "agentic") and made.wer_corrected == quiet(wer, refs, corr, "agentic")
    if her == "utterance": assert made.helpful + made.harmful + made.neutral + made.no_edit == made.n == len(refs)
    else: assert made.helpful - made.harmful == sum(quiet(lambda: made.items)["helpful"]) - sum(quiet(lambda: made.items)["harmful"])
    order = random.Random(3).sample(range(len(refs)), len(refs))
    assert quiet(evaluate, *([c[k] for k in order] for c in (refs, corr, lists)), her=her) == made
    parts = [quiet(evaluate, refs[k:k+1], corr[k:k+1], lists[k:k+1], her=her) for k in range(len(refs))]
    assert sum(parts) == made
    assert quiet(evaluate, refs, corr, [[*t, *t[::-1]] for t in lists], her=her) == made
    more = quiet(evaluate, refs, corr, [[*t, r] for t, r in zip(lists, refs, strict=True)], her=her)
    assert (more.errors_oracle, more.errors_compositional) == (0, 0)
    alone = quiet(evaluate, refs, corr, onebest=[t[0] for t in lists], her=her)
    assert (alone.edits, alone.wer_1best, alone.rir, alone.wer_oracle) == (made.edits, made.wer_1best, None, None)
    itself = quiet(evaluate, refs, [t[0] for t in lists], lists, her=her)
    assert itself.her is None and itself.rir in (None, 0)


def law_of_the_curve(module):
    "Its rates are those of the oracles of lists cut to that length."
    @examples(500)
    @given(CORPUS)
    @example(EACH_KIND)
    def check(clips):
        refs, _, lists = corpus(clips)
        curve = quiet(module.oracle_curve, refs, lists)
        assert list(curve["length"]) == list(range(1, max(map(len, lists)) + 1))
        for row in curve.itertuples():
            cut = quiet(evaluate, refs, nbest=[t[:row.length] for t in lists])
            assert (row.errors_oracle, row.errors_compositional) == (cut.errors_oracle, cut.errors_compositional)
            assert row.lists == sum(len(t) >= row.length for t in lists) and row.words == cut.words
            assert (row.wer_oracle == cut.wer_oracle) if cut.words else pd.isna(row.wer_oracle)
        assert curve["errors_oracle"].is_monotonic_decreasing and curve["errors_compositional"].is_monotonic_decreasing
    check()


def test_the_curve_is_the_oracle_of_shorter_lists(): law_of_the_curve(subject)


@pytest.mark.parametrize("old, new", [("now = min(best, errors[text])", "now = errors[text]"), ("lists[row].index(text) if place else 0", "place"),
                                      ("word not in set(codes[text])", "word in set(codes[text])"), ("size > k", "size >= k")])
def test_a_change_of_the_curve_is_seen(old, new):
    assert breaks(law_of_the_curve, mutant(subject, (old, new)))


def test_chunks_hold_so_much_and_no_more():
    refs = ["a" * (k % 7) for k in range(50)]
    sides, rules = lists_room._Sides(refs, refs[::-1], nbest=[[r] * (1 + k % 3) for k, r in enumerate(refs)]), _rules(None, "word", "unicode")
    for most, room in ((1, 10), (3, 10), (50, 10), (50, 60), (7, 1000)):
        chunks = list(lists_room._chunks_of(sides, rules, most, room))
        assert [r for _, part, *_ in chunks for r in part] == refs and [c for _, _, part, _ in chunks for c in part] == refs[::-1]
        assert [first for first, *_ in chunks] == [sum(len(part) for _, part, *_ in chunks[:k]) for k in range(len(chunks))]
        for _, part, corr, lists in chunks:
            assert len(part) == len(corr) == len(lists) <= most
            assert len(part) == 1 or sum(map(len, [*part, *corr, *(t for own in lists for t in own)])) <= room


def test_where_numpy_does_not_work_out(monkeypatch):
    "Half a character, and a chunk with more words than there are characters: the same by a dictionary."
    refs, corr, lists = ["a \ud800b c", "a b"], ["a \ud800b", "a b"], [["x c", "a \ud800b c d"], ["a", "a c"]]
    made = evaluate(refs, corr, lists, norm=None, her="token")
    right, _ = slow(refs, corr, lists, None, "token")
    assert all(getattr(made, k) == right[k] for k in right) and made.items["reference"].tolist() == refs
    words = [f"w{k}" for k in range(60)]
    refs, corr, lists = [" ".join(words)] * 2, [" ".join(words[1:])] * 2, [[" ".join(words[::-1]), " ".join(words[:30])]] * 2
    usual = [evaluate(refs, corr, lists, her=her) for her in HER]
    monkeypatch.setattr(lists_room, "_coded", lambda *_: None)
    assert [evaluate(refs, corr, lists, her=her) for her in HER] == usual


def test_long_and_many():
    "More rows than a chunk, lists of different lengths, a text of 3,000 words, and rows that fill a chunk with letters."
    rng = random.Random(7)
    words = [f"word{k}" for k in range(300)]
    def text(n): return " ".join(rng.choices(words, k=n))
    refs = [text(rng.randrange(7)) for _ in range(1500)] + [text(3000), *(text(400) for _ in range(60))]
    def heard(ref): return " ".join(rng.choice(words) if rng.random() < .1 else w for w in ref.split() if rng.random() < .95)
    lists = [[heard(r) for _ in range(rng.randrange(1, 5))] for r in refs]
    corr = [heard(r) if rng.random() < .5 else t[0] for r, t in zip(refs, lists, strict=True)]
    for her in HER:
        made = evaluate(refs, corr, lists, her=her)
        right, rows = slow(refs, corr, lists, "none", her)
        assert all(getattr(made, k) == right[k] for k in right)
        assert made.items["oracle"].tolist() == [r["oracle"] for r in rows]


# ---- the spec's figures

def spec_cases(shared):
    "(reference, list) of the two cases that the spec spells out."
    text = (shared / "spec/3-agentic.md").read_text(encoding="utf-8")
    for name in ("IBM", "agwer"):
        part = text[text.index(f"{name} reference: `"):]
        part = part[:part.index("corrected = the reference")]
        reference, *heard = re.findall("`([^`]+)`", part)
        yield name, reference, heard


def test_the_specs_figures(shared):
    wanted = {"IBM": (5, .3478, .1739, .1304), "agwer": (3, .2308, .1154, .0385)}
    for name, reference, heard in spec_cases(shared):
        made = evaluate([reference], [reference], nbest=[heard])
        figures_made = round(made.wer_1best, 4), round(made.wer_oracle, 4), round(made.wer_compositional, 4)
        assert (len(heard), *figures_made) == wanted[name]
        assert (made.wer_corrected, made.rir, made.her) == (0, 2, 0)


def test_the_specs_classic_figures(shared):
    text = (shared / "spec/3-agentic.md").read_text(encoding="utf-8")
    first, second, said, written, *pair = re.findall("`([^`]+)`", text[text.index("Also: reference"):].replace("\n", " "))[:7]
    assert second == "… the desire team"
    assert wer(first, first.replace("design", "desire")) == pytest.approx(1 / 19) and round(1 / 19, 4) == .0526
    assert round(wer(said, written), 3) == .867 and wer(said, written, "whisper-english") == 0
    refs = [pair[0], pair[2]]
    hyps = [refs[0].replace("board", pair[1]), refs[1]]
    assert wer(refs, hyps) == 1 / 29 and cer(refs, hyps) == 2 / 173 and (round(1 / 29, 4), round(2 / 173, 4)) == (.0345, .0116)


def test_a_sentence_without_spaces_is_told():
    said = "今天天气很好我们去公园散步吧好不好"
    with pytest.warns(UserWarning, match=r"references\[0\]: .*unit='mixed'"): assert evaluate([said], [said], onebest=[said[:-1]]).words == 1
    assert evaluate([said], [said], onebest=[said[:-1]], unit="mixed").wer_1best == 1 / len(said)


def test_the_specs_small_case():
    said, shown, wrote = ["turn left now please"], ["turn lift now please"], ["turn left now police"]
    by_text, by_word = (evaluate(said, wrote, onebest=shown, her=her) for her in HER)
    assert by_text.edits == {"granularity": "utterance", "helpful": 0, "harmful": 0, "neutral": 1, "no_edit": 0, "her": None}
    assert by_word.edits == {"granularity": "token", "helpful": 1, "harmful": 1, "missed": 0, "her": .5}
    assert evaluate(said, wrote, onebest=shown, her_granularity="token") == by_word
    assert by_word.ties == "jiwer" and by_word.norm == get_normalizer("agentic").id


# ---- peers and public figures

def test_agwers_recorded_evaluations(shared):
    seen = Counter()
    for n, r in peers.rows(shared, "agwer_recorded"):
        options = dict(r["kwargs"])
        if "normalize" in options:
            norm = options.pop("normalize")
            options["norm"] = None if norm is None else "whisper-english"
        if (refs := r["args"][0]) == ["a\tb"]: options["space"] = "ascii"
        options.pop("return_items", None)
        if "granularity" in options: options["her"] = options.pop("granularity")
        if r["fn"] == "evaluate":
            if "raises" in r:
                with pytest.raises(ValueError): evaluate(*r["args"], **options)
            else:
                made, wanted = evaluate(*r["args"], **options).as_dict(), r["result"]
                edits = wanted.pop("edits")
                wanted.pop("items", None)
                assert {k: made[k] for k in wanted} == wanted, n
                assert {k: edits[k] for k in made["edits"]} == made["edits"], n
        elif r["fn"] in ("rir", "rho"): assert evaluate(*r["args"], **options).rir == r["result"], n
        elif r["fn"] == "her":
            refs, shown, wrote = r["args"]
            assert evaluate(refs, wrote, onebest=shown, **options).her == r["result"], n
        elif r["fn"] == "oracle_wer": assert evaluate(refs, nbest=r["args"][1]).wer_oracle == r["result"], n
        elif r["fn"] == "compositional_oracle_wer": assert evaluate(refs, nbest=r["args"][1]).wer_compositional == r["result"], n
        elif r["fn"] == "oracle_hypotheses":
            norm, items = get_normalizer("agentic"), evaluate(refs, nbest=r["args"][1]).items
            assert [norm(t[k]) for t, k in zip(r["args"][1], items["oracle"], strict=True)] == r["result"], n
        else: continue
        seen[r["fn"]] += 1
    assert seen["evaluate"] >= 30 and len(seen) == 7, seen


def test_agwers_alignment_fixture(shared):
    data = json.loads((shared / "data/peers/agwer_fixture_alignment_equiv.json").read_text(encoding="utf-8"))
    for (ref, shown, wrote), wanted in zip(data["cases"], data["token_her"], strict=True):
        made = evaluate([ref], [wrote], onebest=[shown], her="token")
        assert {k: getattr(made, k) for k in ("helpful", "harmful", "missed")} == {k: wanted[k] for k in ("helpful", "harmful", "missed")}
        moved = wanted["insertions_corrected"] - wanted["insertions_1best"]
        changed = made.helpful - max(-moved, 0) + made.harmful - max(moved, 0)
        assert made.words - made.missed - changed == wanted["kept_correct"]


@pytest.mark.parametrize("name", ["ls_other", "cv"])
def test_hyporadise(shared, name):
    table = read_nbest(shared / f"data/hyporadise/{name}.jsonl", corrected=None)
    wanted = json.loads((shared / "data/hyporadise/expected.json").read_text(encoding="utf-8"))["sets"][name]
    made, measured = evaluate(table, norm="none"), wanted["measured"]
    assert (made.n, made.words, made.errors_1best, made.errors_oracle) == (
        wanted["n"], wanted["ref_words"], measured["errors_1best"], measured["errors_oracle"])
    assert (made.wer_1best, made.wer_oracle) == (measured["wer_1best"], measured["wer_oracle"])
    assert made.wer_compositional == measured["agwer_compositional_wer"]
    assert (made.her, made.rir, made.wer_corrected, made.helpful) == (None,) * 4
    curve = made.oracle_curve()
    assert curve["errors_oracle"].tolist()[0] == made.errors_1best and curve["errors_oracle"].tolist()[-1] == made.errors_oracle
    assert curve["errors_compositional"].iloc[-1] == made.errors_compositional


def test_public_reports(shared):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    cases = {c["id"]: c["input"] for c in map(json.loads, filter(None, lines)) if c["area"] == "nbest"}
    assert set(cases) == {"B02", "B04"}
    curve = oracle_curve(cases["B02"]["refs"], cases["B02"]["nbest"])
    assert curve["wer_oracle"].tolist() == [.125, 0, 0] and curve["recovered"].tolist() == [0, 1, 1]
    assert oracle_curve([cases["B04"]["ref"]], [cases["B04"]["nbest_text"]])["errors_oracle"].tolist() == [0, 0]


# ---- nothing to divide by

def test_null_is_not_zero():
    silent = evaluate(["", "  "], ["", "uh"], nbest=[["uh huh"], ["oh", ""]])
    assert (silent.errors_1best, silent.errors_corrected, silent.errors_oracle, silent.empty_references) == (3, 1, 2, 2)
    assert [silent.wer_1best, silent.wer_corrected, silent.wer_oracle, silent.wer_compositional, silent.headroom, silent.rir] == [None] * 6
    assert "no reference words" in repr(silent) and "2 with an empty reference" in repr(silent)
    none = evaluate(["a b"], ["a b"], nbest=[["a x", "a x"]])
    assert (none.headroom, none.rir, none.her) == (0, None, 0) and "no headroom" in repr(none)
    pooled = evaluate(["", "a b"], ["x", "a b"], onebest=["", "a b"])
    assert (pooled.wer_corrected, pooled.her, pooled.empty_references) == (.5, 1, 1)
    assert pd.isna(oracle_curve([""], [["a"]])["wer_oracle"].iloc[0])


def test_an_oracle_never_flips_the_sign():
    "The oracle is never worse than the 1-best, also where it was chosen elsewhere."
    made = evaluate(["a b c d"], ["a b c d"], onebest=["a b c x"], oracle=["x y z w"])
    assert (made.headroom, made.rir, made.wer_compositional) == (0, None, None)
    assert evaluate(["a b c d"], ["a b c d"], onebest=["a b c x"], oracle=["a b c d"]).rir == 1


def test_an_additional_space_is_no_edit():
    for norm in (None, "agentic", "amend"):
        made = evaluate(["a b c", "a b"], ["a  x c ", "a\tb"], onebest=["a x c", "a b"], norm=norm)
        assert (made.no_edit, made.neutral) == (2, 0)


# ---- what goes in

def test_columns_of_all_kinds():
    refs, corr, lists = ["a b", "c d"], ["a b", "c x"], [["a x", "a b"], ["c d", "d d"]]
    wanted = evaluate(refs, corr, lists)
    import pyarrow as pa
    for make in (tuple, np.array, pd.Series, pa.array): assert evaluate(make(refs), make(corr), lists) == wanted
    for made in (tuple(map(tuple, lists)), np.array(lists), pd.Series(lists), pa.array(lists), pd.DataFrame(lists),
                 [np.array(t) for t in lists], iter(lists)):
        assert evaluate(refs, corr, made) == wanted
    assert evaluate(refs, corr, lists, onebest=["a x", "c d"]) == wanted
    table = pd.DataFrame({"reference": refs, "corrected": corr, "nbest": lists, "gpt": corr, "clip": ["k1", "k2"]})
    assert evaluate(table) == wanted == evaluate(table, corrected="gpt") == evaluate(table.drop(columns="nbest"), nbest=lists)
    assert evaluate(table).items.index.tolist() == ["k1", "k2"] and evaluate(pa.Table.from_pandas(table)) == wanted
    assert len(evaluate(iter(refs), iter(corr), iter(lists)).items) == 2
    with pytest.raises(ValueError, match="no column 'gtp'; there are reference"): evaluate(table, corrected="gtp")
    with pytest.raises(ValueError, match=r"the table has \{'clip': 'k1'\} in more than one row"): evaluate(table.assign(clip="k1"))
    assert evaluate(table, onebest="corrected") == evaluate(refs, corr, onebest=corr) and evaluate(table.assign(oracle="x")) == wanted
    spoken = table.drop(columns="clip").assign(recording="r1", speaker=["ann", "bob"])
    assert evaluate(spoken) == wanted and evaluate(spoken).items.index.tolist() == [("r1", "ann"), ("r1", "bob")]
    with pytest.raises(ValueError, match=r"the table has \{'recording': 'r1', 'speaker': 'ann'\}"): evaluate(spoken.assign(speaker="ann"))


def test_series_meet_by_label():
    refs, corr = pd.Series(["a b", "c d"], index=["k1", "k2"]), pd.Series(["c x", "a b"], index=["k2", "k1"])
    lists = pd.Series([["c d"], ["a x", "a b"]], index=["k2", "k1"])
    made = evaluate(refs, corr, lists)
    assert made == evaluate(["a b", "c d"], ["a b", "c x"], [["a x", "a b"], ["c d"]]) and made.items.index.tolist() == ["k1", "k2"]
    assert evaluate(refs[1:], corr[:1], lists[:1]).n == 1
    with pytest.raises(ValueError, match="references and corrected: 1 label is on one side only"): evaluate(refs, corr[:1], lists)
    gone = pd.Series(["a", None], index=refs.index)
    with pytest.raises(TypeError, match=r"corrected\[1\] \(row 'k2'\)=nan: expected a text"): evaluate(refs, gone, lists)


@pytest.mark.parametrize("given, error", [
    (dict(references="a b"), r"references='a b': expected a list of texts"),
    (dict(corrected="a b"), r"corrected='a b': expected a list of texts"),
    (dict(nbest="a b"), r"nbest='a b': expected a list of texts"),
    (dict(nbest=["a b", "c"]), r"nbest\[0\]='a b': expected a list of texts, got one text; for 1-best texts see onebest="),
    (dict(nbest=[["a"], None]), r"nbest\[1\]=None: expected a list of texts"),
    (dict(nbest=[["a"], float("nan")]), r"nbest\[1\]=nan: expected a list of texts"),
    (dict(nbest=[["a"], {"c": 1}]), r"nbest\[1\]=\{'c': 1\}: expected a list of texts, the best first, got dict"),
    (dict(nbest=[["a"], {"c"}]), r"nbest\[1\]=\{'c'\}: expected a list of texts, the best first, got set"),
    (dict(nbest=[["a"], []]), r"nbest\[1\] is an empty list"),
    (dict(nbest=[["a"], ["c", None]]), r"nbest\[1\] has None among its texts"),
    (dict(nbest=[["a"], ["c", ["d"]]]), r"nbest\[1\] has \['d'\] among its texts"),
    (dict(nbest=[["a"], ["c", 7]]), r"nbest\[1\] has 7 among its texts"),
    (dict(nbest=[["a"]]), r"nbest has 1 row, references has 2"),
    (dict(corrected=["a"]), r"corrected has 1 row, references has 2"),
    (dict(corrected=["a", None]), r"corrected\[1\]=None: expected a text; a missing text is not an empty one"),
    (dict(corrected=["a", float("nan")]), r"corrected\[1\]=nan: expected a text"),
    (dict(corrected=["a", b"c"]), r"corrected\[1\]=b'c': expected a text"),
    (dict(references=["a", ["c", "d"]]), r"references\[1\]=\['c', 'd'\]: expected a text, got a list"),
    (dict(references=["a", 5]), r"references\[1\]=5: expected a text"),
    (dict(references={"a": 1, "b": 2}), r"references is a dict"),
    (dict(onebest=["a", "d"]), r"onebest\[1\]='d', but its list begins with 'c'"),
    (dict(nbest=None), r"nbest or onebest: give what the recogniser wrote"),
    (dict(oracle=["a", "c"]), r"oracle: the best of each list is found in nbest"),
    (dict(nbest=None, onebest=["a"]), r"onebest has 1 row"),
    (dict(references=[], corrected=[], nbest=[]), r"references: the corpus is empty"),
    (dict(her="phoneme"), r"her='phoneme': choose 'utterance' or 'token'"),
    (dict(her_granularity="phoneme"), r"her='phoneme'"),
    (dict(her="token", her_granularity="utterance"), r"two names of one thing"),
    (dict(ties="any"), r"ties='any': choose one of"),
    (dict(unit="char"), r"unit='char': choose 'word' or 'mixed'"),
    (dict(space="tab"), r"space='tab'"),
    (dict(norm="agentik"), r"unknown normalizer 'agentik'"),
    (dict(workers=0), r"workers=0: must be a whole number from 1"), (dict(workers=True), r"workers=True"), (dict(workers=2.0), r"workers=2\.0"),
])
def test_what_is_refused(given, error):
    options = dict(references=["a", "c"], corrected=["a", "c"], nbest=[["a"], ["c"]]) | given
    with pytest.raises((TypeError, ValueError), match=error): evaluate(**options)


def test_control_tokens_are_told_as_given():
    with pytest.warns(UserWarning, match=r"corrected\[1\]: '</s>' is a control token"): evaluate(["a", "b"], ["a", "b </s>"], onebest=["a", "b"])
    with pytest.warns(UserWarning, match=r"references\[0\]: '\[inaudible\]'"): evaluate(["a [inaudible]"], ["a"], onebest=["a"])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        evaluate(["a [b] c"], ["a < c"], onebest=["a * b"])


# ---- studies, tables, segments

def long_table():
    refs, corr = ["turn left now", "so it is", ""], ["turn left now", "so it was", "uh"]
    lists = [["turn lift no", "turn left no"], ["so it is", "so is it"], ["uh huh"]]
    return refs, corr, lists


def test_a_study():
    refs, corr, lists = long_table()
    rows = [dict(id=f"c{k}", engine="hearer", hypothesis=t[0], reference=r, nbest=t) for k, (r, t) in enumerate(zip(refs, lists, strict=True))]
    rows += [dict(id=f"c{k}", engine="mender", hypothesis=c, reference=r, nbest=None) for k, (r, c) in enumerate(zip(refs, corr, strict=True))]
    study = Tables.from_long(pd.DataFrame(rows), norm="none")
    wanted = evaluate(refs, corr, lists)
    assert evaluate(study, "mender", nbest="hearer") == wanted
    assert evaluate(study, "mender", onebest="hearer") == evaluate(refs, corr, onebest=[t[0] for t in lists])
    assert evaluate(study, "hearer") == evaluate(refs, [t[0] for t in lists], lists)
    assert oracle_curve(study, "hearer").equals(oracle_curve(refs, lists))
    clips = pd.DataFrame({"clip": ["a", "b"], "text": ["x", "y z"]})
    assert evaluate(clips, clips[::-1], onebest=clips).wer_corrected == 0
    with pytest.raises(ValueError, match=r"\{'clip': 'a'\} in more than one row"): evaluate(clips.assign(clip="a"), clips, onebest=clips)
    assert evaluate(study, "mender", nbest="hearer", norm=None).norm == get_normalizer("none").id
    assert evaluate(study, "mender", nbest="hearer").items.index.tolist() == ["c0", "c1", "c2"]
    for call, error in ((lambda: evaluate(study), "corrected=None: expected an arm; there are hearer, mender"),
                        (lambda: evaluate(study, "mendre", nbest="hearer"), "corrected='mendre': expected an arm"),
                        (lambda: evaluate(study, "mender", onebest="x"), "onebest='x': expected an arm"),
                        (lambda: evaluate(study, "mender", onebest="hearer", against="spoken"), "against='spoken'"),
                        (lambda: evaluate(study, "mender"), "arm 'mender' has no list for 3 clips of 3; .* nbest='hearer'")):
        with pytest.raises((TypeError, ValueError), match=error): call()
    short = Tables.from_long(pd.DataFrame(rows[1:]), norm="none")
    with pytest.raises(ValueError, match="arm 'hearer' has no draft of clip 'c0'"): evaluate(short, "mender", onebest="hearer")


def test_measures_of_a_study():
    refs, corr, lists = long_table()
    rows = [dict(id=f"c{k}", engine=a, hypothesis=c, reference=r, nbest=t if k < 2 or a == "x" else None)
            for k, (r, c, t) in enumerate(zip(refs, corr, lists, strict=True)) for a in "xy"]
    study = Tables.from_long(pd.DataFrame(rows), norm="agentic")
    scores = measure_scores(study, ["rir", "headroom", "her", "her_token", "wer_compositional"])
    for arm, n in (("x", 3), ("y", 2)):
        made = figures(scores[scores["arm"] == arm]).set_index("measure")["rate"]
        for her, key in (("utterance", "her"), ("token", "her_token")):
            right = evaluate(refs[:n], corr[:n], lists[:n], her=her)
            assert made[key] == right.her
        for key in ("wer_1best", "wer_oracle", "wer_corrected", "wer_compositional", "headroom", "rir"):
            assert made[key] == getattr(right, key) is not None, key
    assert pool(scores[scores["measure"] == "wer_oracle"])[["clips", "not_scored"]].to_numpy().tolist() == [[3, 0], [2, 1]]
    assert scores.query("arm == 'y' and clip == 'c2'")["note"].unique().tolist() == ["no n-best list"]
    plain = Tables.from_wide(pd.DataFrame({"reference": refs, "x": corr}), arms=["x"])
    assert figures(measure_scores(plain, ["rir"]), "rir")["rate"].isna().all()


def test_segments_of_speakers(tmp_path):
    def file(name, *rows):
        (tmp_path / name).write_text("".join(f"{r} 1 {s} {a} {b} {t}\n" for r, s, a, b, t in rows), encoding="utf-8")
        return read_transcripts(tmp_path / name)
    ref = file("ref.stm", ("r1", "ann", 0, 2, "turn left"), ("r1", "bob", 1, 3, "so it is"), ("r1", "ann", 3, 4, "now"))
    out = file("out.stm", ("r1", "bob", 1, 3, "so it was"), ("r1", "ann", 0, 4, "turn left now"))
    asr = file("asr.stm", ("r1", "bob", 1, 3, "so it is"), ("r1", "ann", 0, 4, "turn lift now"))
    made = evaluate(ref, out, onebest=asr)
    assert (made.n, made.words, made.helpful, made.harmful) == (2, 6, 1, 1) and set(made.items.index) == {"r1/ann", "r1/bob"}
    other = file("other.stm", ("r1", "spk1", 1, 3, "so it was"), ("r1", "spk2", 0, 4, "turn left now"))
    with pytest.raises(BadTable, match=r"(?s)names the speakers \['spk1', 'spk2'\].*cpWER.*MeetEval"): evaluate(ref, other, onebest=asr)
    bare = [f[["recording", "speaker", "text"]] for f in (ref, out, asr)]
    assert evaluate(bare[0], bare[1], onebest=bare[2]) == made
    with pytest.raises(TypeError, match="onebest: expected a table with clip and text, or recording"): evaluate(ref, out, onebest=["a", "b"])


def test_speakers_as_labels():
    index = pd.MultiIndex.from_tuples([("r1", "ann"), ("r1", "bob")], names=["recording", "speaker"])
    ref, out = pd.Series(["a", "b"], index=index), pd.Series(["b", "a"], index=index[::-1])
    assert evaluate(ref, out, onebest=ref).wer_corrected == 0
    other = out.set_axis(pd.MultiIndex.from_tuples([("r1", "spk1"), ("r1", "spk2")], names=index.names))
    with pytest.raises(ValueError, match="cpWER.*as MeetEval computes it"): evaluate(ref, other, onebest=ref)
    with pytest.raises(ValueError, match="cpWER"): wer(ref, other)


# ---- workers and results

def test_any_number_of_workers(monkeypatch):
    monkeypatch.setattr(subject, "_BATCH", 1)
    rng = random.Random(2)
    refs = [" ".join(rng.choices("abcde", k=rng.randrange(7))) for _ in range(5000)]
    lists = [[" ".join(rng.choices("abcde", k=4)) for _ in range(rng.randrange(1, 4))] for _ in refs]
    corr = [rng.choice([*t, r]) for r, t in zip(refs, lists, strict=True)]
    for her, many in zip(HER, (2, 3), strict=True):
        one = evaluate(refs, corr, lists, her=her)
        assert evaluate(refs, corr, lists, her=her, workers=many) == one
    assert evaluate(refs, corr, lists, norm=get_normalizer("amend").without("case"), workers=2).words == one.words
    with pytest.raises(ValueError, match=r"workers=2: the norm custom:<lambda>.*cannot be sent"):
        evaluate(refs, corr, lists, norm=lambda t: t, workers=2)
    with pytest.raises(TypeError, match=r"corrected\[4999\]=None"): evaluate(refs, [*corr[:-1], None], lists, workers=2)


def test_items_know_when_the_texts_have_changed():
    refs, corr, lists = long_table()
    made = evaluate(refs, corr, lists)
    corr[0] = "turn"
    with pytest.raises(RuntimeError, match="have changed since"): made.items  # noqa: B018
    corr[0] = "turn left now"
    assert made.items["edit"].tolist() == ["helpful", "harmful", "helpful"] and list(made.items) == list(made.items)
    assert [*evaluate(refs, nbest=lists).items] == [
        "reference", "onebest", "words", "errors_1best", "errors_oracle", "errors_compositional", "oracle"]
    assert "oracle" not in evaluate(refs, corr, onebest=[t[0] for t in lists]).items


def test_a_result_shows_itself_is_plain_and_can_be_kept():
    refs, corr, lists = long_table()
    made = evaluate(refs, corr, lists, her="token")
    assert json.loads(json.dumps(made.as_dict())) == made.as_dict() and set(made.as_dict()) >= {
        "n", "wer_1best", "wer_corrected", "wer_oracle", "wer_compositional", "headroom", "rir", "her", "edits", "norm", "ties"}
    kept = pickle.loads(pickle.dumps(made))
    assert kept == made and kept.items.equals(made.items)
    assert "by token" in repr(made) and made.norm in repr(made) and "ties=jiwer" in repr(made)
    page = made._repr_html_()
    assert page.count("<tr>") == 7 and "<script" not in page
    odd = evaluate(refs, corr, lists, norm=lambda t: t)
    assert "<lambda>" not in odd._repr_html_() and "&lt;lambda&gt;" in odd._repr_html_()
    with pytest.raises(ValueError, match="of different rules or columns"): made + evaluate(refs, corr, lists)
    with pytest.raises(ValueError, match="a sum of evaluations has none"): (made + made).items  # noqa: B018
    with pytest.raises(TypeError): made + 1
    assert isinstance(made, Evaluation) and hash(made) == hash(kept)


def test_read_chat_logs_go_straight_in(tmp_path):
    rows = [{"reference": "a b", "corrected": "a b", "nbest": ["a x", "a b"]}, {"reference": "c", "corrected": "c", "nbest": ["c"]}]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert evaluate(read_nbest(path)).rir == 1
    (tmp_path / "t.csv").write_text("reference,onebest,corrected\na b,a x,a b\n", encoding="utf-8")
    assert evaluate(read_table(tmp_path / "t.csv")).her == 0


def test_a_list_is_one_way_only():
    "The order of a list beyond its first text does not move the oracle; its place does."
    refs, lists = ["a b c"], [["x", "a b", "a b d"]]
    first = evaluate(refs, nbest=lists)
    other = evaluate(refs, nbest=[[lists[0][0], *lists[0][:0:-1]]])
    assert first == other and (first.items["oracle"].iloc[0], other.items["oracle"].iloc[0]) == (1, 1)


def test_regular_texts_are_left_as_they_are():
    rules = _rules(None, "word", "unicode")
    for texts, regular in ((["a b", "", "é 打"], True), (["a  b"], False), (["a "], False), ([" a"], False), (["a\u00a0b"], False),
                           (["a\u200bb"], False),
                           (["a", " b"], False), (["a ", "b"], False), (["a\tb"], False), (["a\nb"], False), (["\ud800"], False), ([""], True)):
        assert lists_room._regular(texts) is regular, texts
        assert lists_room._one_form(texts, rules) == [" ".join(rules.cut(t)) for t in texts]


def test_the_name_space_is_small():
    assert SimpleNamespace(**{n: 1 for n in subject.__all__}) == SimpleNamespace(Evaluation=1, evaluate=1, oracle_curve=1)


def test_an_arm_without_lists_is_told_of_one_that_has():
    clips = pd.DataFrame({"clip": ["1", "2"], "reference": ["a b", "c"]})
    drafts = pd.DataFrame({"clip": ["1", "2"] * 2, "arm": ["asr"] * 2 + ["fix"] * 2, "text": ["a", "c", "a b", "c"],
                           "nbest": [["a", "a b"], ["c"], None, None]})
    study = Tables.from_tidy(clips, drafts)
    for call in (lambda: evaluate(study, "fix"), lambda: evaluate(study, "asr", "fix"), lambda: oracle_curve(study, "fix")):
        says = "nbest: arm 'fix' has no list for 2 clips of 2; the lists of arm 'asr' are taken with nbest='asr'"
        with pytest.raises(ValueError, match=says): call()
    assert evaluate(study, "fix", "asr").rir == 1
    half = drafts.assign(nbest=[["a"], None, None, None])
    study = Tables.from_tidy(clips, half)
    with pytest.raises(TypeError, match=r"nbest\[1\] \(row '2'\)=None"): evaluate(study, "asr")
    with pytest.raises(ValueError, match="'fix' has no list for 2 clips of 2; name the recogniser's arm"): evaluate(study, "fix")


def test_one_is_said_as_one():
    for made in (evaluate(["a"], ["b"], [["b", "c"]]), evaluate(["a b"], ["b"], [["b", "c"]]), evaluate(["", "a"], ["b", "a"], [["b"], ["a", "b"]])):
        for text in (repr(made), made._repr_html_()):
            assert not re.search(r"(?<![\d,.])1 (clips|errors|reference words)\b", text)
            assert not re.search(r"(?<![\d,.])([02-9]|\d\d) (clip|error|reference word)\b", text)
    assert "1 error in 1 reference word" in repr(evaluate(["a"], ["b"], [["b", "c"]]))


def test_a_clip_that_comes_twice_is_named_without_its_numpy_type():
    table = pd.DataFrame({"clip": [1, 1], "reference": ["a", "b"], "corrected": ["a", "b"], "onebest": ["a", "b"]})
    with pytest.raises(ValueError, match=r"the table has \{'clip': 1\} in more than one row"): evaluate(table)
    with pytest.raises(ValueError, match="clip 2 has no list"): term_scores(pd.Series(["a", "b"], index=[1, 2]), ["a", "b"], lists={1: ["a"]})
