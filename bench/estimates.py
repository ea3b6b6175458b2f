"""CPU time of intervals of a paired difference, for a hundred thousand clips: medians of 5 (of 3 for what takes seconds).

    python bench/estimates.py          print the table and write bench/estimates.json

Three corpora: utterances of twelve words, as in bench/speed.py (counts of real alignments, few different rows), clips whose characters
differ between arms (nearly every row is of its own), and the same clips of 2,000 speakers. Asked for: by resampling, 100,000 clips ×
10,000, at most 3 s; linearised at most 30 ms. scipy's bootstrap and a loop over `bincount` draw a twentieth and are told for the whole.
"""
import json
import platform
import random
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import corpora  # noqa: E402
import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from scipy import stats  # noqa: E402

import amend_nb as nb  # noqa: E402
from amend_nb.estimates import _difference_interval  # noqa: E402
from amend_nb.samples import _by_cluster, _collapse, _flipped, _samples  # noqa: E402

DRAWN = 10_000


def utterances():
    "Counts of two recognisers that misspell one word in ten, and one in eleven."
    made, rng, words = {}, random.Random(1), corpora.vocabulary()
    refs, old = corpora.pairs(words=words)
    for arm, hyps in (("old", old), ("new", [" ".join(corpora.heard(rng, r.split(), words, 1 / 11)) for r in refs])):
        counts = nb.error_counts(refs, hyps)
        made[arm] = counts[["substitutions", "deletions", "insertions"]].sum(axis=1).to_numpy(), counts["reference_length"].to_numpy()
    return made


def characters():
    "Edits and characters of two tools: both differ in every clip."
    rng, made = np.random.default_rng(0), {}
    for arm, rate in (("old", .12), ("new", .11)):
        chars = rng.integers(40, 400, 100_000)
        made[arm] = rng.binomial(chars, rate), chars
    return made


def scores(made, speakers=None):
    "A table of scores."
    n = len(made["old"][0])
    df = pd.DataFrame({"clip": [f"clip {k}" for k in range(n)], "speaker": np.arange(n) % (speakers or n)})
    for arm, (num, den) in made.items(): df[f"{arm}_n"], df[f"{arm}_d"] = num, den
    return nb.wide_scores(df, {a: (f"{a}_n", f"{a}_d") for a in made}, "wer", clip="clip", cluster="speaker" if speakers else None)


def cpu(call, repeats=5):
    "Median of CPU milliseconds."
    spent = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        spent.append(1000 * (time.process_time() - start))
    return round(statistics.median(spent), 2)


def parts(table):
    "What is timed on one table."
    [sample] = _samples(table, pair=("old", "new"))
    keep = sample.scored.all(axis=1)

    def interval(kind):
        rows, times = _collapse(_by_cluster(sample, keep)[0])
        return _difference_interval(sample, rows, times, kind, 0.95, DRAWN, 0)
    flat = _by_cluster(sample, keep)[0].reshape(-1, 2, 1, 2)
    yield "linearised, from counts", cpu(lambda: interval("linearised")), 30
    yield f"resampling × {DRAWN:,}, from counts", cpu(lambda: interval("bootstrap"), 3), 3000
    yield "9,999 swaps", cpu(lambda: _flipped(flat, sample.figure, 9_999, 0), 3), None
    yield "reading and checking the table", cpu(lambda: _samples(table, pair=("old", "new"))), None
    yield "compare_arms, all of it", cpu(lambda: nb.compare_arms(table, "old", "new"), 3), None
    yield "leave_one_out, each clip and cluster", cpu(lambda: nb.leave_one_out(table, "new", old="old"), 3), None


def gap(en, eo, dn, do, axis=-1): return en.sum(axis) / dn.sum(axis) - eo.sum(axis) / do.sum(axis)


def peers(made):
    "The same by other means, a twentieth of the draws."
    data = tuple(np.asarray(v, dtype=float) for v in (made["new"][0], made["old"][0], made["new"][1], made["old"][1]))
    table, rng, n = np.column_stack(data), np.random.default_rng(0), len(data[0])

    def loop(): return [np.bincount(rng.integers(n, size=n), minlength=n) @ table for _ in range(DRAWN // 20)]

    def scipys(): return stats.bootstrap(data, gap, paired=True, vectorized=True, n_resamples=DRAWN // 20, method="percentile", batch=20, rng=0)
    yield "loop over bincount", round(20 * cpu(loop, 1), 2), None
    yield "scipy.stats.bootstrap", round(20 * cpu(scipys, 1), 2), None


if __name__ == "__main__":
    rows, words, chars = [], utterances(), characters()
    for name, table in (("utterances", scores(words)), ("characters", scores(chars)), ("2,000 speakers", scores(chars, 2000))):
        rows += [(name, *row) for row in parts(table)]
    rows += [("utterances", *row) for row in peers(words)]
    for corpus, what, ms, most in rows: print(f"{corpus:16} {what:40} {ms:12,.1f} ms  {f'(at most {most:,})' if most else ''}")
    made = {"versions": {"python": platform.python_version(), **{p: version(p) for p in ("numpy", "pandas", "scipy")}},
            "rows": [dict(zip(("corpus", "what", "cpu_ms", "most"), row, strict=True)) for row in rows]}
    (HERE / "estimates.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
