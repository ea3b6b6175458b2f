"""How far a judge can be trusted: statistics against their slow definitions, noise against a simulation, people's last word."""
import itertools
import math
import random
import threading

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import examples

import amend_nb.trust as subject
from amend_nb import (
    ClaudeJudge,
    HumanJudge,
    RulesJudge,
    Study,
    Verdict,
    VerdictStore,
    amend,
    ask_judge,
    char_edits,
    gold_agreement,
    judge_agreement,
    judge_noise,
    load_gold,
    normalize,
    pooled,
    score_dataframe,
    verdict_rates,
)

WORDS = st.lists(st.sampled_from(["ab", "cd", "ef", "gh"]), min_size=1, max_size=5).map(" ".join)


# ---- the definitions, slowly
def slow_alpha(x, y):
    "Krippendorff's alpha for intervals, from all pairs of values."
    values = [*x, *y]
    seen = sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) / len(x)
    chance = sum((a - b) ** 2 for a, b in itertools.permutations(values, 2)) / (len(values) * (len(values) - 1))
    return 1 - seen / chance if chance else math.nan


def slow_chance(x, y, gwet):
    "Kappa or AC1 of two yes-or-no columns, from the table of four counts."
    n = len(x)
    seen = sum(a == b for a, b in zip(x, y, strict=True)) / n
    p1, p2 = sum(x) / n, sum(y) / n
    chance = sum(q * (1 - q) for q in ((p1 + p2) / 2, 1 - (p1 + p2) / 2)) if gwet else p1 * p2 + (1 - p1) * (1 - p2)
    return (seen - chance) / (1 - chance) if chance != 1 else math.nan


def slow_pearson(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    up = sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True))
    down = math.sqrt(sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y))
    return up / down if len(x) > 1 and len(set(x)) > 1 and len(set(y)) > 1 else math.nan


def slow_ranks(values): return [sum(v < x for v in values) + (sum(v == x for v in values) - 1) / 2 for x in values]


def close(a, b): return (a is None or a != a) and b != b or a == pytest.approx(b, abs=1e-9)


def law_statistics(room):
    @examples(500)
    @given(st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), min_size=1, max_size=8))
    def holds(rows):
        items = [(p, i, "") for p, i, _, _ in rows]
        given_ = [[room.Verdict(f) for f in (a, b)] for _, _, a, b in rows]
        due = [(p, a, b) for p, i, a, b in rows if p != i]
        if not due: return
        found = room.judge_agreement(items, [a for a, _ in given_], [b for _, b in given_], resamples=2)
        assert (found.compared, found.identical, found.failed) == (len(due), len(rows) - len(due), 0)
        x, y = ([amend(row[0], row[k]) for row in due] for k in (1, 2))
        fix = [[char_edits(row[0], row[k])[0] > 0 for row in due] for k in (1, 2)]
        assert close(found["same correction"], sum(a == b for _, a, b in due) / len(due))
        assert close(found["same yes or no"], sum(a == b for a, b in zip(*fix, strict=True)) / len(due))
        assert close(found["kappa"], slow_chance(*fix, gwet=False)) and close(found["AC1"], slow_chance(*fix, gwet=True))
        assert close(found["pearson"], slow_pearson(x, y)) and close(found["spearman"], slow_pearson(slow_ranks(x), slow_ranks(y)))
        assert close(found["difference"], sum(x) / len(x) - sum(y) / len(y)) and close(found["alpha"], slow_alpha(x, y))
        words = found["same words"]
        assert words is None or 0 <= words <= 1
        assert all(a != b or words in (None, 1) for _, a, b in due) or len(due) > 1
    holds()


def law_noise(room):
    @examples(500)
    @given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6, unique=True), st.integers(2, 4), st.randoms(use_true_random=False))
    def holds(pairs, repeats, rng):
        answers = {(p, r): rng.choice([p, i, i + " x", None]) for p, i in pairs for r in range(repeats)}
        answers |= {(p, r): answers.get((p, r), i) for p, i in pairs for r in range(repeats)}

        class Judge:
            retries = 0

            def fix_many(self, items, mode="sync", repeat=0):
                return [room.Verdict(None, "refused") if answers[p, repeat] is None else room.Verdict(answers[p, repeat]) for p, _, _ in items]
        noise = room.judge_noise(Judge(), [(p, i, "") for p, i in pairs], repeats)
        due = [(p, i) for p, i in pairs if p != i]
        whole = [(p, i) for p, i in due if all(answers[p, r] is not None for r in range(repeats))]
        assert (noise.drafts, noise.identical, noise.failed) == (len(whole), len(pairs) - len(due), len(due) - len(whole))
        kept = [*whole, *((p, i) for p, i in pairs if p == i)]
        if kept:
            for r in range(repeats):
                counts = [char_edits(p, p if p == i else answers[p, r]) for p, i in kept]
                assert noise.amend[r] == pytest.approx(pooled(*zip(*counts, strict=True)))
        if not whole: assert noise.same is noise.se is noise.sd is None; return
        assert noise.same == sum(len({answers[p, r] for r in range(repeats)}) == 1 for p, _ in whole) / len(whole)
        if noise.same == 1: assert noise.sd == noise.se == 0
        assert noise.se_mean == pytest.approx(noise.se / math.sqrt(repeats)) and (noise.icc is None or noise.icc <= 1 + 1e-9)
        assert len(noise.table) == len(pairs) * repeats
    holds()


LAWS = [law_statistics, law_noise]


@pytest.mark.parametrize("law", LAWS)
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_statistics, '"interval"', '"ratio"'), (law_statistics, '"AC1": lambda t: _ac1(', '"AC1": lambda t: _raw('),
    (law_statistics, "(np.cumsum(n) - (n + 1) / 2)", "np.cumsum(n)"), (law_statistics, '(t["rate1"] - t["rate2"])', '(t["rate2"] - t["rate1"])'),
    (law_statistics, "if normalize(p[0][0]) != normalize(p[0][1])]", "]"), (law_statistics, "amend(pred, two)", "amend(two, pred)"),
    (law_noise, "repeat=r)", "repeat=0)"),
    (law_noise, "chars.ravel(), draft)", "chars.ravel(), draft)[::-1]"),
    (law_noise, "if all(run[n].ok for run in runs)", "if runs[0][n].ok"), (law_noise, "if runs[0][n].outcome != \"identical\"", "")])
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_a_mutant_breaks_its_law(law, old, new):
    changed = mutant(subject, (old, new))
    if "runs[0][n].ok" in new:     # counts of a failed judgement are missing, which no array of numbers takes
        with pytest.raises((TypeError, ValueError, AttributeError, AssertionError, ExceptionGroup)): law(changed)
    else: assert breaks(law, changed)


# ---- agreement
def test_intervals_hold_the_value_and_widen_with_clusters():
    rng = random.Random(3)
    items, first, second, speakers = [], [], [], []
    for s in range(12):
        bad = rng.random() < 0.5
        for k in range(8):
            items.append((f"word{s} draft{k}", f"word{s} draft{k} more", ""))
            first.append(Verdict(items[-1][1]))
            second.append(Verdict(items[-1][0] if bad else items[-1][1]))
            speakers.append(f"speaker {s}")
    clips, clusters = (judge_agreement(items, first, second, cluster=c, resamples=300).table.set_index("statistic") for c in (None, speakers))
    width = [t.at["same correction", "high"] - t.at["same correction", "low"] for t in (clips, clusters)]
    assert width[1] > 1.5 * width[0]
    for t in (clips, clusters): assert t.at["same correction", "low"] <= t.at["same correction", "value"] <= t.at["same correction", "high"]
    again = judge_agreement(items, first, second, cluster=np.array(speakers), resamples=300).table.set_index("statistic")
    pd.testing.assert_frame_equal(clusters, again)


def test_results_are_sentences():
    items = [("a", "b", ""), ("c", "C.", ""), ("d", "e", "")]
    found = judge_agreement(items, [Verdict(i) for _, i, _ in items], [Verdict("b"), Verdict("c"), Verdict(None, "refused")], resamples=9)
    assert str(found).startswith("Two judges on 1 draft: same correction 1.00") and "clips taken as independent; 1 draft right" in str(found)
    assert "1 draft without a verdict of both" in str(found)
    assert "2 clusters drawn again" in str(judge_agreement(items, "rules", "rules", cluster=["s", "s", "t"], resamples=9))
    noise = judge_noise("rules", items, 2)
    assert str(noise).startswith("2 drafts judged 2 times: 100.0 % got the same correction each time; AMEND came out as")
    assert "1 draft right" in str(noise)
    assert str(judge_noise("rules", items[1:2], 2)).startswith("No draft was judged in all of 2 repeats; 1 draft right")


def test_one_draft_has_no_interval():
    table = judge_agreement([("a", "b", "")], [Verdict("b")], [Verdict("b")], resamples=5).table
    assert table["low"].isna().all() and table.set_index("statistic").at["same correction", "value"] == 1


def test_failed_and_identical_are_counted_apart():
    items = [("a", "b", ""), ("c", "C.", ""), ("d", "e", ""), ("f", "g", "")]
    second = [Verdict("b"), Verdict("c"), Verdict(None, "refused"), Verdict("f")]
    found = judge_agreement(items, [Verdict(i) for _, i, _ in items], second, resamples=2)
    assert (found.compared, found.identical, found.failed, found["same correction"], found["same yes or no"]) == (2, 1, 1, 0.5, 0.5)


@pytest.mark.parametrize("first, cluster, kind, words", [
    ([Verdict("a")], None, ValueError, "1 verdicts for 2"), (["a", "b"], None, TypeError, "Verdicts"), ("oracle", None, ValueError, "known names"),
    ([Verdict("a")] * 2, ["s"], ValueError, "cluster has 1"), ([Verdict(None, "refused")] * 2, None, ValueError, "no draft")])
def test_agreement_refuses(first, cluster, kind, words):
    with pytest.raises(kind, match=words): judge_agreement([("a", "b", ""), ("c", "d", "")], first, [Verdict("a")] * 2, cluster=cluster)


def test_gold():
    class Knows:
        def __init__(self, change=lambda g: g.fixed): self.right = {g.item: change(g) for g in load_gold()}
        def fix_many(self, items, mode="sync"): return [Verdict(self.right[i]) for i in items]
    gold = [g for g in load_gold() if normalize(g.draft) != normalize(g.intended)]
    table = gold_agreement(Knows())
    assert table.iloc[-1].tolist() == ["all", len(gold), len(gold), len(gold), 0, 0, 0]
    assert table["kind"].tolist()[:-1] == sorted({g.kind for g in gold})
    lazy = gold_agreement(Knows(lambda g: g.draft), by="lang").set_index("lang")
    leave = sum(normalize(g.fixed) == normalize(g.draft) for g in gold)
    assert lazy.loc["all", "right"] == leave and lazy.loc["all", "too few"] == len(gold) - leave and lazy.loc["all", "too many"] == 0
    eager = gold_agreement(Knows(lambda g: g.intended), by="source").iloc[-1]
    assert eager["too many"] > 100 and eager[["right", "too few", "too many", "other"]].sum() == len(gold)
    rules = gold_agreement("rules", "pt").set_index("kind")
    assert rules.loc["all", "drafts"] < len(gold) and rules.loc["all", "right"] >= 0.85 * rules.loc["all", "judged"]
    with pytest.raises(ValueError, match="'kind', 'lang' or 'source'"): gold_agreement("rules", by="colour")


# ---- noise
class Noisy:
    "Adds to each correction a number of letters of its own for each draft and repeat, with a known spread."
    def __init__(self, seed): self.seed = seed

    def fix_many(self, items, mode="sync", repeat=0):
        rng = random.Random(f"{self.seed} {repeat}")
        return [Verdict(i + "x" * rng.choice([0, 0, 2, 6])) for _, i, _ in items]


def test_the_standard_error_is_the_spread_of_the_figure():
    items = [(f"draft {'abcdefgh' * (n % 5 + 1)} {n}", f"wish {'abcdefgh' * (n % 5 + 1)} {n}", "") for n in range(60)]
    runs = [judge_noise(Noisy(seed), items, 3) for seed in range(40)]
    singles = [a for run in runs for a in run.amend]
    assert np.mean([run.se for run in runs]) == pytest.approx(np.std(singles, ddof=1), rel=0.2)
    means = [np.mean(run.amend) for run in runs]
    assert np.mean([run.se_mean for run in runs]) == pytest.approx(np.std(means, ddof=1), rel=0.3)


def test_a_stored_answer_is_no_second_judgement():
    class Cached:
        def fix_many(self, items, mode="sync"): return [Verdict(i, key=f"key of {p}") for p, i, _ in items]

    class Fresh:
        def fix_many(self, items, mode="sync", repeat=0): return [Verdict(i, key=f"{p} r{repeat}", repeat=repeat) for p, i, _ in items]
    items = [("a", "b", ""), ("c", "c", "")]
    with pytest.raises(ValueError, match="stored answer of repeat 0"): judge_noise(Cached(), items)
    noise = judge_noise(Fresh(), items)
    assert noise.same == 1 and noise.table["repeat"].tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.http
def test_a_model_is_asked_for_every_repeat_and_never_twice(tmp_path):
    "Over real HTTP, to a local server that answers each question in its own way."
    import anthropic
    from anthropic_server import Server, texts_of
    count, lock = itertools.count(), threading.Lock()

    def judge(body):
        with lock: return texts_of(body)["intended"] + " x" * (next(count) % 2)
    items = [(f"draft {n} is wrong", f"Draft {n} is right.", "") for n in range(6)] + [("same", "Same.", "")]
    with Server(judge=judge) as server:
        def options():
            client = anthropic.Anthropic(api_key="k" * 12, base_url=server.url)
            return dict(client=client, ledger=tmp_path / "ledger", say=lambda line: None)
        noise = judge_noise("claude", items, 3, **options())
        assert len(server.sends()) == 18 and (noise.drafts, noise.identical, noise.failed) == (6, 1, 0)
        assert noise.same < 1 and noise.se > 0 and len(noise.table) == 21
        again = judge_noise("claude", items, 3, **options())
        assert len(server.sends()) == 18
        pd.testing.assert_frame_equal(again.table, noise.table)
        with pytest.raises(ValueError, match="make it with repeats=2"): judge_noise(ClaudeJudge(**options()), items, 2)
        scored = score_dataframe(pd.DataFrame(items[:3], columns=["draft", "intended_text", "spoken_text"]), "draft", judge="claude", **options())
        assert len(server.sends()) == 18 and scored["draft_edits"].tolist() == noise.table["edits"].tolist()[:3]
    replayed = judge_noise("replay", items, 3, ledger=tmp_path / "ledger")
    pd.testing.assert_frame_equal(replayed.table, noise.table)


def test_the_rules_do_not_waver():
    noise = judge_noise(RulesJudge(), [g.item for g in load_gold("en")[:50]], 2)
    assert (noise.same, noise.sd, noise.se, noise.icc) == (1.0, 0.0, 0.0, 1.0) and noise.amend[0] == noise.amend[1]


def test_nothing_to_repeat():
    empty = judge_noise("rules", [])
    assert (empty.drafts, empty.same, empty.amend, empty.se) == (0, None, (), None)
    only = judge_noise("rules", [("a", "A.", "")])
    assert (only.drafts, only.identical, only.same, only.amend, only.icc) == (0, 1, None, (0.0, 0.0, 0.0), None)
    one = judge_noise("rules", [("gone", "", "")])
    assert (one.drafts, one.same, one.se, one.icc) == (1, 1.0, None, None)
    for bad in (1, 0, 2.5, True, None):
        with pytest.raises(ValueError, match="repeats"): judge_noise("rules", [], bad)


# ---- people
def test_the_last_word_of_a_person_or_of_anybody(tmp_path):
    store = VerdictStore(tmp_path / "people.jsonl")
    a, b, c = ("dear al", "Dear Al", ""), ("a", "b", ""), ("c", "d", "x")
    for item, fixed, who in ((b, "first", "Ana"), (b, "second", "Rui"), (b, "third", "Ana"), (c, "c", "Rui")):
        store.add(item, fixed, who, where="page")
    store.add(c, None, "Ana", note="cannot tell")
    said = {who: [(v.fixed, v.outcome) for v in ask_judge(HumanJudge(store, who), [a, b, c])] for who in ("Ana", "Rui", None)}
    assert said["Ana"] == [("dear al", "identical"), ("third", "judged"), (None, "no verdict")]
    assert said["Rui"] == [("dear al", "identical"), ("second", "judged"), ("c", "judged")]
    assert said[None][1:] == [("third", "judged"), (None, "no verdict")]
    assert len(store.history(b)) == 3 and [r["where"] for r in store.history(b)] == ["page"] * 3
    assert HumanJudge(str(tmp_path / "people.jsonl"), "Rui").name == "Rui"
    with pytest.raises(ValueError, match="Ana, Rui"): HumanJudge(store, "Eva")
    found = judge_agreement([b, c], HumanJudge(store, "Ana"), HumanJudge(store, "Rui"), resamples=2)
    assert (found.compared, found.failed, found["same correction"]) == (1, 1, 0.0)
    with pytest.raises(ValueError, match="not a second judgement"): judge_noise(HumanJudge(store, "Rui"), [b])


# ---- flags
def test_rates_add_up():
    arms = {"plain": [Verdict("a", flags=("new words", "detour")), Verdict("b", "identical"), Verdict(None, "refused")],
            "bold": [Verdict("a", flags=("new words",)), Verdict("c")], "none": []}
    table = verdict_rates(arms).set_index(["arm", "what"])
    assert table.at[("plain", "judged"), "drafts"] == table.at[("plain", "refused"), "drafts"] == table.at[("plain", "identical"), "drafts"] == 1
    assert table.at[("plain", "flag: new words"), "share"] == 1 and table.at[("bold", "flag: new words"), "share"] == 0.5
    assert table.at[("bold", "flag: detour"), "drafts"] == 0 and pd.isna(table.at[("none", "judged"), "share"])
    outcomes = table[~table.index.get_level_values("what").str.startswith("flag")]["drafts"].groupby("arm").sum()
    assert outcomes.to_dict() == {"plain": 3, "bold": 2, "none": 0}


def test_a_study_brings_its_drafts_clusters_and_verdicts():
    rows = [(f"{n}", f"Draft {n} is right.", f"draft {n}", f"draft {n} is wrong", f"Draft {n} is right", f"speaker {n % 3}") for n in range(9)]
    df = pd.DataFrame(rows, columns=["clip", "reference", "spoken", "plain", "bold", "speaker"])
    study = Study.from_wide(df, arms=["plain", "bold"], clip="clip", spoken="spoken", cluster="speaker")
    found = judge_agreement(study, "rules", "rules", resamples=5)
    assert (found.compared, found.identical, found.clusters) == (9, 9, 3)
    items = [(r[3], r[1], r[2]) for r in rows]
    assert judge_agreement(items, "rules", "rules", cluster=[r[5] for r in rows], resamples=5).table.equals(found.table)
    noise = judge_noise("rules", study, 2)
    assert (noise.drafts, noise.identical, noise.same) == (9, 9, 1.0)
    rates = verdict_rates(study.judge("rules")).set_index(["arm", "what"])["drafts"]
    assert rates["plain", "judged"] == rates["bold", "identical"] == 9 and rates["bold", "judged"] == 0
    with pytest.raises(ValueError, match="spoken"): judge_noise("rules", Study.from_wide(df.drop(columns="spoken"), arms=["plain"], clip="clip"))
