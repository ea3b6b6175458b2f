"""Bad input never gives a figure and never a bare error of Python: public functions refuse a missing text, a text where a list belongs, a
number where a text belongs, an unknown option, by a `raise` of their own that names the argument. Each argument of each call is tried in turn."""
import ast
import math
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

import amend_nb as a
from amend_nb import Normalizer, get_normalizer

PACKAGE = Path(a.__file__).parent
NAN, THING = math.nan, object()
WRONG = dict(text=[None, NAN, 5, ["a"], b"a", {}, THING], option=[None, NAN, 5, ["a"], b"a", {}, THING, "nonsense", ""],
             many=[None, NAN, 5, "ana", "", [None], [5], b"a", {}, THING], thing=[None, NAN, 5, "ana", "", [None], [5], b"a", {}, THING],
             whole=[None, NAN, "ana", "", [5], {}, b"5", THING, 0.5, -5], frame=[None, NAN, 5, "ana", "", [5], b"a", {}, THING])


class Arg:
    "A value that an argument may have, the kind of argument that it is, and wrong values that are right here."
    def __init__(self, good, kind, *free):
        self.good, self.wrong, self.names = good, [w for w in WRONG[kind] if not any(w is f or w == f for f in free)], ()

    def called(self, *names):
        "What an error may call it beside its own name."
        self.names = names
        return self


def text(good="a b", *free): return Arg(good, "text", *free)
def option(good, *free): return Arg(good, "option", *free)
def many(good, *free): return Arg(good, "many", *free)
def thing(good, *free): return Arg(good, "thing", *free)
def whole(good, *free): return Arg(good, "whole", *free)
def frame(good, *free): return Arg(good, "frame", *free)


@cache
def raises(file: str) -> set[tuple]:
    "Where the `raise` statements of a module stand, as Python counts positions."
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {(n.lineno, n.end_lineno, n.col_offset, n.end_col_offset) for n in ast.walk(tree) if isinstance(n, ast.Raise)}


def refusal(call, good: dict, name: str, wrong) -> Exception | None:
    "The error that the call gives with one argument wrong."
    try: call(**{**good, name: wrong})
    except Exception as e: return e
    return None


def own(e: Exception) -> bool:
    "Was the error raised by a `raise` of the package, and not by what stands in its way?"
    trace = e.__traceback__
    while trace.tb_next: trace = trace.tb_next
    file, code = trace.tb_frame.f_code.co_filename, trace.tb_frame.f_code
    return Path(file).parent == PACKAGE and list(code.co_positions())[trace.tb_lasti // 2] in raises(file)


STEPS = [a.CaseStep("case")]
NORM = get_normalizer("amend")


def no_edits(text): return []


TEXTS = [
    (a.split_words, dict(text=text(), space=option("unicode"))),
    (a.tokens_through, dict(text=text(), steps=many(STEPS), space=option("unicode"))),
    (a.characters_through, dict(text=text(), steps=many(STEPS), space=option("unicode"))),
    (a.CaseStep, dict(name=text("c"), how=option("lower"))), (a.SpaceStep, dict(name=text("c"), option=text(""))),
    (a.FormStep, dict(name=text("f"), form=option("NFC"), drop=option("Mn", ""))),
    (a.CharStep, dict(name=text("c"), table=thing({"a": "b"}, {}), drop=option("Mn", ""), blank=option("MSP", ""))),
    (a.BlankStep, dict(name=text("b"), pattern=option("[a]"))), (a.SubStep, dict(name=text("s"), pattern=text("a"), new=text("b"))),
    (a.WordStep, dict(name=text("w"), table=thing({"a": "b"}, {}))),
    (a.EditStep, dict(name=text("e"), find=thing(no_edits), revision=text("1"), library=text(""))),
    (a.BoxStep, dict(name=text("b"), function=thing(str.lower), revision=text("1"), library=text(""))),
    (a.whisper_english, dict(text=text())),
    (Normalizer, dict(name=text("n"), version=text("1"), steps=many(STEPS), language=text("en", None), options=thing({"case": True}, {}),
                      token_steps=many(()), about=text("x"))),
    (NORM, dict(text=text())), (NORM.many, dict(texts=many(["a"]))), (NORM.words, dict(text=text(), space=option("unicode"))),
    (NORM.tokens, dict(text=text(), space=option("unicode"))), (NORM.characters, dict(text=text(), space=option("unicode"))),
    (NORM.trace, dict(text=text())), (get_normalizer, dict(norm=option("amend", None), language=text("en", None))),
]


DF = pd.DataFrame({"id": ["1", "2", "3", "4"], "reference": ["a b", "c", "d e", "f"], "spoken": ["a b", "c", "d e", "f"],
                   "x": ["a b", "d", "d", "f"], "y": ["a", "c", "e", "g"], "cluster": ["p", "p", "q", "q"], "duration": [1.0, 2.0, 1.5, 1.0]})
ALIGNED = a.align("a b", "a c")
UNITS = a.text_units("a", "en")
NORMS = dict(norm=option("amend", None), unit=option("word"))
TIES, SPACE, AGAINST = dict(ties=option("jiwer")), dict(space=option("unicode")), dict(against=option("reference"))
SIDES = dict(refs=many(["a"]), hyps=many(["b"]))


@cache
def study(): return a.Study.from_wide(DF, arms=["x", "y"], clip="id", spoken="spoken")


@cache
def judged(): return study().judge("rules", language="en")


@cache
def scores(): return a.measure_scores(study(), ["wer", "cer"])


def counting():
    return [
        (a.align, dict(reference=text(), hypothesis=text(), **NORMS, **TIES, **SPACE)),
        (a.aligned_text, dict(alignment=thing(ALIGNED), width=whole(80, -5), blocks=whole(3, None))),
        (a.text_units, dict(text=text(), language=option("en"))), (a.language_of, dict(text=text())), (a.is_exact_text, dict(word=text("a"))),
        (a.word_lists, dict(language=option("en"))),
        (a.equivalent, dict(draft=many(UNITS, "", {}), wanted=many(UNITS, "", {}), language=option("en"))),
        (a.check_tables, dict(tables=thing(study()))), (a.without_control_tokens, dict(norm=option("amend", None))),
        (a.edit_table, dict(**SIDES, **NORMS, **TIES, **SPACE, **AGAINST)), (a.error_counts, dict(**SIDES, **NORMS, **TIES, **SPACE, **AGAINST)),
        (a.prepare, dict(**SIDES, **NORMS, **SPACE, **AGAINST)), (a.pool, dict(scores=frame(scores()), by=option(None, None))),
        (a.compound_counts, dict(**SIDES, norm=option("amend", None), **SPACE, **AGAINST)), (a.spacing_edits, dict(alignment=thing(ALIGNED))),
        *[(m, dict(reference=many(["a"], "ana", "", ), hypothesis=many(["b"]), norm=option("amend", None), empty=option("null"), **SPACE, **TIES))
          for m in (a.wer, a.cer, a.mer, a.wil, a.wip, a.ser)],
        (a.confusions, dict(**SIDES, **NORMS, **TIES, top=whole(5, None))),
        (a.figures, dict(scores=frame(scores()), measures=option(["wer"], None).called("measure"))),
        (a.get_measure, dict(name=option("wer").called("measure"))), (a.register_measure, dict(measure=thing(a.get_measure("wer")))),
        (a.measure_scores, dict(study=thing(study()), measures=option(["wer"]).called("measure"), **AGAINST, **TIES)),
        (a.norm_effects, dict(study=many(["a"]), norm=option("amend", None), hyps=many(["b"]), unit=option("word"))),
        (a.find_terms, dict(text=text("a"), terms=many(["a"]), **NORMS, **SPACE)),
        (a.missed_terms, dict(alignment=thing(ALIGNED), terms=many(["a"]), norm=option("amend", None))),
        (a.term_scores, dict(**SIDES, terms=many(["a"]), **NORMS, **TIES)),
        (a.field_scores, dict(expected=many([{"a": "1"}], {}, [None]), extracted=many([{"a": "1"}], {}, [None]))),
        (a.error_kinds, dict(alignment=thing(ALIGNED), language=option("en"))), (a.repeats, dict(alignment=thing(ALIGNED))),
        *[(f, dict(**SIDES, norm=option("amend", None))) for f in (a.case_errors, a.punctuation)],
        (a.find_case_errors, dict(alignment=thing(ALIGNED))), (a.align_marked, dict(reference=text(), hypothesis=text(), **NORMS, **TIES)),
        (a.marked_counts, dict(**SIDES, **NORMS, **TIES)),
        (a.evaluate, dict(references=many(["a"]), corrected=many(["a"], None), nbest=many([["a", "b"]]), norm=option("agentic", None),
                          her=option("utterance"), workers=whole(1))),
        (a.oracle_curve, dict(references=many(["a"]), nbest=many([["a", "b"]]), norm=option("agentic", None), unit=option("word"))),
        (a.entity_f1, dict(reference=many(["a"], "ana", ""), hypothesis=many(["a"]), entities=many(["a"]), norm=option("agentic", None), **TIES)),
        (a.hallucination, dict(references=many(["a"]), corrected=many(["a"]), hypotheses=many([["a"]]), norm=option("agentic", None))),
    ]


def claims():
    rated = pd.DataFrame({"p": [1, 2, 1], "q": [1, 2, 2]})
    timed = a.Study.from_long(DF.assign(engine="x", seconds=1.0), text="x")
    names = dict(measures=option(["wer"], None))
    level = dict(level=option(0.95))
    return [
        (a.chi_square_quantile, dict(p=option(0.5), df=option(3, 5))), (a.student_quantile, dict(p=option(0.5), df=option(3, 5))),
        (a.wide_scores, dict(df=frame(pd.DataFrame({"n": [1, 2], "d": [3, 4]})), arms=thing({"x": ("n", "d")}), measure=text("wer"))),
        (a.compare_arms, dict(scores=frame(scores()), old=option("x").called("arm"), new=option("y").called("arm"), **names, **level,
                              interval=option("linearised"),
                              resamples=whole(100), flips=whole(99), seed=whole(0))),
        (a.estimate, dict(scores=frame(scores()), **names, **level, interval=option("linearised"), resamples=whole(100), seed=whole(0))),
        (a.leave_one_out, dict(scores=frame(scores()), arm=option("x", None), **names)), (a.holm, dict(p_values=many([0.1, 0.2], [None], {}))),
        (a.arm_costs, dict(study=thing(timed), duration=option("duration"), measure=option("wer"), currency=text("USD"))),
        (a.compare_releases, dict(old=frame(scores()), new=frame(scores()), measure=option("wer"), old_arm=option("x"), new_arm=option("y"),
                                  seed=whole(0))),
        (a.plan_sample, dict(pilot=frame(scores()), detect=option(0.01), old=option("x").called("arm"), new=option("y").called("arm"),
                            measure=option("wer"), power=option(0.8), **level)),
        (a.rating_agreement, dict(ratings=frame(rated), scale=option("nominal"), **level, resamples=whole(100), seed=whole(0))),
        (a.repeat_noise, dict(scores=frame(scores()), **names, **level)),
    ]


def judging():
    item = ("a", "b", "c")
    three = dict(preds=many(["a"]).called("pred"), intendeds=many(["b"]).called("intended"), spokens=many(["c"]).called("spoken"))
    return [
        (a.amend, dict(pred=text(), fixed=text())), (a.char_edits, dict(pred=text(), fixed=text())), (a.normalize, dict(text=text())),
        (a.check_verdict, dict(pred=text(), intended=text(), fixed=text())), (a.pooled, dict(edits=many([1], [5], b"a"), chars=many([2], [5], b"a"))),
        (a.load_gold, dict(lang=option("en", None))),
        (a.ask_judge, dict(judge=thing(a.RulesJudge("en")), items=many([item], "", {}), mode=option("sync"), retries=whole(0), repeat=whole(0))),
        (a.Verdict, dict(fixed=text("a", None), outcome=option("judged"), flags=many((), {}), judge=text("r"))),
        (a.build_prompt, dict(intended=text(), pred=text(), spoken=text(), version=option("v1"))),
        (a.exact_usd, dict(value=option("1.5", 5).called("amount in dollars"))), (a.rates_of, dict(model=option("claude-opus-5-5"))),
        (a.usage_cost, dict(usage=thing({"input_tokens": 1, "output_tokens": 1}), model=option("claude-opus-5-5"))),
        (a.worst_cost, dict(n_bytes=whole(10), max_tokens=whole(10), models=many(["claude-opus-5-5"]).called("model"))),
        (a.Ledger, dict(path=thing("nowhere", "ana"), cap_usd=option("5", None, 5))), (a.VerdictStore, dict(path=thing("nowhere", "ana"))),
        (a.Journal, dict(path=thing("nowhere", "ana"))), (a.item_key, dict(item=many(item))), (a.verdict_of, dict(record=thing(None, None))),
        (a.score, dict(pred=text(), intended=text(), spoken=text(), judge=option("rules"))), (a.score_arrays, dict(**three, judge=option("rules"))),
        (a.score_dataframe, dict(df=frame(DF),
                                 pred_cols=option(["x"]).called("column"), intended_col=option("reference"), spoken_col=option("spoken"),
                                 judge=option("rules"))),
    ]


def views():
    return [
        (a.clip_html, dict(alignment=thing(ALIGNED), terms=many([], "", {}), title=text(""))),
        (a.Study.from_wide, dict(df=frame(DF), arms=many(["x", "y"]).called("df has no such column"), reference=option("reference", None),
                                 clip=option("id", None), norm=option("amend", None), terms=many(["a"], None, {}))),
        (a.Tables.from_long, dict(df=frame(DF.assign(engine="x")), clip=option("id"), arm=option("engine"),
                                  text=option("x").called("what the arm wrote"),
                                  reference=option("reference", None), terms=many(["a"], None, {}))),
        (judged().view, dict(clip=option("1", None))), (a.view_clip, dict(study=thing(judged()), clip=option("1", None))),
        (a.judge_study, dict(study=thing(study()), judge=option("rules"))),
        (a.report_clips, dict(study=thing(judged()), clips=many(["1"], None))),
        (a.study_scores, dict(study=thing(study()), measures=option(["wer"], None), **AGAINST, **TIES)),
        (a.study_summary, dict(study=thing(study()), by=option(None, None), measure=option("wer", None), **AGAINST)),
        (study().scores, dict(measures=option(["wer"], None), **AGAINST)),
        (study().summary, dict(by=option(None, None), measure=option("wer", None))),
    ]


def each(calls):
    "A case for each argument of each call."
    names = [getattr(call, "__qualname__", type(call).__qualname__) for call, _ in calls]
    return [pytest.param(call, args, arg, id=f"{name}-{arg}") for name, (call, args) in zip(names, calls, strict=True) for arg in args]


def refuses(call, args, arg):
    "Each wrong value of the argument is refused by an error of ours that names it; the call with right ones works."
    good = {k: v.good for k, v in args.items()}
    call(**good)
    for wrong in args[arg].wrong:
        e = refusal(call, good, arg, wrong)
        assert e is not None, f"{arg}={wrong!r} was taken"
        assert own(e), f"{arg}={wrong!r}: {type(e).__name__}: {e}"
        assert any(name in str(e) for name in (arg, *args[arg].names)), f"{arg}={wrong!r} is not named: {e}"
        assert isinstance(e, (TypeError, ValueError, LookupError))


@pytest.mark.parametrize(("call", "args", "arg"), each(TEXTS))
def test_texts_steps_and_norms_refuse_what_they_cannot_take(call, args, arg): refuses(call, args, arg)


@pytest.mark.parametrize(("call", "args", "arg"), each(counting()))
def test_what_counts_refuses_what_it_cannot_count(call, args, arg): refuses(call, args, arg)


@pytest.mark.parametrize(("call", "args", "arg"), each(claims()))
def test_a_claim_refuses_what_it_cannot_rest_on(call, args, arg): refuses(call, args, arg)


@pytest.mark.parametrize(("call", "args", "arg"), each(judging()))
def test_a_judge_refuses_what_it_cannot_judge(call, args, arg): refuses(call, args, arg)


@pytest.mark.parametrize(("call", "args", "arg"), each(views()))
def test_a_study_and_a_view_refuse_what_they_cannot_show(call, args, arg): refuses(call, args, arg)
