"""Rows of the peers' tables in ../shared, and the list of those that a test leaves out, each with its reason."""
import json
from pathlib import Path

HERE = Path(__file__).resolve().parent
LEFT_OUT = [json.loads(line) for line in (HERE / "left_out.jsonl").read_text(encoding="utf-8").splitlines() if line]


def rows(shared, table, **wanted):
    "(row number, row) of one table, those left out dropped; `wanted` are values that a row must have."
    path = shared / "data/peers" / f"{table}.jsonl"
    out = {r["row"] for r in LEFT_OUT if r["table"] == table}
    for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        if n not in out and all(row.get(k) == v for k, v in wanted.items()): yield n, row
