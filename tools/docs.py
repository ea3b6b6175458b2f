"""Build the docs site into _docs, offline: no page of it asks a host for anything.

    python tools/docs.py             build
    python tools/docs.py --check     build, then fail on any broken link, ignored key or address of a host

nbdev turns the notebooks into plain ones (`_proc`); smalldocs renders those. The tree stays plain Quarto: who has it
may run `nbdev_docs` instead.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "_proc_site"
NUMBER = re.compile(r"(^|/)\d+[a-zA-Z0-9]*_(?=[^/]*\.ipynb$)")


def process() -> Path:
    "nbdev's processed notebooks: exports shown with their documentation, hidden cells gone. Runs no cell but imports."
    os.chdir(ROOT)
    os.environ.pop("IN_TEST", None)
    os.environ["PYTHONPATH"] = str(ROOT)
    sys.path.insert(0, str(ROOT))
    from nbdev.doclinks import _build_modidx
    from nbdev.quarto import refresh_quarto_yml
    from nbdev.serve import proc_nbs
    refresh_quarto_yml()
    _build_modidx()
    return proc_nbs(force=True, n_workers=2)


def renamed(name: str) -> str:
    "A notebook's name on the site: nbdev's links leave its number out."
    return NUMBER.sub(r"\1", name)


def relative(text: str, depth: int, host: str) -> str:
    "`text` with links to the published site made links within this copy of it."
    text = text.replace(host + "/", "../" * depth)
    return re.sub(r"(\]\()([^)\s:#]+\.ipynb)", lambda m: m[1] + renamed(m[2]), text)


def stage(proc: Path, host: str) -> None:
    "Copy `_proc` to `_proc_site` under the names and links that the site will have."
    shutil.rmtree(SITE, ignore_errors=True)
    shutil.copytree(proc, SITE)
    for path in sorted(SITE.rglob("*.ipynb")):
        nb, depth = json.loads(path.read_text(encoding="utf-8")), len(path.relative_to(SITE).parts) - 1
        for cell in nb["cells"]:
            source = relative("".join(cell["source"]), depth, host)
            source = re.sub(r"^#\s*\|\s*export: true\n", "", source)
            if source.startswith("---\n"): source = re.sub(r"^output-file:.*\n", "", source, flags=re.M)
            cell["source"] = source.splitlines(keepends=True)
            for output in cell.get("outputs", []):
                for kind in {"text/markdown", "text/html"} & output.get("data", {}).keys():
                    output["data"][kind] = relative("".join(output["data"][kind]), depth, host)
        path.unlink()
        (SITE / renamed(str(path.relative_to(SITE)))).write_text(json.dumps(nb), encoding="utf-8")
    for path in [SITE / "_quarto.yml", *SITE.rglob("*.qmd")]:
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"[\w./-]+\.ipynb", lambda m: renamed(m[0]), text), encoding="utf-8")


def offline(docs: Path) -> None:
    "Take out the themes' requests for web fonts: the fonts they fall back on are on every machine."
    for path in docs.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        cut = re.sub(r"@import\s+url\([\"']?https?:[^)]*\)\s*;?", "", text)
        if cut != text: path.write_text(cut, encoding="utf-8")


ASKS = re.compile(
    r"<(?:script|img|iframe|audio|video|source|embed|link(?=[^>]*\brel=[\"']?(?:stylesheet|icon|preload)))\b"
    r"[^>]*\b(?:src|href)=[\"']?(?:https?:)?//[^\s\"'>]+"
    r"|@import\s+url\([\"']?https?:|url\([\"']?https?:", re.I)


def asked(docs: Path) -> list[str]:
    "Every place of the built site at which a browser would ask a host for something."
    pages = [p for p in docs.rglob("*") if p.suffix in (".html", ".css")]
    return [f"{p.relative_to(docs)}: {m[0][:120]}" for p in pages for m in ASKS.finditer(p.read_text(encoding="utf-8"))]


def build() -> Path:
    "Processed notebooks → staged site → _docs."
    from nbdev.config import get_config
    proc, cfg = process(), get_config()
    stage(proc, cfg.doc_host + cfg.doc_baseurl)
    run = subprocess.run([sys.executable, "-m", "smalldocs.cli", "render", str(SITE)], text=True, capture_output=True)
    print(run.stdout[-2000:], run.stderr[-4000:])
    if run.returncode: sys.exit("the site did not build")
    made = next(p for p in (SITE / "_docs", SITE / "_site") if p.is_dir())
    docs = ROOT / "_docs"
    shutil.rmtree(docs, ignore_errors=True)
    shutil.move(made, docs)
    offline(docs)
    return docs


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    args, docs = parser.parse_args(), build()
    print(f"{len(list(docs.rglob('*.html')))} pages in {docs.relative_to(ROOT)}")
    if args.check:
        bad = asked(docs)
        print("\n".join(bad) or "no page asks a host for anything")
        sys.exit(subprocess.run([sys.executable, "-m", "smalldocs.cli", "check", str(SITE)]).returncode or bool(bad))
