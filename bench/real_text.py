"""Word error rates of real transcripts under three norms, side by side; counts only, no text.

    python bench/real_text.py             print the table, write bench/real_text.json (needs ../shared)
    python bench/real_text.py --moved     also print the texts of the twenty clips that move most, for a person to read

The verdicts of the reading are kept in `bench/real_text_read.json`, by set, clip and engine; they are counted into the JSON."""
import csv
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

import amend_nb as nb  # noqa: E402

SHARED = Path(os.environ.get("AMEND_SHARED") or HERE.parents[1] / "shared") / "data"
NORMS = ("values-en", "whisper-english", "agentic")
SETS = {"VoxPopuli": "en_voxpopuli_5engines/pairs.csv",
        "voice notes": "en_voice_notes_dictation/pairs.csv", "clinical": "en_primock57_clinical/pairs.jsonl"}


def pairs(name):
    "(clip, engine, reference, hypothesis) of one set."
    path = SHARED / SETS[name]
    text = path.read_text(encoding="utf-8")
    rows = csv.DictReader(path.open(encoding="utf-8", newline="")) if path.suffix == ".csv" else map(json.loads, text.strip().split("\n"))
    return [(r["id"], r["engine"], r["reference"] or "", r["hypothesis"] or "") for r in rows]


def counts(name):
    "For each clip its errors and reference words under each norm."
    out = []
    for clip, engine, ref, hyp in pairs(name):
        made = {norm: nb.align(ref, hyp, norm=norm).counts for norm in NORMS}
        out.append((name, clip, engine, ref, hyp, {norm: (c.errors, c.reference_length) for norm, c in made.items()}))
    return out


def rates(rows):
    "Errors, words and rate of each norm: counts are summed first."
    sums = {norm: [sum(r[5][norm][k] for r in rows) for k in (0, 1)] for norm in NORMS}
    return {norm: {"errors": e, "words": n, "wer": round(e / n, 4)} for norm, (e, n) in sums.items()}


def moved(rows, most=20):
    "The clips whose errors differ most between `values-en` and `whisper-english`, one engine per clip."
    def move(r): return abs(r[5]["values-en"][0] - r[5]["whisper-english"][0])
    seen, out = set(), []
    for r in sorted(rows, key=lambda r: (-move(r), r[:3])):
        if (r[0], r[1]) not in seen and move(r): seen.add((r[0], r[1])); out.append(r)
    return out[:most]


def read(rows):
    "The verdicts of the person who read the clips that moved most; a clip without one is an error."
    told = {tuple(row["clip"]): row for row in json.loads((HERE / "real_text_read.json").read_text(encoding="utf-8"))}
    return [{"set": r[0], "errors": {norm: r[5][norm][0] for norm in NORMS},
             **{k: told[r[:3]][k] for k in ("verdict", "why")}} for r in rows]


if __name__ == "__main__":
    rows = {name: counts(name) for name in SETS}
    most = moved([r for some in rows.values() for r in some])
    if "--moved" in sys.argv:
        for r in most:
            print(*r[:3], r[5])
            for norm in NORMS[:2]:
                a = nb.align(r[3], r[4], norm=norm)
                for op in a.ops:
                    sides = a.ref_tokens[op.ref_start:op.ref_end], a.hyp_tokens[op.hyp_start:op.hyp_end]
                    if op.tag != "equal": print("    ", norm, op.tag, *([t.text for t in side] for side in sides))
    else:
        made = {"clips": {name: len(some) for name, some in rows.items()}, "rates": {name: rates(some) for name, some in rows.items()},
                "engines": {name: {e: rates([r for r in some if r[2] == e]) for e in sorted({r[2] for r in some})} for name, some in rows.items()},
                "read": read(most)}
        (HERE / "real_text.json").write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        for name, some in made["rates"].items(): print(name, made["clips"][name], some)
        print({v: sum(r["verdict"] == v for r in made["read"]) for v in ("right", "wrong")})
