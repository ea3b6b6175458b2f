"""Make the README's picture of coloured clips, nbs/images/clips.png, from the demo's own report.

    python tools/picture.py
"""
import sys
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
SHOWN = ("en-08", "en-09")

if __name__ == "__main__":
    from conftest import CHROMIUM
    from playwright.sync_api import sync_playwright

    from amend_nb import Study, read_table
    with as_file(files("amend_nb").joinpath("data/demo.csv")) as path: df = read_table(path)
    df = df[df["clip"].isin(SHOWN)]
    study = Study.from_wide(df, arms=["plain", "tidy", "bold"], spoken="spoken").judge("rules")
    with TemporaryDirectory() as folder, sync_playwright() as p:
        page_file = study.report(Path(folder) / "picture.html", title="Clips")
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-background-networking"])
        page = browser.new_page(viewport={"width": 900, "height": 900}, device_scale_factor=1.04)
        page.goto(page_file.as_uri())
        boxes = [page.locator("article").nth(n).bounding_box() for n in range(len(SHOWN))]
        top, bottom = boxes[0]["y"] - 8, boxes[-1]["y"] + boxes[-1]["height"] + 8
        out = ROOT / "nbs/images/clips.png"
        page.screenshot(path=out, full_page=True, clip={"x": 0, "y": top, "width": 900, "height": bottom - top})
        browser.close()
    print(f"{out.relative_to(ROOT)}: {out.stat().st_size // 1000} kB")
