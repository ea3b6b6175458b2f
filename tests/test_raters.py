"""Agreement against its definitions and the packages that others use; a judge's noise against simulated judges of known noise."""
import itertools
import math

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from scipy import stats
from statsmodels.stats.inter_rater import cohens_kappa
from texts import examples

import amend_nb.raters as subject
from amend_nb import BadTable, Study, Verdict, rating_agreement, repeat_noise

RATING = st.one_of(st.none(), st.integers(0, 3))
TABLE = st.integers(2, 4).flatmap(lambda judges: st.lists(st.lists(RATING, min_size=judges, max_size=judges), min_size=1, max_size=8))


def close(a, b): return (a is None) == (b is None) and (a is None or a == pytest.approx(b, abs=1e-9))


def slow_alpha(rows, scale):
    "Krippendorff's alpha, pair by pair."
    def apart(a, b): return float(a != b) if scale == "nominal" else (a - b)**2 if scale == "interval" else ((a - b) / (a + b))**2 if a + b else 0
    units = [[v for v in row if v is not None] for row in rows]
    units = [u for u in units if len(u) > 1]
    values = [v for u in units for v in u]
    n = len(values)
    seen = sum(apart(a, b) / (len(u) - 1) for u in units for a, b in itertools.permutations(u, 2)) / n
    chance = sum(apart(a, b) for a, b in itertools.permutations(values, 2)) / (n * (n - 1))
    return 1 - seen / chance if chance else None


def slow_ac1(rows):
    "Raw agreement and Gwet's AC1, label by label."
    units = [[v for v in row if v is not None] for row in rows]
    labels = sorted({v for u in units for v in u})
    units = [u for u in units if len(u) > 1]
    raw = sum(sum(a == b for a, b in itertools.permutations(u, 2)) / (len(u) * (len(u) - 1)) for u in units) / len(units)
    if len(labels) < 2: return raw, None
    share = [sum(u.count(v) / len(u) for u in units) / len(units) for v in labels]
    chance = sum(q * (1 - q) for q in share) / (len(labels) - 1)
    return raw, (raw - chance) / (1 - chance)


# ---- laws
def law_agreement(room):
    @examples(500)
    @given(TABLE, st.sampled_from(["nominal", "interval", "ratio"]), st.randoms(use_true_random=False))
    def holds(rows, scale, rng):
        table = pd.DataFrame(rows, columns=[f"judge {k}" for k in range(len(rows[0]))], dtype=object)
        two = [r for r in rows if sum(v is not None for v in r) > 1]
        if not two:
            try: room.rating_agreement(table, scale, resamples=3)
            except ValueError as e: assert "no draft with two ratings" in str(e); return
            raise AssertionError("an agreement of nobody with nobody")
        found, (raw, ac1) = room.rating_agreement(table, scale, resamples=3), slow_ac1(rows)
        assert close(found["raw"], raw) and close(found["AC1"], ac1) and close(found["alpha"], slow_alpha(rows, scale))
        assert (found.drafts, found.alone, found.independent) == (len(two), len(rows) - len(two), True) and "independent" in str(found)
        if len(rows[0]) == 2 and len({v for r in two for v in r}) > 1:
            square = np.zeros((4, 4))
            for a, b in two: square[a, b] += 1
            theirs = cohens_kappa(square, return_results=False) if len({(a, b) for a, b in two}) > 1 else None
            if theirs is not None and not math.isnan(theirs): assert close(found["kappa"], theirs)
        shuffled = table.sample(frac=1, random_state=rng.randrange(99))
        assert room.rating_agreement(shuffled, scale, resamples=3).table.equals(found.table)
    holds()


REPEATS = st.lists(st.lists(st.one_of(st.none(), st.tuples(st.integers(0, 5), st.integers(1, 9))), min_size=1, max_size=4), min_size=1, max_size=6)


def law_noise(room):
    @examples(500)
    @given(REPEATS, st.randoms(use_true_random=False))
    def holds(clips, rng):
        rows = [(f"c{c}", "x", "m", r, v and v[0], v and v[1]) for c, runs in enumerate(clips) for r, v in enumerate(runs)]
        table = pd.DataFrame(rows, columns=["clip", "arm", "measure", "repeat", "num", "den"]).astype({"num": "Int64", "den": "Int64"})
        [found] = room.repeat_noise(table)
        told = [[v for v in runs if v is not None] for runs in clips]
        again = [u for u in told if len(u) > 1]
        assert (found.clips, found.once, found.not_scored) == (len(again), sum(len(u) == 1 for u in told), sum(not u for u in told))
        close_again = room.repeat_noise(table.sample(frac=1, random_state=rng.randrange(99)))[0]
        assert close(close_again.se, found.se) and close(close_again.sd, found.sd)
        if not again: assert found.sd is found.se is found.share is None and "cannot be estimated" in str(found); return
        df = sum(len(u) - 1 for u in again)
        noise = sum((len(u) - 1) * np.var([v[0] for v in u], ddof=1) for u in again) / df
        assert close(found.sd, math.sqrt(noise)) and close(found.sd_high, math.sqrt(df * noise / stats.chi2.ppf(0.025, df)))
        whole = [u for u in told if u]
        rate = sum(v[0] for u in whole for v in u) / sum(v[1] for u in whole for v in u)
        spread = [np.var([y - rate * n for y, n in u], ddof=1) if len(u) > 1 else None for u in whole]
        mean = np.mean([s for s in spread if s is not None])
        total = sum(np.mean([n for _, n in u]) for u in whole)
        assert close(found.rate, rate) and close(found.se, math.sqrt(sum(mean if s is None else s for s in spread)) / total)
        assert close(found.se_mean, math.sqrt(sum((mean if s is None else s) / len(u) for s, u in zip(spread, whole, strict=True))) / total)
        assert found.share is None or 0 <= found.share <= 1
        assert close(found.least_difference(found), 1.96 * math.sqrt(2) * found.se)
    holds()


@pytest.mark.parametrize("law", [law_agreement, law_noise])
@pytest.mark.filterwarnings("ignore")
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_agreement, "* 2 / (told[both].sum(axis=1) - 1)", "* 2"), (law_agreement, "(n * (n - 1)))) if chance", "n**2)) if chance"),
    (law_agreement, "/ (counts.shape[1] - 1)", "/ counts.shape[1]"), (law_agreement, "counts * (counts - 1)", "counts * counts"),
    (law_agreement, "out=np.zeros(np.broadcast(a, b).shape), where=(a + b) != 0)**2", "out=np.zeros(np.broadcast(a, b).shape), where=(a + b) != 0)"),
    (law_agreement, "chance = 2 * n *", "chance = n *"), (law_agreement, "keep = rated > 1", "keep = rated > 0"),
    (law_agreement, "order = np.lexsort([*flat, codes] if clusters is not None else flat)", "order = np.arange(len(codes))"),
    (law_noise, "spread[times == 1] = spread[times > 1].mean()", "pass"), (law_noise, "np.maximum(times - 1, 1)", "times"),
    (law_noise, "(spread / times).sum()", "spread.sum()"), (law_noise, "- num.sum() / den.sum() * den", ""),
    (law_noise, "df * within / chi", "within / chi"),
    (law_noise, "1.96 * sqrt(self.se**2 + other.se**2)", "1.96 * (self.se + other.se)")])
@pytest.mark.filterwarnings("ignore")
def test_a_mutant_breaks_its_law(law, old, new): assert breaks(law, mutant(subject, (old, new)))


# ---- oracles
@pytest.mark.parametrize("scale", ["nominal", "interval", "ratio"])
def test_alpha_is_the_packages(scale):
    "Krippendorff's own example of four coders with gaps, and a large table of counts."
    rows = [[1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
            [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]]
    rng = np.random.default_rng(0)
    counts = rng.poisson(4, (5, 200)) + rng.poisson(3, 200)
    for table in (np.array([[np.nan if v is None else v for v in r] for r in rows]), counts.astype(float)):
        theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=scale)
        assert rating_agreement(pd.DataFrame(table.T), scale, resamples=2)["alpha"] == pytest.approx(theirs, abs=1e-9)


def test_one_number_is_never_enough():
    "Nineteen in twenty drafts alike: little beyond chance for kappa and alpha, much for AC1; and the same raw agreement with even labels."
    rare, even = ([(1, 1)] * a + [(1, 0)] * 3 + [(0, 1)] * 3 + [(0, 0)] * (94 - a) for a in (91, 47))
    r, e = (rating_agreement(pd.DataFrame(t, columns=["a", "b"]), resamples=50) for t in (rare, even))
    assert r["raw"] == e["raw"] == 0.94 and r["alpha"] < 0.5 < 0.9 < r["AC1"] and e["alpha"] == pytest.approx(e["AC1"], abs=0.01)
    assert r["kappa"] == pytest.approx(cohens_kappa(np.array([[3, 3], [3, 91]])).kappa)
    assert "raw 0.94" in str(r) and "AC1" in str(r) and "alpha" in str(r) and "95 % intervals" in str(r)


def test_intervals_draw_clusters_and_do_not_depend_on_the_order():
    rng = np.random.default_rng(8)
    speakers = np.repeat([f"s{k}" for k in range(12)], 10)
    first = rng.integers(0, 2, 120)
    wrong = np.repeat(rng.random(12) < 0.4, 10) & (rng.random(120) < 0.9)
    table = pd.DataFrame({"a": first, "b": np.where(wrong, 1 - first, first)})
    clips, clusters = (rating_agreement(table, cluster=c).table.set_index("statistic") for c in (None, speakers))
    width = [t.at["raw", "high"] - t.at["raw", "low"] for t in (clips, clusters)]
    assert width[1] > 1.8 * width[0]
    order = rng.permutation(120)
    again = rating_agreement(table.iloc[order], cluster=speakers[order])
    assert again.table.set_index("statistic").equals(clusters) and again.clusters == 12 and "12 clusters drawn again" in str(again)
    assert "clips taken as independent" in str(rating_agreement(table, resamples=9))
    assert not rating_agreement(table, cluster=speakers, seed=1).table.set_index("statistic").equals(clusters)


@pytest.mark.parametrize("ratings, options, kind, words", [
    ({"a": [1, 2]}, {}, ValueError, "ratings has 1 judge"), ({"a": [1, None], "b": [None, 1]}, {}, ValueError, "no draft with two ratings, of 2"),
    ({"a": [1], "b": [1]}, dict(scale="ordinal"), ValueError, "scale='ordinal'"), ({"a": [1], "b": [1]}, dict(level=95), ValueError, "level=95"),
    ({"a": [1], "b": [1]}, dict(cluster=[1, 2]), ValueError, "cluster has 2"),
    ({"a": [1, 2], "b": [1, 2]}, dict(cluster=["s", None]), ValueError, "cluster: row 1 has none"),
    ({"a": [1, "x"], "b": [1, 2]}, dict(scale="interval"), BadTable, "column 'a': row 1: 'x'; expected a number"),
    ({"a": [1, 2], "b": [1, -2]}, dict(scale="ratio"), BadTable, "column 'b': row 1: -2; expected a number from 0"),
    ({"a": [1, 2], "b": [1, math.inf]}, dict(scale="interval"), BadTable, "column 'b': row 1: inf")])
def test_agreement_refuses(ratings, options, kind, words):
    with pytest.raises(TypeError, match="ratings="): rating_agreement([[1, 2]])
    with pytest.raises(ValueError, match="not 1 of a, 2 of b; None stands for a draft"): rating_agreement({"a": [1], "b": [1, 2]})
    with pytest.raises(ValueError, match="resamples=-1"): rating_agreement({"a": [1], "b": [1]}, resamples=-1)
    with pytest.raises(TypeError, match=r"ratings\['b'\]=1: expected a list"): rating_agreement({"a": [1], "b": 1})
    with pytest.raises(TypeError, match=r"ratings\['b'\]='yn': expected a list"): rating_agreement({"a": ["y", "n"], "b": "yn"})
    with pytest.raises(TypeError, match="cluster='uv': expected a list"): rating_agreement({"a": [1, 1], "b": [1, 2]}, cluster="uv")
    for wrong in ("95", None, [0.9]):
        with pytest.raises(ValueError, match="level="): rating_agreement({"a": [1], "b": [1]}, level=wrong)
    with pytest.raises(ValueError, match="seed=-1"): rating_agreement({"a": [1], "b": [1]}, seed=-1)
    with pytest.raises(kind, match=words): rating_agreement(ratings, **options)


# ---- noise
def judged(seed, clips=60, repeats=3, sd=2, base=20):
    "Counts of a judge whose noise is known: clips of their own difficulty, plus noise of variance sd² from a Poisson of that mean."
    rng = np.random.default_rng(seed)
    y = rng.integers(base, 2 * base, (clips, 1)) + rng.poisson(sd**2, (clips, repeats))
    rows = [(f"c{c}", "x", "m", r, int(y[c, r]), 100) for c in range(clips) for r in range(repeats)]
    return pd.DataFrame(rows, columns=["clip", "arm", "measure", "repeat", "num", "den"]), y


def test_noise_is_unbiased_and_its_interval_holds_it():
    found = [(repeat_noise(judged(s)[0]).get(), judged(s)[1]) for s in range(200)]
    assert np.mean([f.sd**2 for f, _ in found]) == pytest.approx(4, rel=0.03)
    assert 0.90 <= np.mean([f.sd_low <= 2 <= f.sd_high for f, _ in found]) <= 0.99
    truth = np.sqrt(60 * 4) / 6000
    assert np.mean([f.se for f, _ in found]) == pytest.approx(truth, rel=0.03)
    assert np.mean([f.se_mean for f, _ in found]) == pytest.approx(truth / math.sqrt(3), rel=0.03)
    assert np.mean([f.share for f, _ in found]) == pytest.approx(4 / (4 + (20**2 - 1) / 12), rel=0.08)
    runs = [y[:, 0].sum() / 6000 - y[:, 1].sum() / 6000 for _, y in found]
    assert 0.9 <= np.mean([abs(d) < f.least_difference(f) for (f, _), d in zip(found, runs, strict=True)]) <= 0.99


def test_repeats_that_are_none_are_refused():
    table = judged(1, 4)[0]
    with pytest.raises(BadTable, match="column 'repeat', clip 'c1': row 4: repeat 0 of the same clip"):
        repeat_noise(table.assign(repeat=[0, 1, 2, 0, 0, *[1, 2, 3] * 2, 9]))
    with pytest.raises(ValueError, match=r"repeat 1 of clip 'c0' is a stored answer \(key k0\)"):
        repeat_noise(table.assign(key=[f"k{c[1:]}" for c in table["clip"]]))
    assert repeat_noise(table.assign(key=[f"k{n}" for n in range(12)])).get().clips == repeat_noise(table.assign(key="")).get().clips == 4
    with pytest.raises(ValueError, match="no column 'repeat'"): repeat_noise(table.drop(columns="repeat"))
    with pytest.raises(ValueError, match="'wip' is derived"): repeat_noise(table, "wip")
    with pytest.raises(ValueError, match=r"measures=\['wer'\]: there are m"): repeat_noise(table, "wer")
    with pytest.raises(BadTable, match="row 0: -1"): repeat_noise(table.assign(num=-1))
    one = repeat_noise(table[table["repeat"] == 0]).get()
    assert one.sd is None and one.once == 4 and "no clip was judged twice" in str(one)


def test_a_study_judged_again_and_again():
    rows = [(f"{n}", f"Draft {n} is right.", f"draft {n}", f"draft {n} is wrong") for n in range(8)]
    study = Study.from_wide(pd.DataFrame(rows, columns=["clip", "reference", "spoken", "plain"]), arms=["plain"], clip="clip", spoken="spoken")

    class Judge:
        name, retries = "mine", 0

        def __init__(self, repeat): self.repeat = repeat
        def fix_many(self, items, mode="sync"):
            fixed = [i if (n + self.repeat) % 3 else p for n, (p, i, _) in enumerate(items)]
            return [Verdict(f, repeat=self.repeat, judge="mine", key=f"{n} {self.repeat}") for n, f in enumerate(fixed)]
    for r in range(3): study = study.judge(Judge(r))
    found = repeat_noise(study, "amend").get()
    assert (found.clips, found.repeats, found.not_scored) == (8, 3, 0) and found.sd > 0 and 0 < found.se < 0.2
