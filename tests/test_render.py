"""What is drawn is what was aligned and typed, whatever was typed."""
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import ReportArm, ReportClip, align, clip_html, report_html
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
    assert sum(p.kind == "added" for p in pieces) == sum(e.start == e.end for e in r._edits(judge))
    said = Page(clip_html(a, legend=False)).draft
    assert re.sub(r"\s+", "", Page(clip_html(a, judge=judge, legend=False)).draft) == re.sub(r"\s+", "", said)


@settings(max_examples=500, deadline=None)
@given(st.text(st.characters(codec=None), max_size=60))
def test_any_text_is_shown_and_none_is_run(raw):
    html = r._text(raw, r._Pen(False))
    html.encode("utf-8")
    assert not re.search(f"[{r._MARKS}\n]", html.replace("\U0001f3f4", ""))
    page = Page(html)
    assert {t for t, _ in page.tags} <= {"span"}
    assert all(set(attrs) <= {"class", "dir", "title"} for _, attrs in page.tags)
    if not re.search(f"[{r._MARKS}\ufe00-\ufe0f\U000e0100-\U000e01ef\u200c\u200d]", raw): assert page.text == raw


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


def test_long_texts_are_drawn_in_time_that_grows_with_them():
    import time
    took = []
    for n in (2_000, 20_000):
        a = align("word " * n, "word wrod " * (n // 2), norm="amend")
        t = time.process_time()
        html = clip_html(a)
        took.append(time.process_time() - t)
    assert took[1] < 40 * took[0] + 1
    assert len(html) > 100_000 and clip_html(align("\u202e" * 100_000, "\x00" * 100_000, unit="char", norm="none"))


def test_a_word_of_any_length_wraps():
    assert "overflow-wrap" in clip_html(align("x" * 10_000, "y"))


def test_inline_styles_are_of_the_kind_that_jupyterlab_keeps_in_an_untrusted_notebook():
    known = {"background-color", "border", "border-bottom", "border-radius", "clip", "color", "font-size", "font-style", "font-weight", "height",
             "line-height", "margin", "overflow", "overflow-wrap", "padding", "padding-left", "position", "text-decoration", "vertical-align",
             "white-space", "width", "word-wrap"}
    for rule in r._RULES.values():
        for part in rule.format_map(r._LIGHT).split(";"):
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
    for wrong, error in ((tmp_path, IsADirectoryError), (tmp_path / "no/r.html", FileNotFoundError), ("https://x.org/r.html", ValueError)):
        with pytest.raises(error): report_html(small(), rows_of("AB"), wrong)


@pytest.mark.parametrize("clips,rows,error", [
    (small() + small(), rows_of("A"), "more than once"), (small(), [dict(arm="A")], "'amend' or 'wer'"), (small(), ["A"], "mapping"),
    ([ReportClip("c", {"A": ReportArm(align("a", "b")), "B": ReportArm(align("c", "b"))})], rows_of("A"), "different references"),
    ([ReportClip("c", {"A": ReportArm(align("a", "b"), fixes=align("a", "c"))})], rows_of("A"), "clip 'c', arm 'A': judge")])
def test_what_cannot_be_reported_is_refused(clips, rows, error):
    with pytest.raises((ValueError, TypeError), match=error): report_html(clips, rows)
