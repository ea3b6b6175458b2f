"""Intervals, differences and leaving one out: against slow definitions, scipy and statsmodels, and simulated audits of known truth."""
import itertools
import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint
from texts import examples

import amend_nb.estimates as subject
import amend_nb.intervals as intervals
import amend_nb.samples as samples
from amend_nb import (
    Study,
    compare_arms,
    error_counts,
    estimate,
    figures,
    holm,
    leave_one_out,
    measure_scores,
    wide_scores,
)

COLUMNS = ["clip", "arm", "measure", "num", "den"]
CELL = st.one_of(st.none(), st.tuples(st.integers(0, 6), st.integers(0, 9)))
ROWS = st.lists(st.tuples(st.sampled_from("stuv"), CELL, CELL), min_size=1, max_size=9)


def scores_of(rows, clusters=True):
    "Scores of (cluster, old, new), each side (num, den) or None."
    sides = [dict(clip=f"c{n}", arm=a, measure="wer", item="", basis="", repeat=0, num=v and v[0], den=v and v[1], cluster=s)
             for n, (s, *values) in enumerate(rows) for a, v in zip(("old", "new"), values, strict=True)]
    made = pd.DataFrame(sides).astype({"num": "Int64", "den": "Int64"})
    return made if clusters else made.drop(columns="cluster")


def sums_of(rows, clusters):
    "Sums of (num, den) by cluster; of each row alone without clusters."
    made = {}
    for n, (s, (num, den)) in enumerate(rows):
        e, m = made.get(s if clusters else n, (0, 0))
        made[s if clusters else n] = e + num, m + den
    return list(made.values())


def close(a, b): return (a is None) == (b is None) and (a is None or a == pytest.approx(b, rel=1e-9, abs=1e-12))


# ---- laws
def law_estimate(room):
    @examples(500)
    @given(ROWS, st.booleans(), st.randoms(use_true_random=False))
    def holds(rows, clusters, rng):
        done = [(s, v) for s, v, _ in rows if v is not None]
        table = scores_of(rows, clusters)
        [found] = [e for e in room.estimate(table) if e.arm == "old"]
        groups = sums_of(done, clusters)
        e, n, k = sum(g[0] for g in groups), sum(g[1] for g in groups), len(groups)
        assert (found.num, found.den, found.clips, found.clusters, found.not_scored) == (e, n, len(done), k, len(rows) - len(done))
        assert found.empty == sum(v[1] == 0 for _, v in done) and found.independent != clusters
        assert close(found.rate, e / n if n else None)
        assert ("independent" in str(found)) >= (not clusters) and (f"{found.not_scored} clip" in str(found)) >= bool(found.not_scored)
        rows = table.sample(frac=1, random_state=rng.randrange(99)).reset_index(drop=True)
        assert [r for r in room.estimate(rows) if r.arm == "old"][0].row() == found.row()
        if not n or k < 2 or e == 0: assert found.low is None or e == 0 and found.low == 0 < found.high <= 1; return
        se = math.sqrt(k / (k - 1) * sum(((a - e / n * b) / n)**2 for a, b in groups))
        assert close(found.se, se)
        share, t = all(v[0] <= v[1] <= 1 for _, v in done), stats.t.ppf(0.975, k - 1)
        if share: assert found.method.startswith("Wilson") and 0 <= found.low <= e / n <= found.high <= 1
        elif se > 1e-12: assert close(found.low, e / n * math.exp(-t * se / (e / n))) and close(found.high, e / n * math.exp(t * se / (e / n)))
    holds()


def law_difference(room):
    @examples(500)
    @given(ROWS, st.booleans(), st.randoms(use_true_random=False))
    def holds(rows, clusters, rng):
        table = scores_of(rows, clusters)
        [found] = room.compare_arms(table, "old", "new")
        both = [(s, a, b) for s, a, b in rows if a is not None and b is not None]
        old, new = (sums_of([(r[0], r[k]) for r in both], clusters) for k in (1, 2))
        (eo, no), (en, nn), k = *(map(sum, zip((0, 0), *side, strict=True)) for side in (old, new)), len(old)
        assert (found.clips, found.clusters, found.neither) == (len(both), k, sum(a is None and b is None for _, a, b in rows))
        assert found.only_old == tuple(sorted(f"c{n}" for n, (_, a, b) in enumerate(rows) if a is not None and b is None))
        assert found.only_new == tuple(sorted(f"c{n}" for n, (_, a, b) in enumerate(rows) if a is None and b is not None))
        shuffled = table.sample(frac=1, random_state=rng.randrange(99))
        if shuffled["arm"].nunique() == 2: assert room.compare_arms(shuffled, "old", "new")[0].row() == found.row()
        if not (no and nn): assert found.difference is found.low is found.p is None; return
        d = en / nn - eo / no
        assert close(found.difference, d)
        least = 2.0 ** (1 - max(1, sum(a != b for a, b in zip(old, new, strict=True))))
        assert found.least_p == least <= found.p + 1e-12 and ("no result can reach .05" in str(found)) == (least > 0.05)
        if k < 2: assert found.low is None; return
        se = math.sqrt(k / (k - 1) * sum(((b[0] - en / nn * b[1]) / nn - (a[0] - eo / no * a[1]) / no)**2 for a, b in zip(old, new, strict=True)))
        t = stats.t.ppf(0.975, k - 1)
        if se > 1e-12: assert close(found.low, d - t * se) and close(found.high, d + t * se)
        if eo and en: assert close(found.relative, en / nn / (eo / no) - 1)
        else: assert found.relative is None or eo
        lost = [(a, b) for _, a, b in rows if (a is None) != (b is None)]
        if not lost: assert found.worst is None; return
        full = [(a or (b[1], b[1]), b or (a[1], a[1])) for _, a, b in rows if a or b]
        (eo, no), (en, nn) = (map(sum, zip(*[f[k] for f in full], strict=True)) for k in (0, 1))
        assert close(found.worst, en / nn - eo / no)
    holds()


def law_left_out(room):
    @examples(500)
    @given(ROWS, st.booleans())
    def holds(rows, clusters):
        [found] = room.leave_one_out(scores_of(rows, clusters), "new", old="old")
        both = [(f"c{n}", s, a, b) for n, (s, a, b) in enumerate(rows) if a is not None and b is not None]

        def gap(kept):
            (eo, no), (en, nn) = (map(sum, zip((0, 0), *[r[k] for r in kept], strict=True)) for k in (2, 3))
            return en / nn - eo / no if no and nn else None
        value = gap(both)
        assert close(found.value, value) and found.not_scored == len(rows) - len(both)
        if value is None: assert found.turns == () and found.clips["without"].isna().all(); return
        for kind, table, turns in (("clip", found.clips, found.turns), ("cluster", found.clusters, found.clusters_turn)):
            if table is None: assert not clusters; continue
            at = kind == "cluster"
            want = {name: gap([r for r in both if r[at] != name]) for name in {r[at] for r in both}}
            got = dict(zip(table[kind], table["without"], strict=True))
            assert set(got) == set(want) and all(close(None if got[n] != got[n] else got[n], w) for n, w in want.items())
            if abs(value) > 1e-9: assert set(turns) == {n for n, w in want.items() if w is None or abs(w) < 1e-12 or (w > 0) != (value > 0)}
            elif not value: assert set(turns) == {n for n, w in want.items() if w is not None and abs(w) > 1e-12}
            moved = table["change"].abs()
            assert moved.dropna().is_monotonic_decreasing or moved.dropna().diff().max() < 1e-12
    holds()


def law_holm(room):
    @examples(500)
    @given(st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=8))
    def holds(values):
        found, told = room.holm(values), [v for v in values if v is not None]
        assert [f is None for f in found] == [v is None for v in values]
        for v, f in zip(values, found, strict=True):
            if v is not None: assert f == pytest.approx(max(min(1, w * sum(x >= w for x in told)) for w in told if w <= v))
        assert room.holm(dict(enumerate(values))) == dict(enumerate(found))
    holds()


LAWS = [law_estimate, law_difference, law_left_out, law_holm]


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.filterwarnings("ignore")
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_estimate, "np.sqrt(n / (n - 1) * (times * terms**2).sum())", "np.sqrt((times * terms**2).sum())"),
    (law_estimate, "- rate * sums[:, :, 0, 1]", "- rate"), (law_estimate, "(times * terms**2)", "(terms**2)"),
    (law_estimate, "int((sample.there[:, 0] & ~keep).sum())", "0"),
    (law_estimate, "(sample.counts[keep][:, 0, :, 1] == 0)", "(sample.counts[keep][:, 0, :, 0] == 0)"),
    (law_difference, "return terms[:, 1] - terms[:, 0]", "return terms[:, 1] + terms[:, 0]"),
    (law_difference, "value - t * se", "value - 2 * t * se"),
    (law_difference, "keep, f = sample.scored.all(axis=1)", "keep, f = sample.scored.any(axis=1)"), (law_difference, "2.0 ** (1 -", "2.0 ** (0 -"),
    (law_difference, "counts[lost, 1 - a, 1] if f.better", "0 if f.better"), (law_difference, "np.expm1(v)", "v"),
    (law_difference, "sample.scored[:, a] & ~sample.scored[:, 1 - a]", "sample.scored[:, a]"),
    (law_left_out, "way)), _contrast(figure.of(total - sums)", "way)), _contrast(figure.of(sums)"),
    (law_left_out, "* np.sign(value) > 1e-15", "* np.sign(value) > -1e-15"),
    (law_left_out, "keep, shape = sample.scored.all(axis=1)", "keep, shape = sample.scored.any(axis=1)"),
    (law_holm, "(len(values) - k)", "len(values)"), (law_holm, "max(largest, min(", "max(0, min("),
    (law_holm, "min(1.0, float(values", "min(9.0, float(values")])
@pytest.mark.filterwarnings("ignore")
def test_a_mutant_breaks_its_law(law, old, new): assert breaks(law, mutant(subject, (old, new)))


# ---- oracles
def test_holm_takes_a_series_and_no_text():
    assert holm(pd.Series({"a": 0.01, "b": 0.04})) == {"a": 0.02, "b": 0.04} and holm([]) == []
    assert holm(pd.Series([0.1, 0.1], index=[0, 0])) == [0.2, 0.2]
    with pytest.raises(TypeError, match="p_values='0.1'"): holm("0.1")
    with pytest.raises(TypeError, match="p_values=0.1"): holm(0.1)


@pytest.mark.parametrize("values", [[0.01], [0.04, 0.01, 0.03], [0.02, 0.02, 0.5, 0.9], [0, 1, 0.3, 0.3, 0.001, 0.6]])
def test_holm_is_statsmodels(values): assert holm(values) == pytest.approx(multipletests(values, method="holm")[1])


def heard(seed, speakers=20, clips=10, old=0.117, new=0.1, words=60):
    "Words of the clips of a simulated audit and errors of both arms: speakers, clips and the helpfulness of an arm vary about a known truth."
    rng = np.random.default_rng(seed)
    n = rng.integers(words // 2, 2 * words, (speakers, clips))
    hard = rng.gamma(4, 1 / 4, (speakers, 1)) * rng.gamma(3, 1 / 3, (speakers, clips))
    sides = [rng.poisson(n * hard * rng.gamma(9, 1 / 9, (speakers, 1)) * rate) for rate in (old, new)]
    return n.ravel(), [side.ravel() for side in sides], np.repeat(np.arange(speakers), clips)


def audit(*args, **kwargs):
    "A simulated audit as a table of scores."
    n, (old, new), speaker = heard(*args, **kwargs)
    df = pd.DataFrame({"n": n, "old": old, "new": new, "speaker": speaker.astype(str)})
    return wide_scores(df, {"old": ("old", "n"), "new": ("new", "n")}, "wer", cluster="speaker")


def test_the_standard_error_is_that_of_a_regression_with_clusters():
    "Errors on words through nought, weighted by 1 / words: statsmodels' cluster-robust standard error."
    table = audit(3)
    part = table[table["arm"] == "old"].astype({"num": float, "den": float})
    fit = sm.WLS(part["num"], part["den"], weights=1 / part["den"]).fit(cov_type="cluster", cov_kwds={"groups": part["cluster"].astype(int)})
    found = estimate(table).get(arm="old")
    assert found.rate == pytest.approx(fit.params.iloc[0], rel=1e-12) and found.se == pytest.approx(fit.bse.iloc[0], rel=1e-12)


@pytest.mark.parametrize("k, n", [(0, 12), (12, 12), (3, 12), (1, 400), (57, 60)])
def test_wilson_is_statsmodels(k, n):
    z = stats.norm.ppf(0.975)
    assert intervals._wilson(k / n, n, z) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-14)
    rows = pd.DataFrame({"clip": range(n), "arm": "x", "measure": "right", "num": [1] * k + [0] * (n - k), "den": 1})
    found = estimate(rows).get()
    if k in (0, n):
        assert (found.low, found.high) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-12)
        assert "no spread is seen" in str(found)
        return
    t, deff = stats.t.ppf(0.975, n - 1), n / (n - 1)
    assert (found.low, found.high) == pytest.approx(intervals._wilson(k / n, n / deff * (z / t)**2, z), rel=1e-9)


def test_the_bootstrap_is_scipys():
    table = audit(4, speakers=30)
    sums = table.groupby(["cluster", "arm"])[["num", "den"]].sum().unstack().to_numpy(dtype=float)

    def gap(new_e, old_e, new_n, old_n, axis=-1): return new_e.sum(axis) / new_n.sum(axis) - old_e.sum(axis) / old_n.sum(axis)
    theirs = stats.bootstrap(tuple(sums.T), gap, paired=True, vectorized=True, n_resamples=9_999, method="percentile", rng=1)
    mine = compare_arms(table, "old", "new", interval="bootstrap").get()
    assert mine.difference == pytest.approx(gap(*sums.T)) and mine.method == "bootstrap, 10,000 resamples, seed 0"
    assert (mine.low, mine.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.15 * theirs.standard_error)
    orders = [(table.sample(frac=1, random_state=k), seed) for k, seed in ((1, 0), (2, 0), (1, 7))]
    again = [compare_arms(t, "old", "new", interval="bootstrap", seed=seed).get() for t, seed in orders]
    assert mine.low == again[0].low == again[1].low != again[2].low


def test_derived_measures_by_the_jackknife():
    rng = np.random.default_rng(1)
    refs = [" ".join(rng.choice(list("abcdefgh"), 12)) for _ in range(24)]
    hyps = [[" ".join(w for w in r.split() if rng.random() > 0.1 * k) for r in refs] for k in (1, 2)]
    df = pd.DataFrame({"reference": refs, "one": hyps[0], "two": hyps[1], "speaker": [f"s{n % 6}" for n in range(24)]})
    study = Study.from_wide(df, arms=["one", "two"], cluster="speaker", norm="none")
    scores = measure_scores(study, ["wip", "wil", "wer"])
    found, wip = estimate(study, ["wip", "wer"]), figures(scores, "wip").set_index("arm")["rate"]

    def value(rows, arm):
        part = rows[rows["arm"] == arm].groupby("measure")[["num", "den"]].sum()
        (h, n), (_, p) = part.loc["hits"], part.loc["precision"]
        return h / n * (h / p)
    scores["speaker"] = scores["clip"].map(dict(zip(study.clips["clip"], df["speaker"], strict=True)))
    without = {a: [value(scores[scores["speaker"] != s], a) for s in sorted(set(df["speaker"]))] for a in ("one", "two")}
    one = found.get(arm="one", measure="wip")
    se = math.sqrt(5 / 6 * sum((x - np.mean(without["one"]))**2 for x in without["one"]))
    assert one.rate == pytest.approx(wip["one"]) and one.se == pytest.approx(se) and one.num is None and one.method == "jackknife"
    assert (one.low, one.high) == pytest.approx((one.rate - stats.t.ppf(0.975, 5) * se, one.rate + stats.t.ppf(0.975, 5) * se))
    d, gaps = compare_arms(study, "one", "two", "wip").get(), np.subtract(without["two"], without["one"])
    assert d.difference == pytest.approx(wip["two"] - wip["one"]) and d.se == pytest.approx(math.sqrt(5 / 6 * ((gaps - gaps.mean())**2).sum()))
    assert d.exact and d.p >= d.least_p == 2 / 2**6 and d.better == "higher" and "worse" in str(d)
    assert leave_one_out(study, "one", measures="wip").get().clusters["without"].sort_values().tolist() == pytest.approx(sorted(without["one"]))


# ---- the truth is known: does the interval hold it?
def covered(seeds, shape, truth, clusters=True, share=False):
    "Shares of audits in which the interval of the rate, and of the difference, holds the truth, and of those that call the arms different."
    held = []
    for seed in seeds:
        n, sides, speaker = heard(seed, *shape, *truth)
        if share: n, sides = np.ones_like(n), [(side > 5).astype(int) for side in sides]
        counts, all_of_it = np.stack([np.stack([e, n], axis=1) for e in sides], axis=1)[:, :, None], np.ones((len(n), 2), bool)
        sample = samples._Sample({}, samples._figure("wer"), ("old", "new"), np.arange(len(n)), counts, all_of_it, all_of_it,
                                 speaker if clusters else None, range(shape[0]))
        one = sample._replace(counts=counts[:, :1], there=all_of_it[:, :1], scored=all_of_it[:, :1])
        e, d = subject._estimate(one, 0.95, "linearised", 100, 0), subject._difference(sample, "linearised", 0.95, 100, 999, 0)
        right = truth[0] if not share else share
        held.append((e.low <= right <= e.high, d.low <= truth[1] - truth[0] <= d.high, d.p <= 0.05))
    return np.mean(held, axis=0)


def test_a_sample_made_here_is_that_of_a_table():
    "What the simulations below take is what a reader's table gives."
    [made] = samples._samples(audit(7), pair=("old", "new"))
    n, sides, speaker = heard(7)
    assert (made.counts[:, :, 0, 1] == n[:, None]).all() and (made.counts[:, :, 0, 0] == np.stack(sides, 1)).all()
    assert (made.clusters == speaker).all()


@pytest.mark.parametrize("speakers, clips", [(8, 25), (20, 10), (60, 3)])
def test_intervals_hold_the_truth_in_simulated_audits(speakers, clips):
    rate, gap, _ = covered(range(400), (speakers, clips), (0.117, 0.1))
    assert 0.90 <= rate <= 0.99 and 0.91 <= gap <= 0.99


def test_clips_taken_as_independent_do_not_hold_it():
    rate, gap, alarms = covered(range(300), (8, 25), (0.117, 0.117), clusters=False)
    assert rate < 0.80 and gap < 0.90 and alarms > 0.10


def test_equal_arms_are_called_different_one_time_in_twenty():
    assert 0.01 <= covered(range(1000, 1400), (9, 10), (0.117, 0.117))[2] <= 0.09
    assert 0.01 <= covered(range(2000, 2400), (20, 5), (0.117, 0.117))[2] <= 0.09


def test_shares_hold_the_truth():
    truth = np.mean([(heard(s, 400, 10)[1][0] > 5).mean() for s in range(9_000, 9_020)])
    assert 0.91 <= covered(range(400), (8, 25), (0.117, 0.1), share=truth)[0] <= 0.99


# ---- single cases
def test_arms_are_paired_by_id_and_not_by_place():
    a, b = [("u1", 0), ("u2", 1), ("u3", 0), ("u4", 1)], [("u2", 1), ("u1", 0), ("u4", 1), ("u3", 0)]
    rows = pd.DataFrame([(c, arm, "wrong", n, 1) for arm, side in (("A", a), ("B", b)) for c, n in side], columns=COLUMNS)
    d = compare_arms(rows, better="lower").get()
    assert (d.difference, d.p, d.clips, d.low) == (0, 1, 4, None) and "±0.0 points" in str(d)


def test_each_arm_loses_other_clips():
    sides = {"A": (1, None, 0), "B": (1, 1, None)}
    rows = [(f"r{k}", arm, "wrong", n, n if n is None else 1) for arm, side in sides.items() for k, n in enumerate(side, 1)]
    d = compare_arms(pd.DataFrame(rows, columns=COLUMNS).astype({"num": "Int64", "den": "Int64"}), "A", "B", better="lower").get()
    assert (d.clips, d.difference, d.only_old, d.only_new) == (1, 0, ("r3",), ("r2",))
    assert "B lacks 1 clip that the other has (r3); A lacks 1 clip that the other has (r2)" in str(d) and d.worst == pytest.approx(1 / 3)


def test_null_is_not_zero_and_one_cluster_has_no_interval():
    rows = [("a", "x", "wer", 0, 0), ("b", "x", "wer", 2, 0), ("a", "y", "wer", 1, 9), ("b", "y", "wer", 0, 4)]
    rows = pd.DataFrame(rows, columns=COLUMNS).assign(cluster="s")
    x, y = estimate(rows)
    assert x.rate is x.low is x.se is None and (x.num, x.den, x.empty) == (2, 0, 2) and "no figure" in str(x)
    assert y.rate == 1 / 13 and y.low is y.high is None and "one cluster" in str(y)
    d = compare_arms(rows, "x", "y").get()
    assert d.difference is d.p is d.low is d.relative is None and "no difference can be given" in str(d)
    assert leave_one_out(rows, "x").get().value is None and "no figure" in str(leave_one_out(rows, "x"))
    alone = estimate(rows[rows["arm"] == "y"].iloc[:1]).get()
    assert (alone.rate, alone.low, alone.clusters) == (1 / 9, None, 1)
    assert estimate(rows).table["rate"].isna().tolist() == [True, False]


def test_nothing_wrong_is_bounded_and_equal_clusters_are_not_called_certain():
    rows = pd.DataFrame([(f"c{n}", "x", 0, 10, f"s{n % 4}") for n in range(20)], columns=["clip", "arm", "num", "den", "cluster"])
    none = estimate(rows).get()
    assert none.low == 0 and none.high == pytest.approx(proportion_confint(0, 20, method="wilson")[1]) and "no spread" in str(none)
    boot = estimate(rows, interval="bootstrap").get()
    assert (boot.low, boot.high) == (none.low, none.high)
    same = estimate(rows.assign(num=1)).get()
    assert same.low is None and same.rate == 0.1 and "no spread" in str(same)


def test_several_measures_are_corrected_but_for_the_primary():
    base = audit(11, speakers=10)
    more = pd.concat([base, base.assign(measure="cer", num=base["num"] + (base["arm"] == "old")), base.assign(measure="ser")])
    found = compare_arms(more, "old", "new")
    assert [d.p_holm for d in found] == pytest.approx(holm([d.p for d in found])) and "after Holm" in str(found)
    primary = compare_arms(more, "old", "new", primary="wer")
    assert primary.get(measure="wer").p_holm is None
    assert [primary.get(measure=m).p_holm for m in ("cer", "ser")] == holm([primary.get(measure=m).p for m in ("cer", "ser")])
    with pytest.raises(ValueError, match="primary='hits' was not compared; there are wer"): compare_arms(more, "old", "new", primary="hits")
    assert compare_arms(base, "old", "new").get().p_holm is None


def test_a_sentence_says_how_it_was_counted():
    table = audit(3, 4, 3).assign(basis="amend@1+0f3a |  | char | rules | v1")
    for made in (estimate(table), compare_arms(table, "old", "new"), leave_one_out(table, "old")):
        assert "counted under amend@1, char, rules, v1." in str(made)
    assert "counted" not in str(estimate(audit(3, 4, 3)))


def test_a_single_clip_can_turn_the_sign():
    rows = [("steady", 5, 4), ("even", 3, 3), ("wild", 0, 4)]
    df = pd.DataFrame(rows, columns=["clip", "a", "b"]).assign(n=20, who=["s", "t", "u"])
    scores = wide_scores(df, {"a": ("a", "n"), "b": ("b", "n")}, "wer", clip="clip", cluster="who")
    found = leave_one_out(scores, "b", old="a").get()
    assert found.value == pytest.approx(3 / 60) and found.turns == ("wild",) and found.clusters_turn == ("u",)
    assert found.clips["clip"].iloc[0] == "wild" and found.low == pytest.approx(-1 / 40) and "sign turns or goes without wild" in str(found)
    se = estimate(scores).get(arm="a").se
    assert leave_one_out(scores, "a").get().se == pytest.approx(se) and len(leave_one_out(scores)) == 2


@pytest.mark.parametrize("call, words", [
    (lambda s: compare_arms(s, "old"), "new=None: name both"), (lambda s: compare_arms(s, "old", "other"), "no arm 'other'; there are 'old', 'new'"),
    (lambda s: compare_arms(s, "old", "old"), "the same arm"), (lambda s: compare_arms(s, better="up"), "better='up'"),
    (lambda s: compare_arms(s[s["arm"] == "old"]), "name the two arms"), (lambda s: estimate(s, level=95), "level=95"),
    (lambda s: estimate(s, interval="exact"), "interval='exact'"), (lambda s: estimate(s, resamples=10), "resamples=10"),
    (lambda s: compare_arms(s, flips=True), "flips=True"), (lambda s: estimate(s, seed="x"), "seed='x'"),
    (lambda s: compare_arms(s, seed=-1), "seed=-1"), (lambda s: leave_one_out(s, old="old"), "name the arm"),
    (lambda s: leave_one_out(s, "other"), "arm='other': there is no such arm"), (lambda s: holm([0.1, 2]), r"p_values\[1\]=2"),
    (lambda s: holm({"a": "0.1"}), r"p_values\['a'\]='0.1'")])
def test_what_cannot_be_is_refused(call, words):
    with pytest.raises(ValueError, match=words): call(audit(1, 4, 3))


def counted(**arms):
    return pd.DataFrame([(c, arm, "wer", *pair) for arm, side in arms.items() for c, pair in side.items()],
                        columns=["clip", "arm", "measure", "num", "den"]).astype({"num": "Int64", "den": "Int64"})


def test_a_difference_of_nought_has_no_sign_to_hold():
    level = counted(x={"a": (0, 9), "b": (5, 9)}, y={"a": (5, 9), "b": (0, 9)})
    found = leave_one_out(level, "y", old="x").get()
    assert found.value == 0 and set(found.turns) == {"a", "b"} and "holds" not in str(found)
    assert "there is no sign to hold: + without b and − without a" in str(found)
    same = leave_one_out(counted(x={"a": (1, 9), "b": (5, 9)}, y={"a": (1, 9), "b": (5, 9)}), "y", old="x").get()
    assert same.turns == () and "there is no sign to hold, and none without any clip" in str(same)
    one = leave_one_out(counted(x={"a": (1, 9)}, y={"a": (5, 9)}), "y", old="x").get()
    assert one.turns == ("a",) and "without clip a there is no figure" in str(one) and "holds" not in str(one)
    apart = counted(x={"a": (1, 9), "b": (None, None)}, y={"a": (None, None), "b": (1, 9)})
    assert "2 clips not scored in both" in str(leave_one_out(apart, "y", old="x").get())


def test_a_difference_that_cannot_be_told_says_which_arm_lacks_what():
    failed = counted(x={"a": (1, 9), "b": (2, 9)}, y={"a": (None, None), "b": (None, None)})
    d = compare_arms(failed, "x", "y").get()
    assert d.difference is None and d.only_old == ("a", "b") and d.worst > 0
    assert "no clip has a score in both; y lacks 2 clips that the other has (a, b); +83.3 points if those were wrong in full" in str(d)
    apart = counted(x={"a": (1, 9)}, y={"b": (1, 9)})
    assert "y lacks 1 clip that the other has (a); x lacks 1 clip that the other has (b)" in str(compare_arms(apart, "x", "y").get())


def test_scores_of_a_study_are_told_their_clusters():
    rows = [(f"c{n}", f"s{n % 3}", "a b c d") for n in range(9)]
    clips = pd.DataFrame(rows, columns=["clip", "cluster", "reference"])
    study = Study.from_tidy(clips, clips[["clip"]].assign(arm="x", text=["a b c d", "a c d", "x y c d"] * 3), norm="none")
    whole, bare = estimate(study, "wer").get(), study.scores("wer")
    assert estimate(bare).get().independent and not whole.independent
    assert estimate(bare, cluster=study.clips.set_index("clip")["cluster"]).get().row() == whole.row()


def test_real_clips_and_their_engines(shared):
    "The pooled rates are those of error_counts; an arm against itself never differs; pairs are told both ways alike."
    folder = shared / "data/en_voxpopuli_5engines"
    [path] = [p for p in folder.glob("*.csv")] or [p for p in folder.glob("*.jsonl")]
    df = pd.read_csv(path, dtype=str, keep_default_na=False) if path.suffix == ".csv" else pd.read_json(path, lines=True, dtype=str)
    study = Study.from_long(df[["id", "engine", "reference", "hypothesis"]], norm="whisper-english")
    counts, found = error_counts(study), estimate(study, "wer")
    for e in found:
        own = counts.xs(e.arm, level="arm").sum()
        assert (e.num, e.den) == (own["substitutions"] + own["deletions"] + own["insertions"], own["reference_length"])
        assert e.low < e.rate < e.high and e.clips == 150 and e.independent
    for a, b in itertools.islice(itertools.combinations(study.arms, 2), 4):
        one, other = (compare_arms(counts, *pair).get() for pair in ((a, b), (b, a)))
        assert one.difference == -other.difference and (one.low, one.p) == (-other.high, other.p)
