"""The page in a real browser: what is seen, what is asked of the network, and what works without a mouse, a script or colour."""
import re

import pytest
from playwright.sync_api import expect

from amend_nb import ReportArm, ReportClip, Verdict, align, char_edits, clip_html, report_html

REFERENCE = "Take twenty-five mg, um, of Metoprolol daily and call the ward on $31 or $40."
HOSTILE = "take 25 mg </script><script>window.ran=1</script><img src=x onerror=window.ran=1> of \u202emetro pole all\u202c daily"


def arm(said, draft, fixed=None, terms=()):
    places = [(said.index(t), said.index(t) + len(t), t) for t in terms]
    a = align(said, draft, norm="whisper-english")
    if fixed is None: return ReportArm(a, Verdict(None, outcome="refusal", judge="by hand"), terms=places)
    return ReportArm(a, Verdict(fixed, judge="by hand"), align(fixed, draft, norm="amend"), *char_edits(draft, fixed), places)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    "A page with every kind of mark, hostile texts, a right-to-left clip, a failed verdict, and more clips than stand open."
    clips = [
        ReportClip("ward 17", {"Parrot": arm(REFERENCE, HOSTILE, REFERENCE, ["Metoprolol"]),
                               "Quill": arm(REFERENCE, REFERENCE.replace("the ward", "the"), REFERENCE)}, "en"),
        ReportClip("hebrew", {"Parrot": arm("שלום עולם 25", "שלום עולס 25", "שלום עולם 25"), "Quill": arm("שלום עולם 25", "")}, "he"),
        ReportClip("<b>long</b>", {"Parrot": arm("x" * 400, "y" * 400, "x" * 400), "Quill": arm("x" * 400, "x" * 400, "x" * 400)}),
        *(ReportClip(f"note {k}", {"Parrot": arm("call João in ten minutes", "call Joao in 10 minutes", "call João in 10 minutes"),
                                   "Quill": arm("call João in ten minutes", "call João in ten minutes", "call João in ten minutes")}, "en")
          for k in range(110))]
    rows = [dict(arm=n, clips=113, failed=f, edits=9, chars=99, amend=1 / 11, words=50, s=3, d=2, i=1, wer=.12, **{"amend@0": .5})
            for n, f in (("Parrot", 0), ("Quill", 1))]
    return report_html(clips, rows, tmp_path_factory.mktemp("report") / "report.html", title="Two tools & <113> clips")


@pytest.fixture
def opened(browser, report):
    "Open the report in a context of the given kind; at the end nothing was asked for, and nothing was complained about."
    contexts, heard = [], []
    def open_(**kinds):
        context = browser.new_context(**kinds)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda r: heard.append(r.url) if r.url != report.as_uri() else None)
        page.on("console", lambda m: heard.append(m.text))
        page.on("pageerror", lambda e: heard.append(str(e)))
        page.goto(report.as_uri())
        return page
    yield open_
    for context in contexts: context.close()
    assert heard == []


def shown(page):
    "Names of the clips that are there; what is outside the window is not laid out yet, so the text is asked for, not its picture."
    return page.locator(".clip:visible h3").all_text_contents()


def seen(page, clips):
    "Wait until these clips and no others are laid out to be read."
    expect(page.locator(".clip:visible h3")).to_have_text(clips, use_inner_text=True)


def test_the_page_opens_from_disk_and_asks_for_nothing(opened):
    page = opened()
    assert page.title() == page.locator("h1").inner_text() == "Two tools & <113> clips"
    assert page.locator("table").inner_text().count("12.00 %") == 2
    assert page.evaluate("window.ran") is None
    read = page.locator(".clip").filter(has_text="ward 17").locator(".am-text").nth(1).evaluate("""e => { const c = e.cloneNode(true);
        c.querySelectorAll('del, .am-h, .am-b, .am-x, .am-w').forEach(x => x.remove()); return c.textContent }""")
    assert read.split() == HOSTILE.replace("\u202e", "U+202E").replace("\u202c", "U+202C").split()
    assert page.evaluate("document.querySelectorAll('script').length") == 1
    assert not re.search("[\u202a-\u202e]", page.evaluate("document.documentElement.textContent"))
    assert page.locator("[style]").count() == 0


def test_the_policy_stops_what_would_get_in(browser, report):
    context = browser.new_context()
    page, said = context.new_page(), []
    page.on("console", lambda m: said.append(m.text))
    page.goto(report.as_uri())
    page.evaluate("""() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);
        const d = document.createElement('div'); d.innerHTML = '<p style="color:red" onclick="1">x</p>'; document.body.append(d);
        const i = new Image(); i.src = 'https://example.org/x.png'; document.body.append(i); fetch('https://example.org/').catch(() => 0) }""")
    kinds = ("script", "style", "img", "connect")
    for _ in range(100):
        if all(any(what in line for line in said) for what in kinds): break
        page.wait_for_timeout(50)
    for what in kinds: assert any(what in line for line in said), (what, said)
    assert page.evaluate("window.ran") is None
    context.close()


def test_the_filter_works_by_keyboard_alone(opened):
    page = opened()
    assert shown(page)[0] == "<b>long</b>" and page.locator("#status").inner_text() == "113 of 113 clips"
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "text": break
    page.keyboard.type("  joao IN ")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('110')")
    assert len(shown(page)) == 110 and page.locator("#rest").get_attribute("open") is not None
    page.keyboard.press("Tab"); page.keyboard.type("Quill")
    expect(page.locator(".arm[data-arm]:visible b").first).to_have_text("Quill", use_inner_text=True)
    page.keyboard.press("Tab"); page.keyboard.type("substitution")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('0 of')")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('110')")


@pytest.mark.parametrize("kind,clips", [("T", ["ward 17"]), ("F", ["hebrew"]), ("D", ["ward 17", "hebrew"])])
def test_the_filter_knows_the_kinds(opened, kind, clips):
    page = opened()
    page.select_option("select[name=kind]", kind)
    page.wait_for_function("n => document.getElementById('status').textContent.startsWith(n + ' of')", arg=str(len(clips)))
    seen(page, clips)


def test_words_for_the_ear_and_struck_words_are_not_found_in_a_draft(opened):
    page = opened()
    page.fill("input[name=text]", "substitution")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('0 of')")
    page.fill("input[name=text]", "call joao in 10")
    page.wait_for_function("() => document.getElementById('status').textContent.startsWith('110 of')")


def test_without_scripts_the_figures_and_the_worst_hundred_are_there(opened):
    page = opened(java_script_enabled=False)
    assert page.locator("form").is_hidden() and page.locator("table").is_visible()
    assert len(shown(page)) == 100
    page.locator("summary").click()
    assert len(shown(page)) == 113
    box = page.get_by_label("differences")
    gone = page.locator(".clip .am-d del").first
    assert gone.is_visible()
    box.uncheck()
    assert gone.is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 400])
def test_no_rule_of_accessibility_is_broken(opened, scheme, width):
    from axe_playwright_python.sync_playwright import Axe
    page = opened(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
    page.locator("summary").click()
    for clip in page.locator(".clip").all()[:4]: clip.scroll_into_view_if_needed()
    page.evaluate("window.scrollTo(0, 0)")
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_a_narrow_page_scrolls_one_way_only(opened):
    page = opened(viewport={"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert page.evaluate("Math.max(...[...document.querySelectorAll('.clip')].map(c => c.scrollWidth - c.clientWidth))") <= 0


@pytest.mark.parametrize("kinds", [{}, {"forced_colors": "active"}, {"color_scheme": "dark"}])
def test_each_kind_of_mark_has_lines_of_its_own(opened, kinds):
    page = opened(**kinds)
    look = """c => { const e = document.querySelector('.legend ' + c), s = getComputedStyle(e);
        return [s.textDecorationLine, s.borderBottomStyle, s.borderTopStyle, s.fontWeight >= 700].join(' ') }"""
    looks = [page.evaluate(look, c) for c in (".am-s ins", ".am-d del", ".am-i ins", ".am-t", ".am-j", ".am-e")]
    assert looks == ["none double none true", "line-through dotted none false", "none solid none true", "none solid solid false",
                     "none dashed dashed false", "none dotted none false"]


def test_a_draft_keeps_its_direction_and_leaves_its_neighbours_theirs(opened):
    page = opened()
    hebrew = page.locator(".clip").filter(has_text="hebrew").locator(".am-text").first
    assert hebrew.evaluate("e => getComputedStyle(e).direction") == "rtl"
    ward = page.locator(".clip").filter(has_text="ward 17").locator(".arm").nth(1)
    assert ward.locator(".am-text").evaluate("e => getComputedStyle(e).direction") == "ltr"
    expect(ward.locator(".am-c")).to_have_text(["U+202E", "U+202C"], use_inner_text=True)


def test_a_fragment_is_read_in_a_notebook_without_its_sheet_and_turns_dark_with_it(browser):
    fragment = clip_html(align(REFERENCE, "take 25 mg of metro pole all daily", norm="whisper-english"))
    bare = re.sub("<style>.*?</style>", "", fragment)
    context = browser.new_context(color_scheme="dark")
    page = context.new_page()
    paper = "getComputedStyle(document.querySelector('.amend')).backgroundColor"
    for html, body, colour in ((bare, "<body>", "rgb(255, 255, 255)"), (fragment, "<body>", "rgb(22, 24, 28)"),
                               (fragment, '<body data-jp-theme-light="true">', "rgb(255, 255, 255)"),
                               (fragment, '<body class="quarto-light">', "rgb(255, 255, 255)")):
        page.set_content(f"<!doctype html>{body}{html}")
        assert page.evaluate(paper) == colour
        assert page.locator(".am-h").first.evaluate("e => e.getBoundingClientRect().width") <= 1
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_fragment_breaks_no_rule_of_accessibility(browser, scheme):
    from axe_playwright_python.sync_playwright import Axe
    a = align(REFERENCE, "take 25 mg \u202e of metro pole all daily and call ward or ward or $40", norm="whisper-english")
    fragment = clip_html(a, judge=align(REFERENCE, a.hypothesis, norm="amend"), terms=[(24, 34)], title="Parrot")
    context = browser.new_context(color_scheme=scheme)
    page = context.new_page()
    page.set_content(f'<!doctype html><html lang="en"><title>x</title><main><h1>x</h1>{fragment}</main>')
    found = Axe().run(page).response["violations"]
    context.close()
    assert [(v["id"], v["nodes"][0]["html"][:200]) for v in found] == []


def test_what_is_copied_or_printed_is_whole(opened):
    page = opened()
    page.emulate_media(media="print")
    assert page.locator("form").is_hidden() and page.locator(".clip").first.is_visible()


def test_real_transcripts_make_a_page_that_can_be_sent(shared, tmp_path):
    import csv
    clips, sums = {}, {}
    with open(shared / "data/en_voxpopuli_5engines/pairs.csv", encoding="utf-8", newline="") as f:
        for row in csv.DictReader(f):
            a = align(row["reference"], row["hypothesis"], norm="whisper-english")
            clips.setdefault(row["id"], {})[row["engine"]] = ReportArm(a)
            sums[row["engine"]] = sums.get(row["engine"], 0) + a.counts.errors
    path = report_html([ReportClip(k, arms, "en") for k, arms in clips.items()],
                       [dict(arm=k, clips=len(clips), wer=None, errors=n) for k, n in sums.items()], tmp_path / "vox.html")
    assert len(clips) == 150 and len(sums) == 5 and path.stat().st_size <= 3_000_000
    page = path.read_text(encoding="utf-8")
    marked = sum(int(n or 1) for n in re.findall(r'[SDI](\d*)(?= |</sup>)', " ".join(re.findall(r'aria-hidden="true">([SDI0-9 ]+</sup>)', page))))
    legend = 3
    assert marked - legend == sum(sums.values())
