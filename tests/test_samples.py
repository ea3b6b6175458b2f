"""Scores into sums of clusters: what is refused, what is kept, and swaps and draws against their slow definitions."""
import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from scipy import stats
from texts import examples

import amend_nb.samples as subject
from amend_nb import BadTable, Study, Tables, error_counts, estimate, wide_scores


def frame(*rows, **more):
    "Scores of (clip, arm, num, den[, cluster])."
    columns = ["clip", "arm", "num", "den", "cluster"][:len(rows[0])]
    return pd.DataFrame(rows, columns=columns).assign(measure="wer", item="", basis="", repeat=0, **more)


GOOD = [("a", "x", 1, 5, "s"), ("b", "x", 0, 3, "s"), ("c", "x", 2, 4, "t")]


# ---- laws
def law_collapse(room):
    @examples(500)
    @given(st.lists(st.tuples(st.integers(-3, 5), st.integers(0, 2**40)), max_size=12), st.randoms(use_true_random=False))
    def holds(rows, rng):
        table = np.array(rows, dtype=np.int64).reshape(-1, 2)
        made, times = room._collapse(table)
        assert sorted(rows) == [tuple(r) for r, n in zip(made.tolist(), times.tolist(), strict=True) for _ in range(n)]
        rng.shuffle(rows)
        again, n = room._collapse(np.array(rows, dtype=np.int64).reshape(-1, 2))
        assert (again == made).all() and (n == times).all()
    holds()


def law_swaps(room):
    "Against every swap of every cluster, in fractions."
    pairs = st.lists(st.tuples(*[st.integers(0, 6), st.integers(1, 9)] * 2), min_size=1, max_size=6)

    @examples(500)
    @given(pairs)
    def holds(rows):
        sums = np.array(rows, dtype=np.int64).reshape(-1, 2, 1, 2)
        found = room._flipped(sums, room._figure("wer"), 999, 0)
        seen, large = None, 0
        for swap in itertools.product((0, 1), repeat=len(rows)):
            sides = [[0, 0], [0, 0]]
            for s, row in zip(swap, rows, strict=True):
                for a in (0, 1):
                    for k in (0, 1): sides[a ^ s][k] += row[2 * a + k]
            d = abs(Fraction(*sides[1]) - Fraction(*sides[0]))
            seen = d if seen is None else seen
            large += d >= seen
        assert found.exact and found.p == pytest.approx(large / 2**len(rows), abs=1e-12)
        assert found.differ == sum(r[:2] != r[2:] for r in rows)
    holds()


def law_one_way(room):
    @examples(500)
    @given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)), min_size=2, max_size=12))
    def holds(rows):
        values, groups = np.array([v for _, v in rows], float), np.array([g for g, _ in rows])
        within, between, size = room._one_way(values, groups)
        parts = [values[groups == g] for g in np.unique(groups)]
        if len(parts) < len(rows): assert within == pytest.approx(sum(((p - p.mean())**2).sum() for p in parts) / (len(rows) - len(parts)))
        else: assert within is None
        if len(parts) == 1: assert between is None; return
        assert between == pytest.approx(sum(len(p) * (p.mean() - values.mean())**2 for p in parts) / (len(parts) - 1))
        assert size == pytest.approx((len(rows) - sum(len(p)**2 for p in parts) / len(rows)) / (len(parts) - 1))
        if within: assert between / within == pytest.approx(stats.f_oneway(*parts).statistic)
        if all(len(set(p)) == 1 for p in parts) and within is not None: assert within == 0
    holds()


LAWS = [law_collapse, law_swaps, law_one_way]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.filterwarnings("ignore")
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_collapse, "key % span[k] + low[k]", "key % span[k]"), (law_collapse, "key * size + (column - first)", "key + (column - first)"),
    (law_swaps, "_EXACT = 13", "_EXACT = 3"), (law_swaps, "abs(seen) - 1e-12", "abs(seen) + 1e-12"), (law_swaps, "total[0] + moved", "total[0]"),
    (law_swaps, "gap[gap.any(axis=1)]", "gap"), (law_one_way, "(n - k)", "n"),
    (law_one_way, "/ (k - 1)) if k > 1 else None", "/ k) if k > 1 else None"),
    (law_one_way, "(sizes**2).sum() / n", "sizes.max()")])
@pytest.mark.filterwarnings("ignore")
def test_a_mutant_breaks_its_law(law, old, new): assert breaks(law, mutant(subject, (old, new)))


def test_swaps_of_eleven_speakers_are_scipys():
    "Where both arms have the same words the statistic is a mean of differences."
    gaps = np.array([3, -1, 4, 1, -5, 9, 2, 6, 5, 3, -2])
    old = np.full(11, 20)
    sums = np.stack([np.stack([old, np.full(11, 100)], 1), np.stack([old + gaps, np.full(11, 100)], 1)], 1)[:, :, None]
    theirs = stats.permutation_test((gaps,), np.mean, permutation_type="samples", n_resamples=np.inf, alternative="two-sided")
    mine = subject._flipped(sums, subject._figure("wer"), 999, 0)
    assert (mine.p, mine.exact, mine.differ) == (theirs.pvalue, True, 11)


def test_drawn_swaps_come_near_to_all_swaps(monkeypatch):
    rng = np.random.default_rng(5)
    sums = np.stack([rng.binomial(90, [0.12, 0.09], size=(12, 2)), rng.integers(90, 99, size=(12, 2))], axis=2)[:, :, None]
    exact = subject._flipped(sums, subject._figure("wer"), 9_999, 0).p
    monkeypatch.setattr(subject, "_EXACT", 3)
    drawn = [subject._flipped(sums, subject._figure("wer"), 9_999, seed) for seed in (0, 0, 1)]
    assert not drawn[0].exact and drawn[0] == drawn[1] != drawn[2]
    for d in drawn: assert d.p == pytest.approx(exact, abs=4 * (exact / 9_999)**0.5)
    many = np.repeat(sums, 40, axis=0)                # alike rows: drawn as binomials
    assert 0 < subject._flipped(many, subject._figure("wer"), 9_999, 0).p < exact


@pytest.mark.parametrize("times", [[1] * 40, [900, 500, 40], [3] * 1500])
def test_resamples_have_the_spread_that_theory_says(times):
    rng, times = np.random.default_rng(2), np.array(times)
    rows = np.column_stack([rng.integers(0, 9, len(times)), rng.integers(10, 20, len(times))])
    drawn, full = subject._resampled(rows, times, 20_000, 1), np.repeat(rows, times, axis=0)
    assert (drawn[:99] == subject._resampled(rows, times, 99, 1)).all() or len(times) == 3
    assert (subject._resampled(rows, times, 99, 2) == subject._resampled(rows, times, 99, 2)).all()
    assert drawn.mean(axis=0) == pytest.approx(full.sum(axis=0), rel=0.01)
    assert np.cov(drawn.T) == pytest.approx(len(full) * np.cov(full.T, ddof=0), rel=0.06, abs=0.06 * len(full))


@pytest.mark.parametrize("n", [14, 512, 515, 3000])
def test_every_coin_is_fair_and_of_its_own(n):
    rows = np.column_stack([2.0**(np.arange(n) % 40), np.arange(n)])
    drawn = subject._tossed(rows, 3000, np.random.default_rng(1))
    assert drawn.mean(axis=0) == pytest.approx(rows.sum(axis=0) / 2, rel=0.05)
    assert np.cov(drawn.T) == pytest.approx(rows.T @ rows / 4, rel=0.12)
    if n == 14: assert set(drawn[:, 0]) <= set(range(2**14)) and len(set(drawn[:, 0])) > 2500


@pytest.mark.parametrize("n", [5, 4095, 4096, 5003, 65_536 * 2 + 7])
def test_each_is_drawn_as_often_as_any_other(n):
    drawn = [d.copy() for d in subject._drawn(np.random.default_rng(0), n, 400)]
    assert {int(d.sum()) for d in drawn} == {n} and all(len(d) == n for d in drawn)
    often = np.sum(drawn, axis=0)
    assert stats.chi2.sf(((often - 400)**2 / 400).sum(), n - 1) > 1e-4
    assert np.mean([d.var() for d in drawn]) == pytest.approx(1 - 1 / n, rel=0.05)


# ---- what is refused, with the row and the value
@pytest.mark.parametrize("change, words", [
    (dict(num=[1, -1, 2]), "column 'num', clip 'b': row 1: -1"), (dict(num=[1, 0.5, 2]), "row 1: 0.5"),
    (dict(num=[1, "0", 2]), r"row 1: '0' \(str\)"),
    (dict(num=[1, True, 2]), r"row 1: True \(bool\)"), (dict(den=[5, float("inf"), 4]), "column 'den', clip 'b': row 1: inf"),
    (dict(num=[1, None, 2]), "column 'num', clip 'b': row 1: one of num and den"),
    (dict(den=[5, None, 4]), "column 'den', clip 'b': row 1: one of"),
    (dict(cluster=["s", None, "t"]), "column 'cluster', clip 'b': row 1: the clip's cluster is missing"),
    (dict(cluster=["s", float("nan"), "t"]), "row 1: the clip's cluster is missing"),
    (dict(clip=["a", None, "c"]), "column 'clip': row 1: the clip's id"), (dict(clip=["a", "b", "b"]), "row 2: 't', but 's' in another row"),
    (dict(clip=["a", "b", "b"], cluster="s"), "row 2: the same clip, arm.* twice"),
    (dict(arm=["x", None, "x"]), "the arm's name is missing"), (dict(measure=["wer", None, "wer"]), "the measure's name is missing")])
def test_bad_rows_are_refused(change, words):
    with pytest.raises(BadTable, match=words): estimate(frame(*GOOD).assign(**change))


def test_bad_tables_are_refused():
    for bad in ([1, 2], "scores.csv", None, {"num": [1]}):
        with pytest.raises(TypeError, match="scores="): estimate(bad)
    with pytest.raises(BadTable, match="column 'den': scores has no such column; there are 'clip'"): estimate(frame(*GOOD).drop(columns="den"))
    with pytest.raises(BadTable, match="no rows"): estimate(frame(*GOOD).iloc[:0])
    with pytest.raises(BadTable, match="column 'colour': there is no such"): estimate(frame(*GOOD), by="colour")
    with pytest.raises(BadTable, match="column 'colour': there is no such"): estimate(frame(*GOOD), cluster="colour")
    with pytest.raises(ValueError, match="no scores of 'cer'; there are wer"): estimate(frame(*GOOD), "cer")
    with pytest.raises(ValueError, match="cluster: the clip 'c' has none"): estimate(frame(*GOOD), cluster={"a": 1, "b": 2})
    with pytest.raises(TypeError, match="cluster=7"): estimate(frame(*GOOD), cluster=7)
    for bad in ([], 7, [7], {"wer"}):
        with pytest.raises(TypeError, match="measures="): estimate(frame(*GOOD), bad)
    with pytest.raises(BadTable, match="column 'num': more than one column"): estimate(pd.concat([frame(*GOOD), frame(*GOOD)[["num"]]], axis=1))
    with pytest.raises(BadTable, match=r"column 'cluster': row 0: \['s'\] \(list\); expected one value"):
        estimate(frame(*GOOD).assign(cluster=[["s"]] * 3))
    with pytest.raises(BadTable, match=r"row 0: 1j \(complex\)"): estimate(frame(*GOOD).assign(num=1j))


def test_cells_that_are_fine():
    "Floats that are whole (what a merge leaves), plain and nullable integers, ids that are numbers."
    want = estimate(frame(*GOOD)).table
    for change in (dict(num=[1.0, 0.0, 2.0]), dict(num=pd.array([1, 0, 2], "Int64")), dict(den=np.array([5, 3, 4], "uint8")), dict(clip=[7, 8, 9]),
                   dict(num=pd.Series([1, 0, 2], dtype=object))):
        pd.testing.assert_frame_equal(estimate(frame(*GOOD).assign(**change)).table, want)
    assert estimate(frame(*GOOD), cluster={"a": "s", "b": "s", "c": "t"}).table.equals(want)
    assert estimate(frame(*GOOD).rename(columns={"cluster": "voice"}), cluster="voice").table.equals(want)


# ---- what people bring
def test_wide_counts_studies_and_error_counts_give_the_same():
    rows = [("1", "a b c d", "a b d", "a b c d", "s"), ("2", "e f g", "e x g y", "e f", "s"), ("3", "h", "h", "", "t")]
    df = pd.DataFrame(rows, columns=["id", "reference", "old", "new", "speaker"])
    study = Study.from_wide(df, arms=["old", "new"], clip="id", cluster="speaker", norm="none")
    counts = error_counts(study)
    inner = counts.assign(e=counts["substitutions"] + counts["deletions"] + counts["insertions"])
    flat = df.assign(**{f"{a}_{k}": inner.xs(a, level="arm")[c].to_numpy() for a in ("old", "new")
                        for k, c in (("e", "e"), ("n", "reference_length"))})
    wide = wide_scores(flat, {"old": ("old_e", "old_n"), "new": ("new_e", "new_n")}, "wer", clip="id", cluster="speaker")
    speakers = dict(zip(df["id"], df["speaker"], strict=True))
    want = [(e.arm, e.rate, e.low, e.high, e.clusters) for e in estimate(study, "wer")]
    assert [w[1:2] for w in want] == [(3 / 8,), (2 / 8,)] and want[0][4] == 2
    for made in (estimate(wide), estimate(counts, cluster=speakers), estimate(counts.reset_index(), "wer", cluster=speakers),
                 estimate(Tables(study.clips, study.drafts, norm="none"), "wer")):
        assert [(e.arm, e.rate, e.low, e.high, e.clusters) for e in made] == want
    one = error_counts(df["reference"], df["old"])
    assert estimate(one).get().rate == 3 / 8 and estimate(one).get().independent and "independent" in str(estimate(one))
    assert estimate(counts, ["wip", "ser"]).get(arm="new", measure="wip").rate == pytest.approx(6 / 8 * 6 / 6)
    with pytest.raises(ValueError, match="rows of error_counts give wer"): estimate(counts, "amend")
    by = estimate(Study.from_wide(df.assign(tag=["u", "v", "v"]), arms=["old"], clip="id", norm="none"), "wer", by="tag")
    assert [(e.slices, e.num, e.den) for e in by] == [({"tag": "u"}, 1, 4), ({"tag": "v"}, 2, 4)]


def test_wide_counts_that_cannot_be():
    df = pd.DataFrame({"id": ["a", "b"], "e": [1, -2], "n": [3, 4]})
    with pytest.raises(BadTable, match="column 'e', clip 'b': row 1: -2"): wide_scores(df, {"x": ("e", "n")}, "wer", clip="id")
    with pytest.raises(BadTable, match="column 'm': there is no such column"): wide_scores(df, {"x": ("e", "m")}, "wer")
    with pytest.raises(TypeError, match="arms="): wide_scores(df, ["e", "n"], "wer")
    made = wide_scores(df.assign(e=[1, None], n=[3, None]), {"x": ("e", "n")}, "wer")
    assert made["clip"].tolist() == ["1", "2"] and made["note"].tolist() == ["", "not scored"] and str(made["num"].dtype) == "Int64"
    assert estimate(made).get().not_scored == 1


def test_a_figure_of_one_arm_only_is_told():
    rows = frame(("a", "x", 1, 5), ("a", "y", 1, 5), ("a", "y", 2, 5)).assign(item=["", "", "names"])
    with pytest.warns(UserWarning, match="for one arm only"): subject._samples(rows, pair=("x", "y"))
    with pytest.raises(ValueError, match="no figure in common"): subject._samples(rows.iloc[[0, 2]], pair=("x", "y"))


def test_results_are_found_by_name():
    made = estimate(frame(*GOOD, ("a", "y", 1, 5, "s")))
    assert made.get(arm="y").num == 1 and len(made.table) == 2
    for names, n in ((dict(arm="z"), 0), ({}, 2)):
        with pytest.raises(ValueError, match=f"{n} results"): made.get(**names)
