"""Run the notebooks and keep their stored outputs true.

    python tools/notebooks.py run [NOTEBOOK…]      execute, store the outputs
    python tools/notebooks.py check [NOTEBOOK…]    execute, fail where an output is not what is stored

Cells whose output cannot be the same twice are listed in tools/unstable_cells.txt, at most ten.
"""
import argparse
import copy
import difflib
import json
import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
MOST_UNSTABLE = 10


def notebooks(names: list[str]) -> list[Path]:
    "The named notebooks, or all of them in reading order."
    if names: return [Path(n).resolve() for n in names]
    return sorted(p for p in (ROOT / "nbs").rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def unstable() -> set[tuple[str, str]]:
    "(notebook, cell id) pairs whose outputs are not compared."
    lines = (ROOT / "tools/unstable_cells.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(maxsplit=2) for line in lines if line.strip() and not line.startswith("#")]
    if len(rows) > MOST_UNSTABLE: sys.exit(f"unstable_cells.txt lists {len(rows)} cells: at most {MOST_UNSTABLE} are allowed")
    if any(len(row) < 3 for row in rows): sys.exit("unstable_cells.txt: each line is `notebook cell-id reason`")
    return {(row[0], row[1]) for row in rows}


def skipped(source: str) -> bool:
    "Does a directive say that this cell is not run?"
    return bool(re.search(r"^#\s*\|\s*(eval:\s*false|notest|live)\b", source, re.M))


def execute(path: Path):
    "A fresh run of the notebook at `path`, in a kernel that sees this tree first."
    nb = nbformat.read(path, as_version=4)
    fresh = copy.deepcopy(nb)
    for cell in fresh.cells:
        if cell.cell_type == "code" and skipped(cell.source):
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), "skip-execution"]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    client = NotebookClient(fresh, kernel_name="python3", timeout=600, skip_cells_with_tag="skip-execution",
                            store_widget_state=False, resources={"metadata": {"path": str(ROOT)}})
    client.execute()
    for old, new in zip(nb.cells, fresh.cells, strict=True):
        if old.cell_type == "code" and not skipped(old.source): old["outputs"] = [plain(o) for o in new.outputs]
    return nb


def plain(output):
    "An output without what changes from run to run."
    output = copy.deepcopy(output)
    if "execution_count" in output: output["execution_count"] = None
    output.get("metadata", {}).clear()
    if output["output_type"] == "error": output["traceback"] = output["traceback"][-1:]
    return output


def merged(outputs) -> list:
    "Outputs with neighbouring pieces of one stream joined: their cutting is a matter of timing."
    out = []
    for o in map(plain, outputs):
        if out and o["output_type"] == out[-1]["output_type"] == "stream" and o["name"] == out[-1]["name"]:
            out[-1]["text"] += o["text"]
        else: out.append(o)
    return out


def check(path: Path) -> list[str]:
    "What differs between the stored outputs of `path` and today's."
    stored, fresh, name = nbformat.read(path, as_version=4), execute(path), str(path.relative_to(ROOT / "nbs"))
    left_out, wrong = unstable(), []
    for old, new in zip(stored.cells, fresh.cells, strict=True):
        if old.cell_type != "code" or (name, old.id) in left_out: continue
        a, b = (json.dumps(merged(c.outputs), indent=1, ensure_ascii=False, sort_keys=True).split("\n")
                for c in (old, new))
        if a == b: continue
        wrong += [f"{name}, cell {old.id}:", *difflib.unified_diff(a, b, "stored", "today", lineterm="", n=1)]
    return wrong


def run(path: Path) -> None:
    "Execute `path` and store its outputs."
    nb = execute(path)
    for cell in nb.cells:
        if cell.cell_type == "code": cell["outputs"] = merged(cell.outputs); cell["execution_count"] = None
    nbformat.write(nb, path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "check"])
    parser.add_argument("notebook", nargs="*")
    args, bad = parser.parse_args(), []
    for path in notebooks(args.notebook):
        if args.what == "run": run(path)
        else: bad += check(path)
        print(f"{args.what}: {path.relative_to(ROOT)}", flush=True)
    print("\n".join(bad))
    sys.exit(bool(bad))
