"""Many texts at once: the quick roads give what the steps give, text by text."""
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.lines as subject
from amend_nb.steps import BlankStep, CaseStep, SubStep

AGENTIC = (CaseStep("case"), BlankStep("symbols", r"[^\w\s']"))
FOLDED = (CaseStep("case", "casefold"),)
STEPS = [AGENTIC, AGENTIC[:1], AGENTIC[1:], FOLDED, (), (SubStep("marks", r"[.,]+", " ", by_line=True), *AGENTIC)]
LISTS = st.lists(st.one_of(TEXTS, st.text(max_size=12), st.text("aAÉΣİ打😀ß \n\u3000'-", max_size=6)), min_size=1, max_size=6)


def one_by_one(texts, steps):
    out = []
    for text in texts:
        for step in steps: text = step(text)
        out.append(" ".join(text.split()))
    return out


def law(module):
    @examples(500)
    @given(LISTS, st.sampled_from(range(5)))
    @example(["aΣ"], 0)
    @example(["😀 打", "İ"], 0)
    @example(["İ"], 0)
    @example(["İx"], 0)
    @example(["İ"], 1)
    @example(["a ", "b"], 0)
    @example(["a", " b"], 4)
    @example([" a", "b\n c "], 4)
    @example(["a\u3000b\u00a0c", "a\nb"], 4)
    def check(texts, k):
        steps = STEPS[k]
        made = module._quick_lines(texts, steps)
        assert made is None or made == one_by_one(texts, steps)
        assert module._plain_lines(texts, steps) == one_by_one(texts, steps)
    check()


def test_both_roads_are_the_steps(): law(subject)


@pytest.mark.parametrize("old, new", [
    ("= table[ord(\"Σ\")]", ""), ("if c.isspace() else c for c", "if c == ' ' else c for c"),
    ("(np.frombuffer(data, kind) == 10) >=", "(np.frombuffer(data, kind) == 10) >"), ("table[0xD800:0xE000] = ", ""),
    ("gap[:-1] | line[:-1]", "gap[:-1]"), ("units[1:] == 10, True", "units[1:] == 10, False"),
    ("ord(c) if len(c) == 1 and", "ord(c[0]) if"),
    ("(gap[0] or gap[-1])", "False")])
def test_a_change_of_the_quick_road_is_seen(old, new):
    assert breaks(law, mutant(subject, (old, new)))


def test_every_letter_of_two_bytes():
    "Each letter alone, at the end, and between others; those without an entry send the texts the plain road."
    for steps in (AGENTIC, FOLDED, AGENTIC[1:]):
        letters = [chr(i) for i in range(0x10000) if not 0xD800 <= i < 0xE000]
        for shape in ("{}", "a{}", "A{} b"):
            texts = [shape.format(c) for c in letters]
            right = one_by_one(texts, steps)
            assert subject._plain_lines(texts, steps) == right
            table = subject._wide_table(steps)
            own = [k for k, c in enumerate(letters) if table[ord(c)] != subject._ODD]
            assert subject._quick_lines([texts[k] for k in own], steps) == [right[k] for k in own]
            assert len(own) > 63_000
    odd = [c for c in letters if subject._wide_table(AGENTIC)[ord(c)] == subject._ODD]
    assert set(odd) == {"İ", "Σ"}, [unicodedata.name(c, "?") for c in odd]


@pytest.mark.parametrize("steps", STEPS)
def test_long_lists_take_the_quick_road_and_keep_their_order(steps):
    rare = {1001: "打", 2003: "😀", 3001: "Σας "}
    texts = [f"Clip {k}: {'é' * (k % 3)}{''.join(c for n, c in rare.items() if k % n == 0)} 50%…\n" * (k % 4) for k in range(9000)]
    assert subject._many_lines(texts, steps) == one_by_one(texts, steps)
    assert subject._many_lines(texts, steps, size=7) == one_by_one(texts, steps)
    assert subject._many_lines([], steps) == []


def test_texts_that_are_right_already_are_not_made_again():
    texts = [f"clip number {k} is right" for k in range(3000)]
    assert all(a is b for a, b in zip(texts, subject._many_lines(texts, AGENTIC), strict=True))
