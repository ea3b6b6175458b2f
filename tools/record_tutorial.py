"""Record the ledger that nbs/tutorials/judge_with_claude.ipynb replays.

    python tools/record_tutorial.py

The service is the tests' own, on this machine, and its answers are the gold's hand-written corrections: no model is asked, nothing is
paid, and no figure of the page is a model's. To be run again when the judge's prompt, the gold or the page's selection changes.
"""
import csv
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
FOLDER = ROOT / "nbs/tutorials/judge_with_claude"
KINDS = ("misheard", "filler", "name", "number", "number_form", "missing", "correction_kept", "correction_dropped", "clean", "paraphrase",
         "file", "answer")


def selection() -> list:
    "The page's drafts: the first of each kind, in each language that has it."
    from amend_nb import load_gold
    gold = load_gold()
    found = {(g.kind, g.lang): g for g in reversed(gold)}
    return [found[k, lang] for k in KINDS for lang in ("en", "pt", "es") if (k, lang) in found]


def write_table(path: Path) -> None:
    "The drafts as a user would have them: a CSV file."
    with open(path, "w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f, lineterminator="\n")
        rows.writerow(["clip", "language", "spoken_text", "intended_text", "draft"])
        rows.writerows([g.id, g.lang, g.spoken, g.intended, g.draft] for g in selection())


def record(folder: Path) -> None:
    "Ask the local service about the selection: one is declined at first, one answer is lost, as happens to everyone."
    import anthropic
    from anthropic_server import Server, texts_of

    from amend_nb import ClaudeJudge, Ledger
    drafts = selection()
    right = {g.draft: g.fixed for g in drafts}
    faults = {3: "fallback", 7: "reset_mid", 11: {"fault": "529"}}
    with Server(judge=lambda body: right[texts_of(body)["draft"]]) as server:
        server.plan = lambda entry: faults.get(entry["n"])
        client = anthropic.Anthropic(api_key="sk-not-a-key", base_url=server.url)
        judge = ClaudeJudge(client=client, ledger=Ledger(folder, cap_usd=10), workers=1, say=lambda text: None)
        verdicts = judge.fix_many([(g.draft, g.intended, g.spoken) for g in drafts])
    assert all(v.ok for v in verdicts), [v for v in verdicts if not v.ok]
    shutil.rmtree(folder / ".owners", ignore_errors=True)


if __name__ == "__main__":
    shutil.rmtree(FOLDER / "ledger", ignore_errors=True)
    record(FOLDER / "ledger")
    write_table(FOLDER / "drafts.csv")
    print(f"{len(selection())} drafts in {FOLDER.relative_to(ROOT)}/ledger")
