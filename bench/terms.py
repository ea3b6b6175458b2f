"""What terms, kinds of error and marks cost: CPU seconds, median of several runs, and how they grow.

    python bench/terms.py [--rounds 5] [--pairs 100000] [--write]

There is no peer for any of it. Growth is the time for all pairs over the time for a tenth of them. Kinds and marks are counted over a
study of a tenth of the pairs.
"""
import argparse
import json
import statistics
import time
from pathlib import Path

import corpora
import pandas as pd

from amend_nb import Study, term_scores


def cpu(call, rounds):
    "Median CPU seconds of a call."
    times = []
    for _ in range(rounds):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times)


def tasks(n):
    "Name → (pairs, call)."
    refs, hyps = corpora.pairs(n)
    words = " ".join(refs[:400]).split()
    terms = list(dict.fromkeys([*words[:2000:80], *(" ".join(words[k:k+2]) for k in range(0, 2500, 100))]))[:50]
    study = Study.from_wide(pd.DataFrame({"reference": refs, "x": hyps}).iloc[:n // 10].assign(language="en"), arms=["x"], terms=terms)
    marked = Study.from_wide(pd.DataFrame({"reference": [f"{{uh / @}} {r} [...]" for r in refs[:n // 100]], "x": hyps[:n // 100]}), arms=["x"])
    return {f"{len(terms)} terms, texts as given": (n, lambda: term_scores(refs, hyps, terms)),
            f"{len(terms)} terms, norm amend": (n, lambda: term_scores(refs, hyps, terms, norm="amend")),
            "a tenth of the pairs": (n // 10, lambda: term_scores(refs[:n // 10], hyps[:n // 10], terms)),
            f"{20 * len(terms)} terms": (n, lambda: term_scores(refs, hyps, list(dict.fromkeys(words))[:20 * len(terms)])),
            "kinds of error": (n // 10, lambda: study.scores(["error_kinds", "repeats"])),
            "punctuation and case": (n // 10, lambda: study.scores(["punctuation_f1", "case_errors"])),
            "alternatives and regions": (n // 100, lambda: marked.scores(["wer_marked"]))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--write", action="store_true", help="write bench/terms.json")
    options = parser.parse_args()
    rows = [dict(task=name, pairs=n, cpu_s=round(cpu(call, options.rounds), 3)) for name, (n, call) in tasks(options.pairs).items()]
    for row in rows:
        each = 1e6 * row["cpu_s"] / row["pairs"]
        print(f"{row['task']:32} {row['pairs']:>8,} pairs {row['cpu_s']:8.3f} s of CPU {each:8.1f} µs a pair")
    print(f"growth, 10 × the pairs: {rows[0]['cpu_s'] / rows[2]['cpu_s']:.1f} × the time")
    if options.write:
        made = dict(rounds=options.rounds, rows=rows)
        Path(__file__).with_suffix(".json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__": main()
