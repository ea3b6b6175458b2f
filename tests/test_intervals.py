"""Bounds that stay where a figure can be, numbers that are not rounded into another statement, and what is asked for."""
import inspect
import re
import traceback

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from test_estimates import law_estimate
from texts import examples

import amend_nb.estimates as estimates
import amend_nb.intervals as subject
import amend_nb.samples as samples
from amend_nb import (
    Study,
    arm_costs,
    compare_arms,
    compare_releases,
    estimate,
    holm,
    leave_one_out,
    plan_sample,
    rating_agreement,
    repeat_noise,
    wide_scores,
)


def law_written(room):
    "What is neither none nor all never reads as it, and what is read is what was written, to a digit."
    @examples(500)
    @given(st.one_of(st.floats(0, 2), st.floats(0, 1e-4), st.floats(0.9999, 1), st.sampled_from([0, 1, 1 / 500_000, 49_984 / 50_000])), st.booleans())
    def holds(x, minus):
        x = round(x, 9)
        made = [room._percent(-x if minus else x), room._signed(-x if minus else x) + " %"]
        for text in made:
            mark, shown = re.fullmatch(r"([-−+±<>]*)(\d+\.\d+) %", text).groups()
            assert (float(shown) == 0) == (x == 0) and (x > 1 or ((float(shown) == 100 and ">" not in mark) == (x == 1)))
            if "<" in mark: assert 100 * x < float(shown)
            elif ">" in mark: assert 100 * x > float(shown)
            else: assert abs(float(shown) - 100 * x) <= 0.5000001 * 10.0**-len(shown.split(".")[1])
            assert not x or ("−" in mark) == minus
    holds()


def law_p(room):
    @examples(500)
    @given(st.one_of(st.floats(0, 1), st.floats(0.999, 1), st.floats(1e-9, 1e-3), st.sampled_from([0, 1, 0.99999, 0.99995, 0.00005])))
    def holds(p):
        text = room._p(p)
        assert (text == "1") == (p == 1) and (text == "0") == (p == 0) and re.fullmatch(r"0|1|>?\.\d+|\d\.\de-\d+", text)
        shown = float(text.lstrip(">"))
        assert p > shown if text[0] == ">" else shown == pytest.approx(p, abs=0.00006) and (shown > 0) == (p > 0)
    holds()


LAWS = [law_written, law_p]


@pytest.mark.parametrize("law", LAWS)
def test_law(law): law(subject)


@pytest.mark.parametrize("law, old, new", [
    (law_written, "and (float(made) != 100 or x > 1)", ""), (law_written, "x in (0, 1) or float(made) and", "x in (0, 1) or True and"),
    (law_written, '("−" if x < 0 else "")', '("-" if x < 0 else "")'),
    (law_p, '">.9999" if text == "1.0000" else ', ""), (law_p, "if p in (0, 1)", "if p == 2")])
def test_a_mutant_breaks_its_law(law, old, new): assert breaks(law, mutant(subject, (old, new)))


@pytest.mark.parametrize("old, new", [("student_quantile((1 + level) / 2, clusters - 1)", "1.96"), ("np.exp(-t * se / rate)", "np.exp(-t * se)")])
@pytest.mark.filterwarnings("ignore")
def test_a_mutant_of_the_interval_breaks_the_law_of_estimates(monkeypatch, old, new):
    monkeypatch.setattr(estimates, "_interval", mutant(subject, (old, new))._interval)
    assert breaks(law_estimate, estimates)


def rows_of(num, den, measure="wer", **more):
    return pd.DataFrame({"clip": [f"c{n}" for n in range(len(num))], "arm": "a", "measure": measure, "num": num, "den": den, **more})


def test_one_error_in_half_a_million_is_not_none():
    text = str(estimate(rows_of([1, 0, 0, 0], [125_000] * 4)).get())
    assert "0.0002 %" in text and "0.00 %" not in text and "0.0 %" not in text
    text = str(estimate(rows_of([12_500, 12_490, 12_500, 12_494], [12_500] * 4, "hits")).get())
    assert "99.97 %" in text and "100.0 %" not in text
    assert "99.999 % interval" in str(estimate(rows_of([1, 2, 3], [9, 9, 9]), level=0.99999).get())


def test_intervals_of_shares_stay_between_nought_and_one():
    clips = pd.DataFrame({"clip": ["1", "2"], "reference": ["a b c d", "e f g h"]})
    drafts = [("1", "x", "a b c d"), ("2", "x", "u v w h"), ("1", "y", "u v w z"), ("2", "y", "e f g h")]
    study = Study.from_tidy(clips, pd.DataFrame(drafts, columns=["clip", "arm", "text"]), norm="none")
    for name in ("wip", "wil", "mer", "ser", "hits", "precision"):
        for e in estimate(study, name): assert e.low is None or 0 <= e.low <= e.rate <= e.high <= 1, e
        d = compare_arms(study, "x", "y", name).get()
        assert d.low is None or -1 <= d.low <= d.difference <= d.high <= 1, d
    e = estimate(study, "wip").get(arm="x")
    assert (e.low, e.high) == (0, 1) and "interval cut at the bounds of wip" in str(e) and "-" not in str(e).split("(")[1].split(")")[0]
    assert "cut at the bounds" in str(compare_arms(study, "x", "y", "wip").get())
    assert estimate(study, "wer").get(arm="x").high > 1                     # a word error rate has no upper bound


@pytest.mark.parametrize("options, words", [
    (dict(level="95"), "level='95': must be a number between 0 and 1"), (dict(level=None), "level=None"), (dict(level=True), "level=True"),
    (dict(level=[0.9]), "level="), (dict(level=float("nan")), "level=nan"),
    (dict(interval="bootstrap", seed=-1), "seed=-1: must be a whole number from 0"),
    (dict(interval="bootstrap", seed=1.5), "seed=1.5"), (dict(resamples="many"), "resamples='many': must be a whole number from 100")])
def test_what_is_asked_for_is_refused_by_name(options, words):
    with pytest.raises(ValueError, match=re.escape(words)): estimate(rows_of([1, 2], [9, 9]), **options)
    with pytest.raises(TypeError, match="by=5: expected the name of a column"): estimate(rows_of([1, 2], [9, 9]), by=5)


def calls():
    clips = pd.DataFrame({"clip": list("123"), "cluster": list("uvv"), "reference": ["a b c", "d e f", "g h"], "duration": [2.0, 3.0, 1.0]})
    texts = ["a b c", "d e", "g", "a b", "d e f", "g h"]
    drafts = pd.DataFrame({"clip": list("123123"), "arm": list("xxxyyy"), "text": texts, "seconds": 1.0, "cost": 0.1})
    study, one = Study.from_tidy(clips, drafts, norm="none"), rows_of([1, 0, 2], [9, 8, 7])
    return {estimate: dict(scores=one), compare_arms: dict(scores=study, measures="wer"), leave_one_out: dict(scores=one),
            plan_sample: dict(pilot=study, measure="wer"), compare_releases: dict(old=one, new=one), arm_costs: dict(study=study),
            rating_agreement: dict(ratings={"a": [1, 2], "b": [1, 3]}), repeat_noise: dict(scores=pd.concat([one.assign(repeat=r) for r in (0, 1)])),
            holm: dict(p_values=[0.1]), wide_scores: dict(df=pd.DataFrame({"e": [1], "n": [2]}), arms={"x": ("e", "n")}, measure="wer")}


WRONG = ["95", None, -1, 5, 2.5, float("nan"), True, [1], ["a"], {}, {"a": 1}, object(), pd.DataFrame(), ("x",), b"x", np.array([1, 2])]


@pytest.mark.parametrize("call", calls())
@pytest.mark.filterwarnings("ignore")
def test_no_argument_meets_a_raw_error(call):
    "Whatever is handed on: a result, or an error that this library raises itself and that says what is expected."
    given_, refused = calls()[call], 0
    assert str(call(**given_))
    for name in inspect.signature(call).parameters:
        for value in WRONG:
            try: str(call(**{**given_, name: value}))
            except (TypeError, ValueError) as e:
                last = traceback.extract_tb(e.__traceback__)[-1]
                assert "amend_nb" in last.filename and "raise" in last.line, (name, value, e)
                refused += 1
    assert refused > 4


def test_one_name_is_due():
    for several in (["a"], {}, np.array([1, 2])):
        with pytest.raises(TypeError, match="better=.*expected one name"): samples._one_name(measure="wer", better=several)
    samples._one_name(measure="wer", better=None, arm=1)


@pytest.mark.parametrize("arms, words", [
    ({"x": "en"}, "arms['x']='en': expected two columns"), ({"x": ["e"]}, "arms['x']=['e']: expected two columns")])
def test_wide_scores_want_two_columns(arms, words):
    with pytest.raises(ValueError, match=re.escape(words)): wide_scores(pd.DataFrame({"e": [1], "n": [2]}), arms, "wer")
