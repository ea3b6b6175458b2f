"""What `steps` promises: places that are exact for steps, and that a black box agrees to."""
import re
from pathlib import Path
from unicodedata import category, normalize

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, check_spans, examples

from amend_nb import EditStep, Normalizer, SubStep, Token, get_normalizer, split_words, tokens_through, whisper_english
from amend_nb import steps as room

HAND = [line for line in (Path(__file__).parent / "spans_by_hand.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")]


def by_hand(line: str):
    "(normalizer, raw text, tokens) of a line of spans_by_hand.txt."
    name, marked = line.split(" | ", 1)
    marked = re.sub(r"\\u([0-9a-f]{4})", lambda m: chr(int(m[1], 16)), marked).replace("\\n", "\n").replace("\\t", "\t")
    raw, tokens, at = "", [], 0
    for m in re.finditer(r"\[\[(.*?)(?:\|(.*?))?\]\]", marked):
        raw += marked[at:m.start()]
        words = m[1] if m[2] is None else m[2]
        tokens += [Token(word, len(raw), len(raw) + len(m[1])) for word in words.split()]
        raw, at = raw + m[1], m.end()
    return name, raw + marked[at:], tokens


def test_there_are_enough_of_them(): assert len(HAND) >= 80 and len(set(HAND)) == len(HAND)


@pytest.mark.parametrize("line", HAND)
def test_spans_by_hand(line):
    name, raw, tokens = by_hand(line)
    assert get_normalizer(name).tokens(raw) == tokens


# -- black boxes -------------------------------------------------------------------------------------------------------
WORDS = """um uh the cat cats one two twenty hundred thousand and a half point five minus dollars euros cents
percent per cent first 10 th 10th 3.5 1,250 $5 50% €52.4 million double oh seven it's don't won't he'd
been she's got gonna y'all mr. Dr. colour [noise] (laughter) <b> AT&T café cafe\u0301 œuvre RC232 10km
well-known 'cause — ... , . “quoted” 007 1960s naïve O.K. £2.50""".split()
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def swap(text): return re.sub(r"(\S+) and (\S+)", r"\2 and \1", text.upper())
def count(text): return f"{len(text.split())} words" if text.strip() else ""
def doubled(text): return " ".join(w + w for w in text.split())
def letters(text): return " ".join(text.replace(" ", ""))
def fussy(text): return text.lower() if len(text) != 3 else 1 / 0
def last(text): return " ".join(text.split()[-2:])
def extra(text): return "<s> " + text


@pytest.mark.parametrize("norm", ["whisper-english", swap, count, doubled, letters, fussy, last, extra, str.title,
                                  str.strip], ids=lambda f: getattr(f, "__name__", f))
@examples(500)
@given(st.one_of(SENTENCES, TEXTS))
def test_a_box_keeps_its_tokens_and_its_spans_are_in_order(norm, text):
    norm = get_normalizer(norm)
    try: words = norm.words(text)
    except ZeroDivisionError: return
    tokens = norm.tokens(text)
    assert [t.text for t in tokens] == words
    check_spans(text, tokens)


def groups(tokens):
    out = {}
    for t in tokens: out.setdefault((t.start, t.end), []).append(t.text)
    return out


@examples(2000)
@given(SENTENCES)
@example("five dollars [noise here] um two and a half dollars")
def test_a_group_of_whispers_normalises_back_or_is_the_whole(text):
    norm = get_normalizer("whisper-english")
    told = groups(norm.tokens(text))
    whole = [m.span() for m in re.finditer(r"\S+", text)]
    for (start, end), words in told.items():
        assert norm.words(text[start:end]) == words or (start, end) == (whole[0][0], whole[-1][1])


def test_most_groups_are_small():
    text = "Um, I have twenty two dollars and it's fifty percent of one hundred, don't you think? "
    norm = get_normalizer("whisper-english")
    sizes = [len(text[a:b].split()) for a, b in groups(norm.tokens(text))]
    assert max(sizes) == 3 and len(sizes) == 12


@pytest.mark.parametrize("make", [lambda n: "twenty two dollars and it's um fifty percent, " * (n // 8),
                                  lambda n: "cat " * n,
                                  lambda n: " ".join(f"word{i % 977} one hundred and {i}" for i in range(n // 5))])
@pytest.mark.parametrize("function", [whisper_english, swap, last, lambda t: " ".join(t.split()[::-1])])
def test_a_box_on_20_000_words_is_asked_about_no_quadratic_amount_of_text(function, make):
    asked = {}
    for n in (5_000, 20_000):
        handed = []
        def counted(text, handed=handed):
            handed.append(len(text))
            return function(text)
        get_normalizer(counted).tokens(make(n))
        asked[n] = sum(handed)
    assert asked[20_000] < 6 * asked[5_000] + 200_000


# -- steps -------------------------------------------------------------------------------------------------------------
def test_a_step_of_ones_own():
    def arrows(text): return [(m.start(), m.end(), " to ") for m in re.finditer("->", text)]
    assert tokens_through("a->b", [EditStep("arrows", arrows)]) == [("a", 0, 1), ("to", 1, 3), ("b", 3, 4)]
    swapped = tokens_through("John Smith", [SubStep("order", r"(\w+) (\w+)", r"\2, \1")])
    assert swapped == [("Smith,", 0, 10), ("John", 0, 10)]


@pytest.mark.parametrize("edits", [[(2, 1, "")], [(0, 9, "")], [(-1, 1, "")], [(0, 2, ""), (1, 3, "")],
                                   [(2, 3, ""), (0, 1, "")]])
def test_edits_that_cannot_be_are_refused(edits):
    with pytest.raises(ValueError, match="step bad: edit .* is out of order, overlaps or leaves 'abc'"):
        tokens_through("abc", [EditStep("bad", lambda text: edits)])


def test_inserted_words_stand_at_a_place_without_width():
    step = EditStep("both ends", lambda text: [(0, 0, "<s> "), (len(text), len(text), " </s>")])
    assert tokens_through("a b", [step]) == [("<s>", 0, 0), ("a", 0, 1), ("b", 2, 3), ("</s>", 3, 3)]
    assert tokens_through("", [EditStep("one", lambda text: [(0, 0, "x")])]) == [("x", 0, 0)]


@examples(1000)
@given(TEXTS, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_a_unicode_form_is_taken_piece_by_piece(text, form):
    step = room.FormStep("form", form)
    traced = room._replay(room._Traced(text, range(len(text)), range(1, len(text) + 1)), step.edits(text))
    assert traced.text == step(text)
    assert all(a <= b for a, b in zip(traced.starts, traced.starts[1:], strict=False))


@examples(2000)
@given(TEXTS)
@example("a\tb")
@example("\ta \t b\n")
def test_ascii_space_gives_jiwers_tokens(text):
    import jiwer.transforms as tr
    compose = tr.Compose([tr.RemoveMultipleSpaces(), tr.Strip(), tr.ReduceToListOfListOfWords()])
    tokens = tokens_through(text, [], space="ascii")
    check_spans(text, tokens)
    assert [t.text for t in tokens] == split_words(text, space="ascii") == compose([text])[0]
    assert all(text[t.start:t.end] == t.text for t in tokens)


def test_a_space_rule_that_is_none_is_refused():
    for call in (get_normalizer(None).tokens, get_normalizer("amend").words, split_words):
        with pytest.raises(ValueError, match="'jiwer'.*unicode.*ascii"): call("a b", space="jiwer")


CLASSES = [r"[^\w\s']", r"\W", "[a-f]", "[^]a]", r"[\]b]", "é", r"\.", ".", r"[é\d]"]


def every_kind(module):
    "Steps of every kind and setting that may be had."
    categories = sorted(module._CATEGORIES)
    return st.one_of(
        st.builds(module.FormStep, st.just("f"), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]), st.sampled_from(["", *categories])),
        st.builds(module.CaseStep, st.just("c"), st.sampled_from(["lower", "casefold"])),
        st.builds(module.CharStep, st.just("h"), st.just({"a": "bb", "é": "", ".": " "}), st.sampled_from(["", *categories]),
                  st.text("LMNPSZC", max_size=3)),
        st.builds(module.BlankStep, st.just("b"), st.sampled_from(CLASSES)), st.just(module.SpaceStep("s")),
        st.builds(module.SubStep, st.just("u"), st.sampled_from([*CLASSES, "ab", "a|é"]), st.sampled_from(["", "x", r"\g<0>\g<0>"])))


def the_text_alone_is_what_the_edits_make(module):
    @examples(1500)
    @given(every_kind(module), st.one_of(TEXTS, st.text("ab.é'-_ 1", max_size=8)))
    @example(module.FormStep("f", "NFC", "Po"), "a.b")
    def law(step, text):
        assert step(text) == module.Step._made(step, text, step.edits(text))
        if step.name == "f": assert step(text) == "".join(c for c in normalize(step.form, text) if category(c) != step.drop)
        if step.name == "b": assert step(text) == "".join(" " if re.fullmatch(step.pattern, c) else c for c in text)
    law()


def test_the_text_alone_is_what_the_edits_make():
    the_text_alone_is_what_the_edits_make(room)
    for change in ((" and self.drop not in _OF_ASCII", ""), ("else text.casefold()", "else text.lower()"),
                   ('{i: " " for i in range(128) if', '{i: " " for i in range(97) if'), ("[i:j] != new]", "[i:j] < new]")):
        assert breaks(the_text_alone_is_what_the_edits_make, mutant(room, change)), change
    assert room.FormStep("f", "NFC", "Po")("a.b") == "ab" and room.FormStep("f", "NFC", "Po")("é.b") == "éb"


@pytest.mark.parametrize("make, says", [
    (lambda: room.FormStep("f", "NFX"), "FormStep 'f': form='NFX': expected NFC"), (lambda: room.FormStep("f", "NFC", "M"), "drop='M'"),
    (lambda: room.CaseStep("c", "nonsense"), "how='nonsense': expected 'lower' or 'casefold'"), (lambda: room.CaseStep("c", "title"), "how='title'"),
    *[(lambda p=p: room.BlankStep("b", p), "expected a class of single characters") for p in
      ("ab", "", "a*", "a|b", r"\ba", r"\b", "(a)", "^a", "a$", "[a", "[a]b", "(?i)a", "a?", "[a]+", r"\1", r"\A", "[]", "[^]", r"[a\]")],
    (lambda: room.SubStep("s", "(a"), "pattern='\\(a': expected one that compiles"),
    (lambda: room.SubStep("s", "a", r"\1"), r"new='.*1': expected one that"),
    (lambda: room.SubStep("s", "a", r"\g<x>"), "new="), (lambda: room.CharStep("c", {"ab": "c"}), "table has 'ab': expected one character"),
    (lambda: room.CharStep("c", {"": "c"}), "table has ''"), (lambda: room.CharStep("c", {}, "", "x"), "blank='x'"),
    (lambda: room.WordStep("w", {"of course": ""}), "'of course': expected one word"), (lambda: room.WordStep("w", {"": "x"}), "expected one word"),
    (lambda: Normalizer("n", "1", [room.CaseStep("c"), room.SpaceStep("c")]), "two steps are named 'c'"),
    (lambda: Normalizer("n", "1", [room.CaseStep("")]), r"steps\[0\] has no name"),
    (lambda: Normalizer("n", "1", [EditStep("e", len, "1", "no-such-package-here")]).id, "library='no-such-package-here': no package")])
def test_a_step_is_checked_when_it_is_made(make, says):
    with pytest.raises(ValueError, match=says): make()


@pytest.mark.parametrize("make, says", [
    (lambda: room.WordStep("w", {"A": 1}), "WordStep: table, 'A'=1: expected a text, got int; write it as a text: '1'"),
    (lambda: room.CaseStep("c", when=1), "CaseStep: when=1: expected True or False"), (lambda: room.CaseStep("c", option=None), "option=None"),
    (lambda: Normalizer("n", "1", [], options={"a": 1}), "n: options, 'a'=1: expected True or False"),
    (lambda: Normalizer("n", "1", token_steps=["x"]), r"n: token_steps\[0\]='x': expected a step"),
    (lambda: get_normalizer("amend").without(None), r"names\[0\]=None: expected a text")])
def test_a_field_is_what_its_annotation_says(make, says):
    with pytest.raises(TypeError, match=says): make()


@pytest.mark.parametrize("found", [None, 5, [(0, 1)], [(0, 1, 2)], [None], ["ab"], [("0", 1, "x")], [(0, 1, "x", "y")], [(0.0, 1, "x")]])
def test_what_a_function_finds_is_checked(found):
    step = EditStep("mine", lambda text: found)
    for call in (step, step.edits, lambda text: tokens_through(text, [step])):
        with pytest.raises(TypeError, match=r"step mine: find gave .* for 'abc': expected \(start, end, new\)"): call("abc")


# -- mutants: the laws above must see them -----------------------------------------------------------------------------
@pytest.mark.parametrize("name, broken", [
    ("first one late", lambda t: t._replace(starts=[s + 1 for s in t.starts])),
    ("last one early", lambda t: t._replace(ends=[e - 1 for e in t.ends])),
    ("first of all", lambda t: t._replace(starts=[0] * len(t.text)))])
def test_a_shifted_span_is_caught(monkeypatch, name, broken):
    whole = room._replay
    monkeypatch.setattr(room, "_replay", lambda traced, edits: broken(whole(traced, edits)))
    wrong = sum(get_normalizer(n).tokens(raw) != tokens for n, raw, tokens in map(by_hand, HAND))
    assert wrong > len(HAND) // 2
