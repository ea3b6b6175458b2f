"""The layout that CONTRIBUTING promises: rooms look down only, light to import, one source of metadata."""
import ast
import configparser
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# A letter after the number (01a) is a page between two; numbers are compared as text, "01" < "01a" < "02".
NUMBER = {nb.stem.split("_", 1)[1]: nb.stem.split("_", 1)[0] for nb in ROOT.glob("nbs/api/[0-9]*_*.ipynb")}
MODULES = sorted(p.stem for p in ROOT.glob("amend_nb/*.py") if not p.stem.startswith("_"))
HEAVY = ("numpy", "pandas", "plotly", "ipywidgets", "anthropic", "scipy", "anywidget", "IPython")
LAZY = {number: name for name, number in NUMBER.items() if number[:2] in ("00", "01", "02", "03", "10", "11")}


def imports(tree: ast.AST):
    "(level, dotted module, name) of every import in `tree`, function bodies included, calls of import_module too."
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for a in node.names: yield 0, a.name, None
        elif isinstance(node, ast.ImportFrom):
            for a in node.names: yield node.level, node.module or "", a.name
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                name = node.args[0].value
                yield len(name) - len(name.lstrip(".")), name.lstrip("."), None


def rooms_used(tree: ast.AST) -> set[str]:
    "The rooms that a module's code imports."
    used = set()
    for level, module, name in imports(tree):
        parts = module.split(".")
        if level == 1: used.add(parts[0] or name)
        elif level == 0 and parts[0] == "amend_nb": used.add(parts[1] if len(parts) > 1 else name or "")
    return used


def looks_up(room: str, tree: ast.AST) -> list[str]:
    "What the code of `room` imports that does not stand below it."
    return sorted(used for used in rooms_used(tree) if NUMBER.get(used, "99") >= NUMBER[room])


def parsed(room: str) -> ast.AST: return ast.parse((ROOT / f"amend_nb/{room}.py").read_text(encoding="utf-8"))


@pytest.mark.parametrize("room", MODULES)
def test_a_room_imports_lower_numbers_only(room):
    assert looks_up(room, parsed(room)) == []


@pytest.mark.parametrize("code", ["from .study import Study", "def f():\n    from amend_nb import study",
                                  "import amend_nb", "import importlib\nimportlib.import_module('.study', 'x')"])
def test_a_look_upwards_is_seen(code, monkeypatch):
    monkeypatch.setitem(NUMBER, "study", "80")
    monkeypatch.setitem(NUMBER, "tables", "00")
    assert looks_up("tables", ast.parse(code))


def test_no_two_notebooks_share_a_number_and_each_has_its_module():
    assert len(set(NUMBER.values())) == len(NUMBER)
    assert sorted(NUMBER) == MODULES


def test_no_module_bears_the_name_of_a_public_object():
    from amend_nb._names import ROOM_OF, ROOMS
    assert not set(ROOM_OF) & set(ROOMS)
    assert not set(ROOM_OF) & set(MODULES)


def test_every_public_name_can_be_had_from_the_top():
    import amend_nb
    for name in amend_nb.__all__: assert getattr(amend_nb, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"): amend_nb.no_such_name  # noqa: B018
    assert set(amend_nb.__all__) <= set(dir(amend_nb))


def loaded_after(code: str) -> set[str]:
    "The heavy libraries that a fresh Python holds after `code`."
    probe = f"import sys\n{code}\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("code", ["import amend_nb", "import amend_nb; amend_nb.char_edits('a', 'b')",
                                  "import amend_nb; amend_nb.align('a b', 'a c').counts", "import amend_nb; amend_nb.wer('a b', 'a c')",
                                  "import amend_nb; amend_nb.canonical('two dollars', 'en')", *[
                                      f"import amend_nb.{name}" for name in LAZY.values()]])
def test_light_calls_load_nothing_heavy(code):
    assert loaded_after(code) == set()


def test_what_is_loaded_is_really_seen():
    assert loaded_after("import pandas") >= {"pandas", "numpy"}


def test_only_two_rooms_may_touch_a_network():
    network = {"anthropic", "httpx", "httpx2", "requests", "urllib", "urllib3", "http", "socket", "aiohttp", "ftplib"}
    found = {room for room in MODULES for level, module, _ in imports(parsed(room))
             if level == 0 and module.split(".")[0] in network and not module.startswith("urllib.parse")}
    assert {NUMBER[room] for room in found} <= {"24", "51"}


def test_the_library_needs_neither_nbdev_nor_fastcore():
    found = {room for room in MODULES for level, module, _ in imports(parsed(room))
             if level == 0 and module.split(".")[0] in ("nbdev", "fastcore", "execnb")}
    assert found == set()


def test_metadata_has_one_source():
    config = configparser.ConfigParser(delimiters=["="], interpolation=None)
    config.read(ROOT / "settings.ini", encoding="utf-8")
    cfg, project = config["DEFAULT"], tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    import amend_nb
    assert project["name"] == cfg["lib_name"]
    assert project["requires-python"] == ">=" + cfg["min_python"]
    assert amend_nb.__version__ == cfg["version"]
    assert (ROOT / "nbs/_quarto.yml").read_bytes() == (ROOT / "_quarto.yml").read_bytes()


@pytest.mark.parametrize("nb", sorted(ROOT.glob("nbs/**/*.ipynb")), ids=lambda p: p.stem)
def test_a_notebook_is_a_page_to_read(nb):
    cells = json.loads(nb.read_text(encoding="utf-8"))["cells"]
    code = ["".join(c["source"]) for c in cells if c["cell_type"] == "code"]
    exported = [s for s in code if any(line.startswith("#| export") for line in s.split("\n")[:3])]
    assert max((len(s.split("\n")) for s in exported), default=0) <= 41, "an exported cell of over 40 lines"
    assert all(s.strip().splitlines()[1:] for s in exported), "an exported cell with nothing in it"
    assert sum(c["cell_type"] == "markdown" for c in cells) * 4 >= len(code), "too little prose"
    assert nb.stat().st_size <= 150_000
    outputs = [len(json.dumps(c["outputs"])) for c in cells if c["cell_type"] == "code"]
    assert max(outputs, default=0) <= 40_000, "an output too large to read"


def test_the_sidebar_lists_every_room_in_reading_order():
    listed = [line.strip().removeprefix("- api/") for line in (ROOT / "_quarto.yml").read_text().splitlines() if "- api/" in line]
    assert listed == sorted(nb.name for nb in ROOT.glob("nbs/api/*.ipynb"))


@pytest.mark.parametrize("where", [".", "nbs", "nbs/tutorials", "amend_nb"])
def test_the_tutorial_on_the_paid_judge_finds_its_folder_from_anywhere_in_the_clone(where, monkeypatch):
    folder = folder_cell()
    monkeypatch.chdir(ROOT / where)
    found = {"Path": Path}
    exec(folder, found)
    assert (found["folder"] / "drafts.csv").is_file()


def test_outside_a_clone_the_tutorial_says_what_it_needs(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError, match="run it inside a clone"): exec(folder_cell(), {"Path": Path})


def folder_cell() -> str:
    "The lines of the tutorial that look for its folder."
    cells = json.loads((ROOT / "nbs/tutorials/judge_with_claude.ipynb").read_text(encoding="utf-8"))["cells"]
    source = next("".join(c["source"]) for c in cells if c["cell_type"] == "code" and "drafts.csv" in "".join(c["source"]))
    return source[:source.index("df = ")]
