"""Make README.md from nbs/index.ipynb, which stays its only source.

    python tools/readme.py            write it
    python tools/readme.py --check    fail if it is not what the notebook gives today
"""
import argparse
import json
import re
import sys
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HIDDEN = re.compile(r"^#\s*\|\s*(hide|include:\s*false)\b", re.M)


def site() -> str:
    "Where the docs are published, from settings.ini."
    config = ConfigParser(delimiters=["="], interpolation=None)
    config.read(ROOT / "settings.ini", encoding="utf-8")
    return config["DEFAULT"]["doc_host"] + config["DEFAULT"]["doc_baseurl"]


def linked(text: str) -> str:
    "Links between notebooks as links to the site; pictures as paths from the top of the tree."
    def page(m):
        return m[1] + site() + "/" + re.sub(r"(^|/)\d+[a-zA-Z0-9]*_(?=[^/]*$)", r"\1", m[2]) + ".html"
    text = re.sub(r"(\]\()(?!https?:)([\w./-]+)\.ipynb", page, text)
    return re.sub(r"(!\[[^\]]*\]\()(?!https?:)", r"\1nbs/", text)


def printed(output: dict) -> str:
    "One output as Markdown; plain text before HTML, which code hosts strip."
    if output["output_type"] == "stream": return "".join(output["text"]).rstrip()
    data = output.get("data", {})
    return "".join(data.get("text/plain", "")).rstrip()


def readme() -> str:
    "The Markdown of nbs/index.ipynb."
    parts = []
    for cell in json.loads((ROOT / "nbs/index.ipynb").read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown": parts.append(linked(source))
        elif cell["cell_type"] == "code" and not HIDDEN.search(source):
            code = re.sub(r"^#\s*\|.*\n", "", source, flags=re.M)
            parts.append(f"```python\n{code}\n```")
            text = "\n".join(filter(None, map(printed, cell["outputs"])))
            if text: parts.append("\n".join("    " + line if line else "" for line in text.split("\n")))
    mark = "<!-- Made from nbs/index.ipynb by tools/readme.py: edit the notebook. -->"
    return "\n\n".join([mark, *parts]) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    path, text = ROOT / "README.md", readme()
    if parser.parse_args().check:
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            sys.exit("README.md is not what nbs/index.ipynb gives: run `python tools/readme.py`")
        print("README.md is up to date")
    else: path.write_text(text, encoding="utf-8")
