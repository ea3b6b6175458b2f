"""Bad input never gives a figure and never a bare error of Python: public functions refuse a missing text, a text where a list belongs, a
number where a text belongs, an unknown option, by a `raise` of their own that names the argument. Each argument of each call is tried in turn."""
import ast
import math
from functools import cache
from pathlib import Path

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
    def __init__(self, good, kind, *free): self.good, self.wrong = good, [w for w in WRONG[kind] if not any(w is f or w == f for f in free)]


def text(good="a b", *free): return Arg(good, "text", *free)
def option(good, *free): return Arg(good, "option", *free)
def many(good, *free): return Arg(good, "many", *free)
def thing(good, *free): return Arg(good, "thing", *free)
def whole(good, *free): return Arg(good, "whole", *free)
def frame(good, *free): return Arg(good, "frame", *free)


@cache
def raises(file: str) -> set[int]:
    "The lines of a module that belong to its `raise` statements."
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    return {n for node in ast.walk(tree) if isinstance(node, ast.Raise) for n in range(node.lineno, node.end_lineno + 1)}


def refusal(call, good: dict, name: str, wrong) -> Exception | None:
    "The error that the call gives with one argument wrong."
    try: call(**{**good, name: wrong})
    except Exception as e: return e
    return None


def own(e: Exception) -> bool:
    "Was the error raised by a `raise` of the package?"
    trace = e.__traceback__
    while trace.tb_next: trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename
    return Path(file).parent == PACKAGE and trace.tb_lineno in raises(file)


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


def tried(calls):
    "One case for each argument of each call."
    for call, args in calls:
        name = getattr(call, "__qualname__", type(call).__qualname__)
        for arg in args: yield pytest.param(call, args, arg, id=f"{name}-{arg}")


def refuses(call, args, arg):
    "Each wrong value of the argument is refused by an error of ours that names it; the call with right ones works."
    good = {k: v.good for k, v in args.items()}
    call(**good)
    for wrong in args[arg].wrong:
        e = refusal(call, good, arg, wrong)
        assert e is not None, f"{arg}={wrong!r} was taken"
        assert own(e), f"{arg}={wrong!r}: {type(e).__name__}: {e}"
        assert arg in str(e), f"{arg}={wrong!r} is not named: {e}"
        assert isinstance(e, (TypeError, ValueError))


@pytest.mark.parametrize(("call", "args", "arg"), list(tried(TEXTS)))
def test_texts_steps_and_norms_refuse_what_they_cannot_take(call, args, arg): refuses(call, args, arg)
