"""References with alternatives and regions: the best wording, what is not scored, and a law held against every way there is."""
import json

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from rapidfuzz.distance import Levenshtein
from texts import TEXTS, examples

import amend_nb.alternatives as subject
from amend_nb import Counts, align, align_marked, error_counts, figures, marked_counts, measure_scores
from amend_nb.tables import Tables


def test_the_reported_redaction(shared):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    cases = {d["id"]: d for d in map(json.loads, filter(None, lines))}
    case = cases["M13"]["input"]
    made = align_marked(case["ref"], case["hyp"], "amend")
    assert made.counts == Counts(5, 0, 0, 0) and len(made.regions) == 1 and "not scored" in repr(made)
    case = cases["M08"]["input"]     # signs in real text are no marks
    made = align_marked(case["ref"], case["hyp"])
    assert made.counts == align(case["ref"], case["hyp"]).counts == Counts(4, 0, 2, 0) and not made.regions


@pytest.mark.parametrize("ref, hyp, errors, choices", [
    ("{going to / gonna} go", "gonna go", 0, ("gonna",)),
    ("{going to / gonna} go", "going to go", 0, ("going to",)), ("{going to / gonna} go", "going go", 1, ("going to",)),
    ("{uh / @} so", "so", 0, ("",)), ("{uh / } so", "so", 0, ("",)), ("{ / uh} so", "uh so", 0, ("uh",)),
    ("{uh /} so", "so", 0, ("",)), ("{/ uh} so", "so", 0, ("",)), ("{ / } a", "{ / } a", 0, ()),
    ("{ x {a / b}", "{ x b", 0, ("b",)), ("} {a / b}", "} b", 0, ("b",)),
    ("{a / b}{c / d} e", "bc e", 0, ("b", "c")), ("{a / b}, then", "b, then", 0, ("b,",)),
    ("{color / colour}s here", "colours here", 0, ("colours",)), ("{a {b / c} / d} e", "a c e", 0, ("a c",)),
    ("{a / b} {a / b}", "b a", 0, ("b", "a")),
    ("{AC/DC / ACDC} plays", "ACDC plays", 0, ("ACDC",)), ("{AC/DC} plays", "{AC/DC} plays", 0, ()),
    ("{ name } x", "{ name } x", 0, ()), ("a { b / c", "a { b / c", 0, ()),
    ("a / b", "a / b", 0, ()), ("{a / b} x", "c x", 1, ("a",)), ("", "", 0, ()), ("{a / b}", "", 1, ("a",)), ("{a b / c}", "", 1, ("c",))])
def test_the_best_wording_scores(ref, hyp, errors, choices):
    made = align_marked(ref, hyp)
    assert made.counts.errors == errors and made.choices == choices and made.regions == ()


@pytest.mark.parametrize("ref, hyp, counts, said", [
    ("a [redacted] b", "a x y z b", (2, 0, 0, 0), ["x y z"]), ("a [redacted] b", "a b", (2, 0, 0, 0), [""]),
    ("[...] b", "x b", (1, 0, 0, 0), ["x"]), ("a [...]", "a x y", (1, 0, 0, 0), ["x y"]),
    ("[inaudible]", "x y", (0, 0, 0, 0), ["x y"]), ("[inaudible]", "", (0, 0, 0, 0), [""]),
    ("a *** b [REDACTED], c", "a x b y c", (3, 0, 0, 0), ["x", "y"]),
    ("a b [...] c", "a x c", (2, 1, 0, 0), [""]),
    ("call <redacted>Maria Silva</redacted> now", "call Ana Lima now", (2, 0, 0, 0), ["Ana Lima"]), ("a [...] b c", "a x b", (2, 0, 1, 0), ["x"]),
    ("a [noise] b", "a b", (2, 0, 1, 0), []), ("a [...] [...] b", "a x y b", (2, 0, 0, 0), None)])
def test_regions_are_not_scored_and_it_is_said(ref, hyp, counts, said):
    made = align_marked(ref, hyp)
    assert tuple(made.counts) == counts
    if said is not None: assert [hyp[r.start:r.end] for r in made.regions] == said
    assert ("not scored" in repr(made)) == bool(made.regions)


def test_marks_of_ones_own():
    made = align_marked("a [noise] b [...]", "a x b [...]", marks=["[noise]"])
    assert made.counts == Counts(3, 0, 0, 0) and [r.mark for r in made.regions] == ["[noise]"]
    assert align_marked("a XXX b XXXL", "a x b XXXL", marks=["XXX"]).counts == Counts(3, 0, 0, 0)
    assert not align_marked("a [...] b", "a b", marks=[]).regions
    with pytest.raises(TypeError, match="a list of marks"): align_marked("a", "a", marks="[x]")
    with pytest.raises(ValueError, match="not blank"): align_marked("a", "a", marks=[" "])


def test_words_that_a_norm_reads_together():
    made = align_marked("I have {twenty / thirty} {six / five} dogs", "I have 25 dogs", "whisper-english")
    assert made.counts.errors == 0 and made.choices == ("twenty", "five")


@pytest.mark.parametrize("ref", ["{" * 20_000, "{ " * 9000 + "}" * 9000, "{a / " * 3000, "." * 30_000,
    "<redacted>" * 3000, "a / " * 5000, "}{" * 9000, "*" * 20_000])
def test_no_text_takes_long(ref): assert align_marked(ref + " b", "b").counts.hits == 1


def test_too_many_wordings_are_refused():
    inner = "{a / b} " * 11
    for ref in ("{" + inner + "/ x}", "{a / " * 40 + "b" + "}" * 40, "{a / " * 3000 + "b" + "}" * 3000):
        with pytest.raises(ValueError, match="more than 1,000 wordings"): align_marked(ref, "a")
    assert align_marked("{" + "{a / b} " * 9 + "/ x}", "a b " * 4 + "b").counts.errors == 0


def test_many_alternatives_and_long_texts():
    ref, hyp = " ".join(f"{{a{k} / b{k} / @}} w{k}" for k in range(400)), " ".join(f"b{k} w{k}" if k % 2 else f"w{k}" for k in range(400))
    made = align_marked(ref + " [...] end", hyp + " who knows what end")
    assert made.counts.errors == 0 and made.choices[:4] == ("", "b1", "", "b3")


@pytest.mark.parametrize("call, error, says", [
    (lambda: align_marked(None, "a"), TypeError, "reference=None"),
    (lambda: align_marked("a", float("nan")), TypeError, "hypothesis=nan"), (lambda: align_marked("a", "a", "x"), ValueError, "'x'"),
    (lambda: align_marked("a", "a", unit="char"), ValueError, "unit='char'"),
    (lambda: align_marked("a", "a", ties="x"), ValueError, "ties='x'"), (lambda: marked_counts(["a"]), TypeError, "hyps: hypotheses are needed"),
    (lambda: marked_counts(["a", None], ["a", "a"]), TypeError, r"refs\[1\]"), (lambda: marked_counts(["a"],
    []), ValueError, "pair up"), (lambda: marked_counts("a", "a"), TypeError, "list of texts")])
def test_what_is_refused(call, error, says):
    with pytest.raises(error, match=says): call()


# ---- laws

WORDS = st.lists(st.sampled_from("abc"), max_size=2).map(" ".join)
PART = st.one_of(st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(" ".join), st.lists(WORDS, min_size=2,
    max_size=3, unique=True), st.just(None))
HYP = st.lists(st.sampled_from("abcd"), max_size=6)


def written(part): return "[redacted]" if part is None else part if isinstance(part, str) else "{" + " / ".join(w or "@" for w in part) + "}"


def fewest(parts, hyp):
    "Fewest errors, then fewest words left out, over every combination of wordings and every stretch that the regions may take."
    def best(k, hyp):
        if k == len(parts): return len(hyp), 0
        rest = [best(k + 1, hyp[n:]) for n in range(len(hyp) + 1)]
        if parts[k] is None: return min((errors, out + n) for n, (errors, out) in enumerate(rest))
        ways = [parts[k]] if isinstance(parts[k], str) else parts[k]
        return min((Levenshtein.distance(w.split(), hyp[:n]) + errors, out) for w in ways for n, (errors, out) in enumerate(rest))
    return best(0, hyp)


def several_ways(parts):
    "With several wordings the first of equals is taken, though another might leave out less."
    return any(isinstance(p, list) for p in parts)


def the_cheapest_way_is_taken(module):
    @examples(500)
    @given(st.lists(PART, max_size=4), HYP, st.sampled_from(["jiwer", "diagonal", "hits"]), st.sampled_from([64, 0]))
    def law(parts, hyp, ties, most):
        module._MOST_WAYS = most
        ref, text = " ".join(map(written, parts)), " ".join(hyp)
        made = module.align_marked(ref, text, ties=ties)
        left_out = len(hyp) - made.counts.hypothesis_length
        assert (made.counts.errors, left_out) == fewest(parts, hyp) or several_ways(parts) and made.counts.errors == fewest(parts, hyp)[0]
        assert len(made.regions) == parts.count(None)
        several = [p for p in parts if isinstance(p, list)]
        assert len(made.choices) == len(several) and all(c in p for c, p in zip(made.choices, several, strict=True))
        taken = iter(made.choices)
        stretches = [w for p in parts for w in (() if p is None else [p] if isinstance(p, str) else [next(taken)])]
        assert made.alignment.reference.split() == " ".join(stretches).split() == [t.text for t in made.alignment.ref_tokens]
        out = [k for r in made.regions for k in range(r.start, r.end)]
        assert "".join(t.text for t in made.alignment.hyp_tokens) == "".join(c for k, c in enumerate(text) if k not in out and c != " ")
        for side, tokens in ((made.alignment.reference, made.alignment.ref_tokens), (text, made.alignment.hyp_tokens)):
            for t in tokens: assert side[t.start:t.end] == t.text
        if not several and None not in parts: assert made.alignment == align(ref, text, ties=ties)
    law()


def test_the_cheapest_way_is_taken():
    try:
        the_cheapest_way_is_taken(subject)
        for change in (("np.where(steps > 0, np.int64(1) << 61, 0)", "steps * 0"), ("(rows >> 20).argmin(", "(rows >> 20).argmax("),
                       ("_closed(np, row, steps * _SKIP)", "row"), ("_closed(np, row, steps * _SKIP)", "_closed(np, row, steps * 0)"),
                       ("np.where(hyp == token, 0, _ERROR)", "np.where(hyp == token, 0, 2 * _ERROR)"),
                       ("return min(ways, key=", "return max(ways, key=")):
            assert breaks(the_cheapest_way_is_taken, mutant(subject, change)), change
    finally: subject._MOST_WAYS = 64


@examples(500)
@given(st.lists(st.tuples(st.one_of(st.lists(PART, max_size=3).map(lambda parts: " ".join(map(written, parts))),
    TEXTS), st.one_of(HYP.map(" ".join), TEXTS)), min_size=1, max_size=3),
       st.sampled_from([None, "amend", "agentic"]))
@pytest.mark.filterwarnings("ignore")
def test_a_corpus_is_its_pairs(pairs, norm):
    refs, hyps = map(list, zip(*pairs, strict=True))
    each = [align_marked(r, h, norm) for r, h in pairs]
    assert marked_counts(refs, hyps, norm)[["hits", "substitutions", "deletions", "insertions",
    "regions"]].to_numpy().tolist() == [[*a.counts, len(a.regions)] for a in each]
    for (r, h), a in zip(pairs, each, strict=True):
        if not a.regions and not a.choices: assert a.counts == align(r, h, norm).counts


def test_series_keep_their_labels_and_plain_texts_the_counts_they_have():
    refs, hyps = pd.Series(["a {b / c}", "a b"], index=["x", "y"]), pd.Series(["a b", "a c"], index=["y", "x"])
    made = marked_counts(refs, hyps)
    assert made.index.tolist() == ["x", "y"] and made["hits"].tolist() == [2, 2] and set(map(str, made.dtypes)) == {"int64"}
    plain = marked_counts(["a b", "c"], ["a", "c d"]).drop(columns="regions")
    assert plain.equals(error_counts(["a b", "c"], ["a", "c d"]))


@pytest.mark.filterwarnings("ignore:refs")
def test_the_measure_says_what_was_not_scored():
    refs = ["{uh / @} so it is", "he paid [redacted] to her", "[redacted]", ""]
    study = Tables.from_wide(pd.DataFrame({"reference": refs, "x": ["so it is", "he paid ten dollars to him", "ten", ""]}), arms=["x"])
    scores = measure_scores(study, ["wer_marked", "regions", "wer"])
    assert scores[scores["measure"].eq("wer_marked")]["note"].tolist() == ["", "1 region not scored", "1 region not scored", "empty reference"]
    shown = figures(scores).set_index("measure")
    assert shown.loc["wer_marked", ["num", "den"]].tolist() == [1, 7] and shown.loc["regions", "num"] == 2 and shown.loc["wer", "num"] > 1
    assert "alternatives" in shown.loc["wer_marked", "basis"]


@pytest.mark.parametrize("ref, hyp, counts, said", [
    ("say {b / b} now", "say b now", (3, 0, 0, 0), []), ("{b / b}", "b", (1, 0, 0, 0), []), ("{@ / } b", "b", (1, 0, 0, 0), []),
    ("{a / {a / a}}s x", "as x", (2, 0, 0, 0), []),
    ("this is f*** up", "this is fucked up", (3, 0, 0, 0), ["fucked"]), ("this is f***ing odd", "this is just odd", (3, 0, 0, 0), ["just"]),
    ("[name]'s dog", "Bob's dog", (1, 0, 0, 0), ["Bob's"]), ("a \u201cf***\u201d b", "a x b", (2, 0, 0, 0), ["x"]),
    ("a f***k*** b", "a x b", (2, 0, 0, 0), ["x"]), ("un[inaudible]ed b", "untied b", (1, 0, 0, 0), ["untied"]),
    ("see\u2014[redacted]\u2014then", "see x then", (2, 0, 0, 0), ["x"]), ("{f*** / so} a", "so a", (2, 0, 0, 0), None),
    ("a [redacted][name] b", "a x y b", (2, 0, 0, 0), None), ("<redacted>p q</redacted>s c", "z c", (1, 0, 0, 0), ["z"])])
def test_equal_wordings_and_marks_inside_words(ref, hyp, counts, said):
    made = align_marked(ref, hyp)
    table = marked_counts([ref], [hyp])
    assert table[[*Counts._fields]].values.tolist() == [[*made.counts]] and table["regions"].tolist() == [len(made.regions)]
    if said is not None: assert made.counts == Counts(*counts) and [hyp[r.start:r.end] for r in made.regions] == said


def every_text_is_counted_as_it_is_aligned(module):
    parts = ["a", "b", "{a / a}", "{b / {b / b}}", "{@ / }", "{ a }", "f***", "[name]'s", "***", "{a / b}"]
    ref, hyp = (st.lists(st.sampled_from(words), max_size=4).map(" ".join) for words in (parts, "abc"))

    @examples(500)
    @given(st.lists(st.tuples(ref, hyp), min_size=1, max_size=3))
    def law(pairs):
        refs, hyps = map(list, zip(*pairs, strict=True))
        rows = module.marked_counts(refs, hyps)
        for row, ref, hyp in zip(rows.to_dict("records"), refs, hyps, strict=True):
            made = module.align_marked(ref, hyp)
            assert [row[k] for k in Counts._fields] == [*made.counts] and row["regions"] == len(made.regions)
            assert made.counts.reference_length <= len(ref.replace("/", " ").replace("{", " ").replace("}", " ").split()) or "{ a }" in ref
    law()


def test_every_text_is_counted_as_it_is_aligned():
    every_text_is_counted_as_it_is_aligned(subject)
    assert breaks(every_text_is_counted_as_it_is_aligned, mutant(subject, ("_parts(text, marks) != [_Part((text,))]",
                                                                         "any(p.mark or len(p.wordings) > 1 for p in _parts(text, marks))")))
