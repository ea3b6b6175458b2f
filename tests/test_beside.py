"""The counts beside AMEND: each equal to its definition, none in its place."""
import random
from itertools import combinations

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from rapidfuzz.distance import Levenshtein
from texts import TEXTS, examples

import amend_nb.beside as subject
from amend_nb import (
    FIX_KINDS,
    RulesJudge,
    Study,
    amend_variants,
    block_edits,
    capped_edits,
    case_edits,
    char_edits,
    count_fixes,
    figures,
    find_fixes,
    load_gold,
    measure_scores,
    normalize,
    pooled,
    score_dataframe,
    summary_table,
)


def slow_blocks(pred, fixed, min_words):
    "Every way to take disjoint stretches of words out, for one each; then the plain distance."
    words, ref = normalize(pred).split(), normalize(fixed)
    n = len(words)
    best = Levenshtein.distance(" ".join(words), ref)
    spans = [(i, j) for i in range(n) for j in range(i + min_words, n + 1)]
    for k in range(1, n // min_words + 1):
        for chosen in combinations(spans, k):
            if any(a[1] > b[0] for a, b in zip(chosen, chosen[1:], strict=False)): continue
            left = [w for i, w in enumerate(words) if not any(a <= i < b for a, b in chosen)]
            best = min(best, k + Levenshtein.distance(" ".join(left), ref))
    return best


PIECE = st.sampled_from("the wait weight not don't um so Ana PgBouncer start_date 15 fifteen $20 and . , Call me".split())
EXACT = st.sampled_from(["PgBouncer", "getUserById", "start_date", "Makefile.toml", "plain", "Paris"])
SHORT = st.lists(st.sampled_from(["a", "ab", "abc", "b", "cab", "x"]), max_size=6).map(" ".join)


def law_blocks(room):
    @examples(500)
    @given(SHORT, SHORT, st.integers(1, 3))
    @example("abc cab", "x", 2)      # all words out, and one letter in
    def holds(pred, fixed, min_words):
        edits, chars = room.block_edits(pred, fixed, min_words)
        assert (edits, chars) == (slow_blocks(pred, fixed, min_words), len(normalize(fixed)))
        assert edits <= char_edits(pred, fixed)[0]
    holds()


def law_case(room):
    "Case edits are the letters to change in exact texts, whatever else stands there."
    @examples(500)
    @given(st.lists(EXACT, max_size=5), st.randoms(use_true_random=False))
    def holds(words, rng):
        intended = " ".join(words)
        drawn = [[c.swapcase() if rng.random() < .3 else c for c in w] for w in words]
        pred = " ".join("".join(d) for d in drawn)
        right = sum(a != b for w, d in zip(words, drawn, strict=True) if w not in ("plain", "Paris") for a, b in zip(w, d, strict=True))
        assert room.case_edits(pred, pred, intended) == right
        assert room.case_edits(intended, intended, intended) == 0
        assert room.case_edits("other words", intended, intended) == 0
    holds()


def law_capped(room):
    @examples(500)
    @given(TEXTS, TEXTS, TEXTS)
    def holds(pred, fixed, intended):
        edits, chars = room.capped_edits(pred, fixed, intended)
        to_fixed, to_intended = char_edits(pred, fixed), char_edits(pred, intended)
        assert (edits, chars) == (to_fixed if to_fixed[0] <= to_intended[0] else to_intended)
    holds()


DRAFTS = st.lists(PIECE, max_size=9).map(" ".join)


def law_fixes(room):
    @examples(500)
    @given(DRAFTS, DRAFTS)
    def holds(pred, fixed):
        fixes = room.find_fixes(pred, fixed, fixed, "en")
        assert bool(fixes) == (normalize(pred) != normalize(fixed))
        assert all(f.kind in room.FIX_KINDS and pred[f.start:f.end] == f.was and (f.was or f.now) for f in fixes)
        out, at = "", 0
        for f in fixes:      # making them gives the correction, word for word
            assert at <= f.start
            out += pred[at:f.start] + " " + f.now + " "
            at = f.end
        assert normalize(out + pred[at:]) == normalize(fixed)
        for f in fixes:
            was, now = normalize(f.was).split(), normalize(f.now).split()
            if len(was) == len(now) > 1: assert all(a != b for a, b in zip(was, now, strict=True))
    holds()


LAWS = [law_blocks, law_case, law_capped, law_fixes]


@pytest.mark.parametrize("law", LAWS)
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_blocks, "np.minimum(row, nearest + 1)", "np.minimum(row, nearest)"), (law_blocks, "if n >= min_words:", "if n > min_words:"),
    (law_blocks, "ends[n - min_words]", "ends[n - 1]"), (law_blocks, "1 + len(ref))", "2 + len(ref))"),
    (law_blocks, "nearest = left if nearest is None else np.minimum(nearest, left)", "nearest = left"),
    (law_blocks, "if chars else 1, chars", "if chars else edits, chars"), (law_blocks, "row[:-1] + (ref != letter)", "row[:-1] + 1"),
    (law_case, "is_exact_text(word) and", "True or"), (law_case, "x != y for x, y", "x == y for x, y"),
    (law_case, "default=0) for w", "default=1) for w"),
    (law_capped, "key=lambda counts: counts[0]", "key=lambda counts: counts[1]"),
    (law_fixes, 'if all(o.tag == "substitute" for o in run)', "if True"),
    (law_fixes, "at = was[0].start if was else", "at = was[-1].start if was else"),
    (law_fixes, "last[1][1] == h0 and last[1][3] == r0 and", "")])
def test_a_mutant_breaks_its_law(law, old, new):
    changed = mutant(subject, (old, new))
    if new == "if True":     # the zip of unequal stretches is an error, not a wrong figure
        with pytest.raises((ValueError, ExceptionGroup)): law(changed)
    else: assert breaks(law, changed)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "2"])
def test_min_words(bad):
    with pytest.raises(ValueError, match="min_words"): block_edits("a", "b", bad)


@pytest.mark.parametrize("bad", [None, 3, float("nan")])
def test_missing_texts(bad):
    for call in (lambda: block_edits(bad, "a"), lambda: capped_edits("a", "b", bad), lambda: find_fixes("a", bad, "b", "en")):
        with pytest.raises(TypeError): call()


def test_a_long_hallucination_is_one_act():
    made_up = " ".join(f"word{n}" for n in range(300))
    assert block_edits(f"call me {made_up} at noon", "Call me at noon.")[0] == 1
    assert block_edits(f"{made_up} call me at none {made_up}", "Call me at noon.")[0] == 4
    assert block_edits(made_up, "")[0] == 1 and block_edits("um", "")[0] == 2 and block_edits("um", "", 1)[0] == 1


def test_ten_thousand_characters():
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefgh", k=6)) for _ in range(1500)]
    extra = words[:500] + ["zz"] * 100 + words[500:]
    assert block_edits(" ".join(extra), " ".join(words))[0] == 1


def test_case_of_what_works_in_any_case_is_free():
    for text in ("Mail Ana@Lumen.Co", "See HTTPS://Lumen.CO/Faq", "WWW.Lumen.co"): assert case_edits(text.lower(), text, text) == 0
    assert case_edits("run pgbouncer and PgBouncer", "run PgBouncer and PgBouncer", "Run PgBouncer and PgBouncer") == 2
    assert case_edits("either pgbouncer", "either PgBouncer", "PgBouncer or PGBouncer") == 2    # the nearest of two forms


@pytest.mark.parametrize("lang, pred, fixed, kinds", [
    ("en", "the weight was long", "the wait was long", ["words"]), ("en", "pay 400 dollars", "pay 450 dollars", ["number"]),
    ("en", "um call me", "call me", ["filler"]), ("en", "so um call me", "call me", ["filler"]), ("en", "call Anna now", "call Ana now", ["name"]),
    ("en", "do restart it", "do not restart it", ["negation"]), ("en", "you can go", "you can't go", ["negation"]),
    ("en", "do not go", "don't go", ["words"]), ("en", "open start date", "open start_date", ["exact text"]),
    ("en", "call at noon", "call me at noon", ["missing"]), ("en", "call me me at noon", "call me at noon", ["extra"]),
    ("en", "call me thank you for watching today", "call me", ["extra"]), ("en", "call", "call me at noon at the 5 star hotel", ["missing"]),
    ("en", "pay Anna 400 dollars", "pay Ana 450 dollars", ["name", "number"]), ("en", "call 555 1234", "call 666 4321", ["number"]),
    ("pt", "aprove hoje", "não aprove hoje", ["negation"]), ("pt", "hum pague agora", "pague agora", ["filler"]),
    ("es", "aprueba el pago", "no aprueba el pago", ["negation"]), ("es", "paga 15 euros", "paga 50 euros", ["number"]),
    ("en", "", "call me", ["missing"]), ("en", "call me", "", ["extra"]), ("en", "", "", [])])
def test_kinds(lang, pred, fixed, kinds): assert [f.kind for f in find_fixes(pred, fixed, fixed, lang)] == kinds


def test_a_lower_case_draft_hides_no_name():
    assert [f.kind for f in find_fixes("please call anna now", "please call ana now", "Please call Ana now.", "en")] == ["name"]


KIND = {"number": "number", "date": "number", "name": "name", "filler": "filler", "identifier": "exact text", "file": "exact text",
        "hallucination": "extra", "missing": "missing negation", "misheard": "words"}


@pytest.mark.parametrize("kind, right", KIND.items())
def test_kinds_of_the_gold(kind, right):
    gold = [g for g in load_gold() if g.kind == kind and g.source == "written"]
    found = [{f.kind for f in find_fixes(g.draft, g.fixed, g.intended, g.lang)} for g in gold]
    other = [(g.draft, g.fixed, kinds) for g, kinds in zip(gold, found, strict=True) if not kinds & {right, *right.split()}]
    assert len(gold) >= 6 and len(other) <= 0.25 * len(gold), other


def test_tables_stand_beside_the_standard_one():
    gold = [g for g in load_gold("en") if g.source == "written"]
    df = pd.DataFrame([(g.intended, g.spoken, g.draft, g.spoken) for g in gold], columns=["intended_text", "spoken_text", "draft", "typed"])
    scored = score_dataframe(df, ["draft", "typed"], judge=RulesJudge("en"))
    scored.loc[0, ["draft_fixed", "draft_edits", "draft_chars", "draft_amend"]] = None
    variants, standard = amend_variants(scored, ["draft", "typed"]), summary_table(scored, ["draft", "typed"])
    assert variants[["pred_col", "rows", "failed", "AMEND"]].equals(standard[["pred_col", "rows", "failed", "AMEND"]])
    assert (variants["blocks"] <= variants["AMEND"]).all() and (variants["capped"] <= variants["AMEND"]).all()
    assert (variants["exact case"] >= variants["AMEND"]).all()
    counts = count_fixes(scored, ["draft", "typed"], language="en")
    assert counts["rows"].tolist() == [len(gold) - 1, len(gold)] and counts.drop(columns=["pred_col", "rows"]).to_numpy().sum() > 0
    with pytest.raises(ValueError, match="score_dataframe"): amend_variants(df, "draft")


def test_nothing_scored_is_nothing():
    df = pd.DataFrame({"intended_text": ["a"], "d": ["b"], "d_fixed": pd.Series([None], dtype=object)})
    row = amend_variants(df, "d").iloc[0]
    assert row["failed"] == 1 and all(pd.isna(row[n]) for n in ("AMEND", "blocks", "exact case", "capped"))
    assert pooled([], []) == 0.0


def test_measures_of_a_study():
    gold = [g for g in load_gold() if g.source == "written"][::3]
    df = pd.DataFrame([(g.id, g.intended, g.spoken, {"pt": "pt-BR", "es": ""}.get(g.lang, g.lang), g.draft) for g in gold],
                      columns=["clip", "reference", "spoken", "language", "draft"])
    study = Study.from_wide(df, arms=["draft"], clip="clip", spoken="spoken", language="language").judge("rules")
    scores = measure_scores(study, ["amend_blocks", "amend_case", "amend_capped", "fixes"])
    assert list(scores.columns) == ["clip", "arm", "measure", "item", "basis", "repeat", "num", "den", "note"]
    standard = study.scores("amend")["num"].sum()
    sums = scores.groupby("measure")["num"].sum()
    assert sums["amend_blocks"] <= standard <= sums["amend_case"] and sums["amend_capped"] <= standard
    assert scores[scores["measure"] == "fixes"].groupby("item")["num"].sum().index.tolist() == sorted(FIX_KINDS)
    table = figures(scores, measures="fixes", by="arm")
    assert set(table["item"]) == set(FIX_KINDS) and (table["den"] == len(gold)).all() and (table["clips"] == len(gold)).all()
    verdicts = study.verdicts.copy()
    verdicts.loc[0, ["fixed", "outcome"]] = [None, "refused"]
    half = measure_scores(study.with_verdicts(verdicts), "fixes")
    first = half[half["clip"] == gold[0].id]
    assert first["num"].isna().all() and first["den"].isna().all() and set(first["note"]) == {"refused"}
    with pytest.raises(ValueError, match="need verdicts"): measure_scores(Study.from_wide(df, arms=["draft"], clip="clip", spoken="spoken"), "fixes")
