"""What is drawn is what was aligned and typed, whatever was typed."""
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import ReportArm, ReportClip, Verdict, align, clip_html, marks, report_html, write_file
from amend_nb import render as r

NORMS = ["none", "amend", "literal", "whisper-english", "lecture-pt"]
WORDS = ["one", "two", "twenty", "25", "mg", "don't", "um", "the", "The", "a,", "R$", "1.250,00", "(x)", "...", "é", "well-known", "</b>", "$5"]
sentence = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
anything = st.text(st.characters(codec=None), max_size=40) | sentence


class Page(HTMLParser):
    "The text that a reader sees, the tags, and the draft alone."
    def __init__(self, html, unseen=("am-h", "am-b", "am-meta", "am-x", "am-w")):
        super().__init__(convert_charrefs=True)
        self.stack, self.tags, self.text, self.draft, self.marks, self.unseen = [], [], "", "", [], unseen
        self.feed(html); self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "br"): self.stack.append((tag, dict(attrs).get("class", "")))
        if tag in ("del", "ins"): self.marks.append([tag, ""])

    def handle_endtag(self, tag):
        while self.stack and self.stack.pop()[0] != tag: pass

    def handle_data(self, data):
        where = [t for t, _ in self.stack]
        if "style" in where or "script" in where or any(c in self.unseen for _, c in self.stack): return
        self.text += data
        if "del" not in where: self.draft += data
        if where and {"del", "ins"} & set(where): self.marks[-1][1] += data


def drawn(a, **kw): return Page(clip_html(a, legend=False, **kw))


@settings(max_examples=500, deadline=None)
@given(anything, anything, st.sampled_from(NORMS), st.sampled_from(["word", "char"]))
def test_every_character_of_the_draft_stands_on_the_page_once_and_letters_add_up(ref, hyp, norm, unit):
    a = align(ref, hyp, norm=norm, unit=unit)
    pieces = r._pieces(a)
    assert "".join(a.hypothesis[p.hyp_start:p.hyp_end] for p in pieces if p.hyp_start >= 0) == hyp
    c = a.counts
    assert tuple(sum(p.tally[k] for p in pieces) for k in range(3)) == (c.substitutions, c.deletions, c.insertions)
    starts = [p.ref_start for p in pieces if p.ref_start >= 0]
    assert starts == sorted(starts)
    html = clip_html(a)
    assert set(re.findall(r"<(/?[a-z]+)", html)) <= {f"{s}{t}" for s in ("", "/") for t in ("style", "div", "span", "del", "ins", "sup", "b")}
    html.encode("utf-8")


@settings(max_examples=500, deadline=None)
@given(sentence, sentence, sentence, st.sampled_from(NORMS))
def test_the_second_layer_changes_no_text(ref, hyp, fixed, norm):
    a, judge = align(ref, hyp, norm=norm), align(fixed, hyp, norm="amend")
    pieces = r._split(r._pieces(a), r._edits(judge))
    assert "".join(hyp[p.hyp_start:p.hyp_end] for p in pieces if p.hyp_start >= 0) == hyp
    c, edits = a.counts, r._edits(judge)
    assert tuple(sum(p.tally[k] for p in pieces) for k in range(3)) == (c.substitutions, c.deletions, c.insertions)
    at, added, owned = 0, [], {}
    for p, (edit, _) in zip(pieces, r._owners(pieces, edits, []), strict=True):
        if p.kind == "added": added.append((at, p.words[0]))
        if p.hyp_start >= 0:
            at = p.hyp_end
            if edit is not None: owned[edit] = owned.get(edit, "") + hyp[p.hyp_start:p.hyp_end]
    assert added == [(e.start, n) for n, e in enumerate(edits) if e.start == e.end]
    assert owned == {n: hyp[e.start:e.end] for n, e in enumerate(edits) if e.start < e.end}
    mended, at = "", 0
    for e in edits:
        mended, at = f"{mended}{hyp[at:e.start]} {judge.reference[e.fixed_start:e.fixed_end]} ", e.end
    assert align(mended + hyp[at:], fixed, norm="amend").counts.errors == 0
    said = Page(clip_html(a, legend=False)).draft
    assert re.sub(r"\s+", "", Page(clip_html(a, judge=judge, legend=False)).draft) == re.sub(r"\s+", "", said)


@settings(max_examples=500, deadline=None)
@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_is_shown_and_none_is_run(raw):
    html = marks._text(raw, marks._Pen(False))
    html.encode("utf-8")
    assert not re.search(f"[{marks._MARKS}\n]", html.replace("\U0001f3f4", ""))
    page = Page(html)
    assert {t for t, _ in page.tags} <= {"span"}
    assert all(set(attrs) <= {"class", "dir", "title"} for _, attrs in page.tags)
    if not re.search(f"[{marks._MARKS}\ufe00-\ufe0f\U000e0100-\U000e01ef\u200c\u200d]", raw): assert page.text == raw


def test_a_difference_in_a_number_is_marked_whole_on_both_raw_texts():
    a = align("Pagou R$ 1.250,00 ontem", "pagou mil duzentos e quarenta reais ontem", norm="lecture-pt")
    assert drawn(a).marks == [["del", "R$ 1.250,00"], ["ins", "mil duzentos e quarenta reais"]]


def test_a_repeated_phrase_is_one_block_and_named():
    a = align("now go to appearance and set the preview text", "now go to appearance and set the and set the preview text")
    page = drawn(a)
    assert page.marks == [["ins", "and set the"]]
    assert "repeat of “and set the”" in [d.get("title") for _, d in page.tags]


@pytest.mark.parametrize("text", ["{ name } <eps> * b", "<img src=x onerror=alert(1)>", "type </script><b>x</b> here", "a & b < c \"d\"",
                                  "custa $31 por ação, ou $135 no total", "/etc/passwd", "https://example.org/a", r"\(x\) \begin{a}"])
def test_what_was_typed_is_what_is_read(text):
    page = drawn(align("something else", text))
    assert re.sub(r"\s+", " ", page.draft).strip() == text
    assert not {t for t, _ in page.tags} & {"img", "script", "a"}
    alone = [c for c in re.findall(r"<span>(.)</span>", clip_html(align("x", text)))]
    assert alone.count("$") == text.count("$") and alone.count("\\") == text.count("\\")


def test_gap_marks_of_other_tools_are_words_here():
    a = align("{ name } <eps> * b", "{ name } b")
    assert (a.counts.hits, a.counts.deletions) == (4, 2)
    assert drawn(a).marks == [["del", "<eps> *"]]


def test_long_texts_are_drawn():
    a = align("word " * 20_000, "word wrod new " * 10_000, norm="amend")
    assert clip_html(a).count("<del") + clip_html(a).count("<ins") > 10_000
    assert "U+202E ×100000" in clip_html(align("\u202e" * 100_000, "\x00" * 100_000, unit="char", norm="none"))


def test_no_repeat_is_seen_where_there_is_none():
    for ref, hyp in (("a b", "a x b"), ("a b", "a x y b"), ("a b c", "a b x b c"), ("", "a b a")):
        a = align(ref, hyp)
        assert "repeat" not in clip_html(a), (ref, hyp)


def test_a_missed_term_is_one_box_whatever_stands_inside():
    ref, hyp = "give metoprolol succinate now", "give metoprolol x succinate now"
    a = align(ref, hyp)
    html = clip_html(a, terms=[(5, 25, "a <name>")], legend=False)
    assert html.count('class="am-t"') == 1 and 'title="missed term: a &lt;name&gt;"' in html and html.count(">T</sup>") == 1
    assert clip_html(a, terms=[(0, len(ref))])
    for wrong in ((0, len(ref) + 1), (3, 3), (-1, 4), "ab", (1,)):
        with pytest.raises(ValueError, match="terms"): clip_html(a, terms=[wrong])


def test_terms_and_judge_may_cross():
    a = align("give metoprolol succinate now", "give metro prolol sucinate now")
    html = clip_html(a, judge=align("give metoprolol sucinate today now", a.hypothesis), terms=[(5, 25)], legend=False)
    assert [html.count(f"<{t}") for t in ("span", "del", "ins", "sup")] == [html.count(f"</{t}>") for t in ("span", "del", "ins", "sup")]


def test_a_file_made_meanwhile_is_kept(tmp_path):
    path = tmp_path / "r.html"
    path.write_text("mine")
    with pytest.raises(FileExistsError): write_file(path, "theirs")
    assert path.read_text() == "mine" and [p.name for p in tmp_path.iterdir()] == ["r.html"]


def test_the_picture_comes_with_align():
    code = "import amend_nb; a = amend_nb.align('a b', 'a c'); print(a._repr_html_()[:7])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "<style>\n"


@settings(max_examples=500, deadline=None)
@given(sentence, sentence, st.sampled_from(NORMS))
def test_what_is_read_without_the_struck_words_is_the_draft(ref, hyp, norm):
    read = Page(clip_html(align(ref, hyp, norm=norm), legend=False)).draft
    empty = "(empty reference) " * (not ref.strip()) + "(empty draft) " * (not hyp.strip())
    assert re.sub(r"\s+", "", read) == re.sub(r"\s+", "", empty + hyp)
    assert read.removeprefix(empty).split() == hyp.split() or "del" in clip_html(align(ref, hyp, norm=norm))


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4), st.integers(1, 3), st.sampled_from(["x", "y z", ""]))
def test_a_loop_is_named_by_its_phrase_wherever_the_tie_falls(phrase, times, after):
    text = " ".join(phrase)
    a = align(f"start {text} {after}", f"start {' '.join([text] * (times + 1))} {after}")
    words = [t.text for t in a.hyp_tokens]
    spans = [p.words for p in r._merged(a) if p.kind == "insert"]
    for first, last in spans:
        named = r._repeated(a, first, last).split()
        if len(spans) == 1: assert named
        assert any(words[k:k + 2 * len(named)] == named * 2 for k in range(len(words)))


def test_a_word_of_any_length_wraps():
    assert "overflow-wrap" in clip_html(align("x" * 10_000, "y"))


def test_inline_styles_are_of_the_kind_that_jupyterlab_keeps_in_an_untrusted_notebook():
    known = {"background-color", "border", "border-bottom", "border-radius", "clip", "color", "font-size", "font-style", "font-weight", "height",
             "line-height", "margin", "overflow", "overflow-wrap", "padding", "padding-left", "position", "text-decoration", "top", "vertical-align",
             "white-space", "width", "word-wrap"}
    for rule in marks._RULES.values():
        for part in rule.format_map(marks._LIGHT).split(";"):
            name, value = part.split(":")
            assert name in known and not re.search(r"var|light-dark|calc|anywhere|isolate", value)


def test_an_alignment_is_a_picture_in_a_notebook():
    a = align("a b", "a c")
    assert a._repr_html_() == str(clip_html(a)) and clip_html(a)._repr_html_() == clip_html(a)


# ---- the report
def rows_of(names): return [dict(arm=n, clips=2, words=4, s=1, d=0, i=1, wer=.5) for n in names]


def small(n=2, text="a b"): return [ReportClip(f"c{k}", {"A": ReportArm(align("a b", text)), "B": ReportArm(align("a b", "a"))}) for k in range(n)]


def test_clips_come_worst_first_and_each_once():
    clips = [ReportClip(name, {"A": ReportArm(align("a b c d", draft))}) for name, draft in
             (("good", "a b c d"), ("worst", "x y z"), ("bad", "a b c"))]
    page = report_html(clips, rows_of("A"))
    assert re.findall(r"<h3>(.*?)</h3>", page) == ["worst", "bad", "good"]


def test_a_page_says_what_it_leaves_out():
    page = report_html([ReportClip(str(k), {"A": ReportArm(align("a b", "a c" if k % 2 else "a b"))}) for k in range(130)], rows_of("A"), most=120)
    assert page.count("<article") == 120 and "the 120 worst of 130" in page and page.index("<details") > page.index("<article")
    assert "20 more clips" in page


def test_figures_say_who_judged_and_by_which_rules():
    fixes = align("a b", "a c", norm="amend")
    clips = [ReportClip("1", {"A": ReportArm(align("a b", "a c", norm="amend", ties="hits"), Verdict("a b", judge="some <judge>"), fixes, 1, 3)})]
    page = report_html(clips, [dict(arm="A", clips=1, failed=None, edits=1, chars=3, amend=1 / 3, wer=float("nan"))], notes=["a note"])
    text = re.sub("<[^>]*>", " ", page)
    for words in ("Judge  some &lt;judge&gt;", "Tie rule  hits", fixes.norm_id, "a note", "33.33 %", "—"): assert words in text


@pytest.mark.parametrize("unit, told", [("word", "WER 33.33 % of 3 words"), ("char", "CER 8.33 % of 12 characters"),
                                        ("mixed", "mixed error rate 25.00 % of 4 words and characters")])
def test_the_rate_is_named_after_what_was_counted(unit, told):
    a = align("打开 Spotify 播", "打开 Spotify 放", unit=unit)
    assert told in clip_html(a)
    page = report_html([ReportClip("1", {"A": ReportArm(a)})], rows_of("A"))
    assert told in page and ("CER" in page) == (unit == "char")


def test_rows_may_come_as_a_table_and_under_long_names():
    import pandas as pd
    table = pd.DataFrame([{"arm": "A", "clips": 1200, "Substitutions": 3, "deletions": pd.NA, "WER": .25, "speaker": "x<y"}])
    page = report_html(small(), table)
    cells = [re.sub("<.*?>", "", c) for c in re.findall("<t[dh].*?</t[dh]>", page)]
    assert cells[:6] == ["Arm", "Clips", "S", "D", "WER", "speaker"] and cells[7:13] == ["A", "1,200", "3", "—", "25.00 %", "x&lt;y"]


def test_a_closing_script_in_a_draft_closes_nothing():
    page = report_html(small(text="type </script><b>x</b> here"), rows_of("AB"), title="</title><script>alert(1)</script>")
    assert page.count("<script>") == 1 and page.count("</script>") == 1 and page.count("</title>") == 1
    assert "style=" not in page and not re.search(r"(?:src|href)=|https?://", page)


def test_nothing_is_written_over_without_being_told(tmp_path):
    path = tmp_path / "r.html"
    assert report_html(small(), rows_of("AB"), path) == path
    first = path.read_bytes()
    with pytest.raises(FileExistsError, match="force=True"): report_html(small(3), rows_of("AB"), path)
    assert path.read_bytes() == first
    report_html(small(3), rows_of("AB"), path, force=True)
    assert path.read_bytes() != first and [p.name for p in tmp_path.iterdir()] == ["r.html"]
    for wrong, told in ((tmp_path, "folder"), (tmp_path / "no/r.html", "does not exist"), ("https://x.org/r.html", "address")):
        with pytest.raises(ValueError, match=told): report_html(small(), rows_of("AB"), wrong)


@pytest.mark.parametrize("clips,rows,error", [
    (small() + small(), rows_of("A"), "more than once"), (small(), [dict(arm="A")], "'amend' or 'wer'"), (small(), ["A"], "mapping"),
    ([ReportClip("c", {"A": ReportArm(align("a", "b")), "B": ReportArm(align("c", "b"))})], rows_of("A"), "different references"),
    ([ReportClip("c", {"A": ReportArm(align("a", "b"), fixes=align("a", "c"))})], rows_of("A"), "clip 'c', arm 'A': judge")])
def test_what_cannot_be_reported_is_refused(clips, rows, error):
    with pytest.raises((ValueError, TypeError), match=error): report_html(clips, rows)
