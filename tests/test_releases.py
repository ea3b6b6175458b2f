"""What a test takes, what a release did, and what an arm costs."""
import math
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from scipy import stats
from test_estimates import COLUMNS, audit, scores_of
from texts import examples

import amend_nb.releases as subject
from amend_nb import BadTable, Study, arm_costs, compare_arms, compare_releases, estimate, plan_sample

CELL = st.one_of(st.none(), st.tuples(st.integers(0, 6), st.integers(0, 9)))
ROWS = st.lists(st.tuples(st.sampled_from("stuv"), CELL, CELL), min_size=1, max_size=9)


def law_changes(room):
    @examples(500)
    @given(ROWS, st.sampled_from(["lower", "higher"]))
    def holds(rows, better):
        table = scores_of(rows).assign(measure="mine")
        sides = [table[table["arm"] == a].assign(arm="same") for a in ("old", "new")]
        found = room.compare_releases(*sides, better=better)

        def wrong(v): return v[0] if better == "lower" else v[1] - v[0]
        want = {}
        for n, (_, a, b) in enumerate(rows):
            more = None if a is None or b is None else wrong(b) - wrong(a)
            kept = "broken" if more and more > 0 else "mended" if more else "unchanged"
            status = ("not scored" if b is None else "new") if a is None else "lost" if b is None else kept
            want[f"c{n}"] = (status, more)
        got = {r.clip: (r.status, None if pd.isna(r.more) else int(r.more)) for r in found.table.itertuples()}
        assert got == want and found.counts == {s: sum(v[0] == s for v in want.values()) for s in room.STATUSES}
        rank = [(room.STATUSES.index(s), -(m or 0)) for s, m in (got[c] for c in found.table["clip"])]
        assert all(a[0] <= b[0] and (a[0] != b[0] or a[0] in (1, 4, 5) or a[1] <= b[1]) for a, b in zip(rank, rank[1:], strict=False))
        both = compare_arms(table, "old", "new", better=better).get()
        assert {**found.difference.row(), "p": None} == {**both.row(), "p": None}
        worst = found.table["clip"].iloc[0]
        assert (f"worst broken: {worst}" in str(found)) == bool(found.counts["broken"])
    holds()


@cache
def scipys(p, df): return stats.t.ppf(p, df)


def law_plan(room):
    "The fewest clusters that suffice, found by counting up."
    @examples(500)
    @given(st.floats(1e-5, 0.02), st.floats(0.004, 0.1), st.sampled_from([0.8, 0.9, 0.99]), st.sampled_from([0.95, 0.99]))
    def holds(variance, detect, power, level):
        n = 6
        while (scipys((1 + level) / 2, n - 1) + scipys(power, n - 1)) * math.sqrt(variance / n) > detect and n < 200: n += 1
        found = room._needed(variance, detect, level, power)
        assert found == n or n == 200 <= found
    holds()


@pytest.mark.parametrize("law", [law_changes, law_plan])
@pytest.mark.filterwarnings("ignore")
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_changes, "if sample.figure.better == \"lower\" else den - num", ""), (law_changes, "both & (more > 0)", "both & (more >= 0)"),
    (law_changes, "-np.where(both, more,", "np.where(both, more,"), (law_changes, "~seen[:, 0] & seen[:, 1]", "~seen[:, 0]"),
    (law_changes, "pd.arrays.IntegerArray(more, ~both)", "pd.arrays.IntegerArray(-more, ~both)"),
    (law_plan, "+ student_quantile(power, n - 1)", ""), (law_plan, "least=6", "least=9"), (law_plan, "(middle + 1, high)", "(middle + 2, high)"),
    (law_plan, "low = least if high == least else high // 2", "low = high")])
@pytest.mark.filterwarnings("ignore")
def test_a_mutant_breaks_its_law(law, old, new):
    assert breaks(law, mutant(subject, (old, new)))


# ---- planning
@pytest.mark.parametrize("clusters, clips", [(8, 25), (30, 1)])
def test_a_plan_has_the_power_it_promises(clusters, clips):
    "Planned from a large pilot of the same kind, then simulated."
    plan = plan_sample(audit(6, 1500, clips), detect=0.03)
    seen = []
    for seed in range(300):
        table = audit(10_000 + seed, plan.clusters, clips, 0.117, 0.087)
        d = compare_arms(table, "old", "new", flips=99).get()
        seen.append(d.high < 0)
    assert np.mean(seen) == pytest.approx(0.8, abs=0.09)


def test_a_plan_tells_speakers_from_clips():
    plan = plan_sample(audit(2, 30, 12), detect=0.02)
    table = plan.table.set_index("clips_per_cluster")
    assert plan.clips_per_cluster == 12 and plan.clips == 12 * plan.clusters and plan.careful > plan.clusters >= 6
    assert table.loc[1, "clusters"] > table.loc[5, "clusters"] > table.loc[50, "clusters"] and table.loc[1, "clips"] < table.loc[50, "clips"]
    assert 0 < plan.between and 0 < plan.within and f"{plan.clusters} clusters of 12 clips each" in str(plan)
    own = compare_arms(audit(2, 30, 12), "old", "new").get().se
    assert plan.pilot_detects == pytest.approx(own * (stats.t.ppf(0.975, 29) + stats.t.ppf(0.8, 29)), rel=0.02)
    alone = plan_sample(audit(2, 30, 12).drop(columns="cluster"), detect=0.02)
    assert alone.independent and alone.within is None and len(alone.table) == 1 and "clips taken as independent" in str(alone)


@pytest.mark.parametrize("change, words", [
    (dict(detect=0), "detect=0"), (dict(detect=None), "detect=None"),
    (dict(detect=1e-9), "more than ten million"), (dict(detect="1"), "detect='1'"), (dict(power=0.4), "power=0.4"), (dict(level=95), "level=95"),
    (dict(clips_per_cluster=(0,)), "clips_per_cluster="), (dict(old="old"), "name both arms"), (dict(measure="cer"), "no scores of 'cer'")])
def test_a_plan_refuses(change, words):
    with pytest.raises(ValueError, match=words): plan_sample(audit(1, 5, 4), **change)


def test_a_pilot_that_tells_nothing_is_refused():
    one = audit(1, 1, 9)
    with pytest.raises(ValueError, match="1 cluster without any spread"): plan_sample(one)
    same = one.assign(num=5, den=50).drop(columns="cluster")
    with pytest.raises(ValueError, match="without any spread"): plan_sample(same)
    two = pd.concat([audit(1, 4, 3), audit(1, 4, 3).assign(measure="ser")])
    with pytest.raises(ValueError, match="measure: name one of wer, ser"): plan_sample(two)
    hits = pd.concat([audit(1, 4, 3).assign(measure="hits"), audit(1, 4, 3).assign(measure="precision")])
    with pytest.raises(ValueError, match="'wip' is derived"): plan_sample(hits, measure="wip")


# ---- releases
def study(drafts, clips=None, **more):
    clips = pd.DataFrame({"clip": list(drafts), "reference": ["a b c d"] * len(drafts), **(clips or {})})
    rows = [(c, a, t) for c, side in drafts.items() for a, t in side.items() if t is not None]
    return Study.from_tidy(clips, pd.DataFrame(rows, columns=["clip", "arm", "text"]).assign(**more), norm="none")


def test_releases_of_studies_show_their_texts():
    old = study({"1": {"x": "a b c d"}, "2": {"x": "a b"}, "3": {"x": "a"}, "4": {"x": None}})
    new = study({"1": {"x": "a b"}, "2": {"x": "a b c d"}, "3": {"x": None}, "4": {"x": "a b c d"}})
    found = compare_releases(old, new, "wer")
    assert found.table["clip"].tolist() == ["1", "3", "2", "4"] and found.table["status"].tolist() == ["broken", "lost", "mended", "new"]
    assert found.table[["reference", "old", "new"]].iloc[0].tolist() == ["a b c d", "a b c d", "a b"]
    assert "1 lost (no score any more)" in str(found) and found.difference.worst is not None and found.difference.only_old == ("3",)
    two = study({"1": {"x": "a b c d", "y": "a b"}})
    with pytest.raises(ValueError, match="new_arm: name one of 'x', 'y'"): compare_releases(old, two, "wer")
    with pytest.raises(ValueError, match="old_arm='z': there is no such arm"): compare_releases(old, two, "wer", old_arm="z")
    assert compare_releases(two, two, "wer", old_arm="x", new_arm="y").counts["broken"] == 1


def test_two_rulers_are_not_compared():
    one = pd.DataFrame([("1", "x", "wer", 1, 4)], columns=COLUMNS).assign(basis="none@1")
    with pytest.raises(ValueError, match="partly that of the rulers"): compare_releases(one, one.assign(basis="amend@1"))
    with pytest.raises(ValueError, match="'mine' is not registered"): compare_releases(*[one.assign(measure="mine")] * 2)
    assert compare_releases(one, one).counts["unchanged"] == 1


# ---- costs
def test_costs_are_sums_over_sums_and_unknown_is_not_free():
    drafts = {str(n): {"small": "a b c", "large": "a b c d"} for n in range(4)}
    timed = dict(seconds=[1.0, 9.0, 0.5, None, 2.0, 3.0, 0.25, 8.0], cost=[0.0, 0.01, 0.0, None, 0.0, 0.02, 0.0, 0.03])
    s = study(drafts, dict(duration=[2.0, 4.0, 8.0, 2.0], cluster=["u", "u", "v", "v"]), **timed)
    small, large = arm_costs(s)
    assert small.real_time_factor == pytest.approx(3.75 / 16) and small.price == 0 and small.price_low is None and small.unknown_cost == 0
    assert large.real_time_factor == pytest.approx(20 / 12) and large.price == pytest.approx(0.06 / 12 * 3600) and large.unknown_seconds == 1
    assert (small.rate, small.drafts, small.hours) == (0.25, 4, 16 / 3600) and not small.independent
    assert "cost unknown of 1 draft" in str(large) and "0 USD for an hour" in str(small)
    assert arm_costs(s, measure="wer").table["rate"].tolist() == [e.rate for e in estimate(s, "wer")]
    seconds = dict(zip("0123", [2.0, 4.0, 8.0, 2.0], strict=True))
    assert arm_costs(s, seconds)[0].row() == small.row()
    none = arm_costs(study(drafts, dict(duration=[None, None, 1.0, 1.0]), cost=1.0))[0]
    assert none.real_time_factor is None and none.unknown_seconds == 4 and (none.unknown_cost, none.unknown_duration) == (0, 2) and none.price == 3600
    assert "real-time factor unknown" in str(none)


def test_costs_refuse():
    s = study({"1": {"x": "a"}}, dict(duration=[0.0]), seconds=1.0)
    with pytest.raises(BadTable, match="column 'duration', clip '1': row 0: 0.0; expected a number above 0"): arm_costs(s)
    with pytest.raises(BadTable, match="column 'length': the clips have no such column"): arm_costs(s, "length")
    with pytest.raises(ValueError, match="duration: the clip '1' has none"): arm_costs(s, {"2": 3.0})
    with pytest.raises(ValueError, match="neither seconds nor cost"): arm_costs(study({"1": {"x": "a"}}, dict(duration=[1.0])))
    with pytest.raises(TypeError, match="expected a Study or Tables"): arm_costs(audit(1, 2, 2))


# ---- what cannot be compared, and which item
def told(text, reference="a b c d", norm="none"):
    clips = pd.DataFrame({"clip": ["1", "2"], "reference": ["e f", reference]})
    return Study.from_tidy(clips, pd.DataFrame({"clip": ["1", "2"], "arm": "x", "text": ["e f", text]}), norm=norm)


@pytest.mark.parametrize("other", ["a b c", "a b c e", "A b c d", "a b c d e"])
def test_releases_against_two_references_are_refused(other):
    with pytest.raises(ValueError, match="clip '2': old and new reference differ, 'a b c d' and .*partly that of the rulers"):
        compare_releases(told("a b"), told("a b", other), "wer")
    assert compare_releases(told("a b"), told("a b c"), "wer").counts["mended"] == 1


def test_scores_of_two_lengths_of_a_reference_are_refused():
    old = pd.DataFrame({"clip": ["a", "b"], "arm": "x", "measure": "wer", "num": [1, 2], "den": [9, 9]})
    with pytest.raises(ValueError, match="clip 'b': old and new reference differ, den 9 and den 8, as in 1 clip:"):
        compare_releases(old, old.assign(den=[9, 8]))
    made = compare_releases(old.assign(measure="amend"), old.assign(measure="amend", den=[9, 8]))      # divided by what the judge wrote
    assert made.counts["unchanged"] == 2


def test_disjoint_releases_say_which_lacks_what():
    old = pd.DataFrame({"clip": ["a"], "arm": "x", "measure": "wer", "num": [1], "den": [9]})
    text = str(compare_releases(old, old.assign(clip="b")))
    assert "no clip has a score in both; new lacks 1 clip that the other has (a); old lacks 1 clip that the other has (b)" in text


def test_a_derived_or_unknown_measure_is_refused_by_name():
    old, table = told("a b"), told("a b").scores("wer")
    for side in (old, table):
        with pytest.raises(ValueError, match="measure='wil' is derived and has no figure of a clip; take one of hits, precision"):
            compare_releases(side, side, "wil")
    with pytest.raises(ValueError, match="measure='cer': old has no scores of it; there are wer"): compare_releases(table, table, "cer")
    with pytest.raises(ValueError, match="'wil' is derived"): plan_sample(old, measure="wil")
    with pytest.raises(ValueError, match="seed=-1"): compare_releases(old, old, "wer", seed=-1)
    with pytest.raises(TypeError, match="clips_per_cluster=5: expected a list"): plan_sample(audit(1, 5, 4), clips_per_cluster=5)


def itemised(names=("", "Rui", "Eva")):
    base = audit(3, 8, 4).drop(columns="cluster")
    return pd.concat([base.assign(measure="term_recall", item=i, num=base["num"] + n, den=base["den"] + 9) for n, i in enumerate(names)])


def test_the_whole_clip_is_taken_of_a_measure_with_items():
    table = itemised()
    whole, one = (plan_sample(table, item=i) for i in (None, "Rui"))
    assert str(whole) == str(plan_sample(table[table["item"] == ""])) and str(one) == str(plan_sample(table[table["item"] == "Rui"]))
    assert str(plan_sample(itemised(["Rui"]))) == str(one)
    def change(**more): return compare_releases(table, table, "term_recall", "old", "new", **more).difference
    assert (change().item, change(item="Eva").item) == ("", "Eva")
    assert change().difference == compare_arms(table, "old", "new").get(item="").difference
    with pytest.raises(ValueError, match="item='Ana': there are no scores of it; name one of '', 'Rui', 'Eva'"): change(item="Ana")
    with pytest.raises(ValueError, match="item=None: there are no scores of it; name one of 'Rui', 'Eva'"): plan_sample(itemised(["Rui", "Eva"]))
    with pytest.raises(TypeError, match="item=5"): plan_sample(table, item=5)


def test_terms_stand_beside_costs():
    clips = pd.DataFrame({"clip": ["1", "2"], "reference": ["call Rui now", "ask Eva and Rui"], "duration": [2.0, None]})
    drafts = pd.DataFrame({"clip": ["1", "2"], "arm": "x", "text": ["call Rui now", "ask Eva and Ruy"], "seconds": [1.0, 1.0], "cost": [0.1, 0.1]})
    s = Study.from_tidy(clips, drafts, terms=["Rui", "Eva"], norm="none")
    [found] = arm_costs(s, measure="term_recall")
    assert found.rate == pytest.approx(2 / 3) and arm_costs(s, measure="term_recall", item="Eva")[0].rate == 1
    assert (found.unknown_seconds, found.unknown_cost, found.unknown_duration) == (0, 0, 1)
    assert "duration of the audio unknown of 1 draft" in str(found) and "cost unknown" not in str(found)
    assert compare_releases(s, s, "term_recall").counts["unchanged"] == 2


def test_what_is_divided_by_the_reference_does_not_hang_on_the_draft():
    known = [n for n in sorted(subject._REFERENCE) if n in ("wer", "cer", "substitutions", "deletions", "insertions", "hits", "wer_mixed",
                                                            "wer_joined", "spacing")]
    a, b = (estimate(told(text), known, by="clip").table.set_index(["measure", "clip"])["den"] for text in ("a b c d", "x a b cd e e e e"))
    assert len(known) == 9 and a.to_dict() == b.to_dict()
    assert estimate(told("a b c d"), "precision")[0].den != estimate(told("x a b cd e e e e"), "precision")[0].den
