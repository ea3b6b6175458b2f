"""CPU time of the library and of its peers on the same texts, in one process, by turns: medians of 5 (of 3 where a peer is slow), results compared.

    pip install -e '.[bench]'
    python bench/speed.py [TASK…]      print the table; without tasks, all of them, and write bench/speed.json
    python bench/speed.py --keep TASK… the same for some tasks, and put their rows in bench/speed.json in place of the old ones
    python bench/speed.py --memory     peak memory above the inputs, a fresh process each

CPU time is steadier than the clock's on a busy machine. The inputs are frozen (`gc.freeze`), as a caller's would be: a peer
that builds lists of lists is not charged for walking ours. A task whose results differ from the peer's is marked.
"""
import argparse
import gc
import json
import platform
import statistics
import subprocess
import sys
import time
import warnings
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import agwer  # noqa: E402
import corpora  # noqa: E402
import jiwer  # noqa: E402
import kaldialign  # noqa: E402
import universal_edit_distance  # noqa: E402
import werpy  # noqa: E402
from whisper_normalizer.english import EnglishTextNormalizer  # noqa: E402

import amend_nb as nb  # noqa: E402

TASKS = {}   # name: (texts, {implementation: call}, {peer: target ratio}, what makes results comparable)
DATA = {"utterances": corpora.pairs,
        "ten times as many": lambda: corpora.pairs(1_000_000, seed=9),
        "accented": lambda: corpora.pairs(seed=1, words=corpora.vocabulary(letters=corpora.IBERIAN)),
        "Chinese": lambda: corpora.pairs(seed=2, words=corpora.vocabulary(8000, corpora.HAN, 2, 3)),
        "one in ten empty": lambda: corpora.pairs(seed=3, empty=.1),
        "long clips": lambda: corpora.pairs(100, 2500, seed=4),
        "one long pair": lambda: corpora.pairs(1, 20_000, seed=5),
        "sentences": lambda: (corpora.sentences(),),
        "lists": corpora.lists,
        "written lists": lambda: tuple(map(corpora.written, corpora.lists(seed=7))),
        "accented lists": lambda: corpora.lists(seed=1, words=corpora.vocabulary(letters=corpora.IBERIAN)),
        "Chinese lists": lambda: corpora.lists(seed=2, words=corpora.vocabulary(8000, corpora.HAN, 2, 3)),
        "lists, one text in ten empty": lambda: corpora.lists(seed=3, empty=.1),
        "ten times as many lists": lambda: corpora.lists(1_000_000, seed=9),
        "one pair": lambda: ("the quick brown fox jumps over the lazy dog today", "the quick brown fox jumped over lazy dog today")}


def task(name, texts, targets, same=None, times=1, repeats=5, **calls):
    "Register a task; the first call is ours. `times`: calls in one run, for quick ones; figures are of one call."
    TASKS[name] = (texts, calls, targets, same or (lambda value: value), times, repeats)


def edits(table):
    "Every edit of `edit_table`, as (pair, tag, place, place)."
    return list(zip(table["pair"], table["tag"].astype(str), table["ref_at"], table["hyp_at"], strict=True))


def jiwers_edits(output):
    "The same of jiwer's output."
    return [(k, c.type, c.ref_start_idx + x * (c.type != "insert"), c.hyp_start_idx + x * (c.type != "delete"))
            for k, chunks in enumerate(output.alignments) for c in chunks if c.type != "equal"
            for x in range(max(c.ref_end_idx - c.ref_start_idx, c.hyp_end_idx - c.hyp_start_idx))]


def counts(value):
    "Hits, substitutions, deletions, insertions of our rows, or of jiwer's output."
    if hasattr(value, "hits") and not hasattr(value, "columns"): return value.hits, value.substitutions, value.deletions, value.insertions
    return tuple(int(value[c].sum()) for c in ("hits", "substitutions", "deletions", "insertions"))


def nb_evaluate(references, corrected, nbest, **options): return nb.evaluate(references, corrected, nbest=nbest, **options)
def agwer_evaluate(references, corrected, nbest, **options): return agwer.evaluate(references, corrected, nbest=nbest, **options)


def agentic(value):
    "All figures of an evaluation, ours or agwer's, and the edits that both count."
    made = value.as_dict()
    kinds = ("helpful", "harmful", "her", *(("neutral", "no_edit") if made["edits"]["granularity"] == "utterance" else ("missed",)))
    rates = ("n", "wer_1best", "wer_corrected", "wer_oracle", "wer_compositional", "headroom", "rir", "her")
    return [made[k] for k in rates] + [made["edits"][k] for k in kinds]


task("corpus WER", "utterances", {"agwer": 8, "jiwer": 30}, amend_nb=nb.wer, agwer=agwer.wer, jiwer=jiwer.wer,
     kaldialign=lambda r, h: kaldialign.batch_error_rate([t.split() for t in r], [t.split() for t in h])["err_rate"],
     universal_edit_distance=lambda r, h: universal_edit_distance.word_error_rate(h, r), werpy=werpy.wer)
task("corpus MER", "utterances", {}, amend_nb=nb.mer, agwer=agwer.mer)
task("counts of each pair", "utterances", {}, counts, amend_nb=nb.error_counts, jiwer=jiwer.process_words)
task("table of all word edits", "utterances", {"jiwer": 15}, lambda v: edits(v) if hasattr(v, "columns") else jiwers_edits(v),
     amend_nb=nb.edit_table, jiwer=jiwer.process_words)
task("CER", "utterances", {"agwer": 1.3, "jiwer": 80}, amend_nb=nb.cer, agwer=agwer.cer, jiwer=jiwer.cer)
for kind in ("accented", "Chinese", "one in ten empty"):   # two thirds of the targets
    for name in ("corpus WER", "table of all word edits", "CER"):
        _, calls, targets, same, *_ = TASKS[name]
        task(f"{name}, {kind}", kind, {who: least / 1.5 for who, least in targets.items()}, same, repeats=3,
             **{who: call for who, call in calls.items() if who in ("amend_nb", *targets)})
task("WER of 100 clips of 2,500 words", "long clips", {"agwer": 2.5}, amend_nb=nb.wer, agwer=agwer.wer, jiwer=jiwer.wer)
task("WER of one pair of 20,000 words", "one long pair", {"agwer": 1.8}, amend_nb=nb.wer, agwer=agwer.wer, jiwer=jiwer.wer, times=5)
task("WER of one pair of nine words", "one pair", {"jiwer": 1}, amend_nb=nb.wer, agwer=agwer.wer, jiwer=jiwer.wer, times=2000)
task("WER of ten times as many pairs", "ten times as many", {}, lambda rate: "not compared", amend_nb=nb.wer,
     **{"amend_nb, a tenth of them": lambda r, h: nb.wer(r[:len(r) // 10], h[:len(h) // 10])})
task("Whisper's English norm, 100,000 distinct strings", "sentences", {"agwer": 1}, repeats=3,
     amend_nb=lambda texts: list(map(nb.whisper_english, texts)), agwer=lambda texts: list(map(agwer.EnglishTextNormalizer(), texts)),
     whisper_normalizer=lambda texts: list(map(EnglishTextNormalizer(), texts)))
for kind, factor in (("lists", 1), ("written lists", 1.5), ("accented lists", 1.5), ("Chinese lists", 1.5), ("lists, one text in ten empty", 1.5)):
    for her, least in (("utterance", 10), ("token", 9)):
        task(f"evaluation of {kind}, HER by {her}", kind, {"agwer": least / factor}, agentic, amend_nb=partial(nb_evaluate, her=her),
             agwer=partial(agwer_evaluate, her_granularity=her))
task("evaluation of ten times as many lists", "ten times as many lists", {}, agentic, repeats=3, amend_nb=nb_evaluate)
task("table of all clips of an evaluation", "lists", {}, amend_nb=lambda *columns: nb_evaluate(*columns).items.shape)
for rule in ("diagonal", "hits"):
    task(f"align two texts of 20,000 words, ties={rule!r}", "one long pair", {}, lambda a: a.counts,
         amend_nb=lambda r, h, rule=rule: nb.align(r[0], h[0], ties=rule))


def run(name, texts):
    "One task: CPU milliseconds of each implementation, and whether the results are those of ours."
    _, calls, targets, same, times, repeats = TASKS[name]
    spent, values = {who: [] for who in calls}, {}
    for _ in range(repeats):
        for who, call in calls.items():
            start = time.process_time()
            for _ in range(times): value = call(*texts)
            spent[who].append(1000 * (time.process_time() - start) / times)
            values[who] = value
    medians = {who: statistics.median(ms) for who, ms in spent.items()}
    ours, *_ = calls
    mine = same(values[ours])
    return [{"task": name, "by": who, "cpu_ms": round(ms, 4), "ratio": round(ms / medians[ours], 2),
             "target": round(targets[who], 2) if who in targets else None, "equal": same(values[who]) == mine}
            for who, ms in medians.items()]


MEMORY = {   # task: (texts, a few texts to begin with, {implementation: call})
    "corpus WER": ("corpora.pairs()", '["a b"] * 400, ["a c"] * 400', {"amend_nb": "amend_nb.wer", "agwer": "agwer.wer", "jiwer": "jiwer.wer"}),
    "WER of ten times as many pairs": ("corpora.pairs(1_000_000, seed=9)", '["a b"] * 400, ["a c"] * 400', {"amend_nb": "amend_nb.wer"}),
    **{f"evaluation of {name}": (texts, '["a b"] * 400, ["a c"] * 400, [["a c", "a b"]] * 400',
                                 {"amend_nb": "lambda r, c, n: amend_nb.evaluate(r, c, nbest=n)", **peer})
       for name, texts, peer in (("lists", "corpora.lists()", {"agwer": "lambda r, c, n: agwer.evaluate(r, c, nbest=n)"}),
                                 ("ten times as many lists", "corpora.lists(1_000_000, seed=9)", {}))}}


def memory(what, who):
    "Peak memory of one call above its inputs, in MB, in a fresh process (Linux: the kernel's high-water mark, set back before)."
    texts, few, calls = MEMORY[what]
    code = f"""
import ctypes, sys
from pathlib import Path
sys.path[:0] = {sys.path[:2]!r}
import corpora, agwer, jiwer, numpy, pandas, rapidfuzz.process, amend_nb
call = {calls[who]}
call({few})
texts = {texts}
ctypes.CDLL(None).malloc_trim(0)
Path("/proc/self/clear_refs").write_text("5")
held = lambda key: int(next(x.split()[1] for x in Path("/proc/self/status").read_text().splitlines() if x.startswith(key)))
before = held("VmRSS")
call(*texts)
print((held("VmHWM") - before) / 1024)"""
    return round(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout), 1)


def versions():
    "What was compared."
    found = {"python": platform.python_version()}
    for name in ("agwer", "jiwer", "kaldialign", "universal-edit-distance", "werpy", "whisper-normalizer", "rapidfuzz", "numpy", "pandas"):
        try: found[name] = version(name)
        except PackageNotFoundError: found[name] = None
    return found


def show(rows):
    "The table as text."
    for r in rows:
        target, doubt = f"(at least {r['target']:g})" if r["target"] else "", "" if r["equal"] else "RESULTS DIFFER"
        print(f"{r['task']:50} {r['by']:24} {r['cpu_ms']:11.3f} ms  × {r['ratio']:6.2f} {target:16} {doubt}", flush=True)


def kept(rows, peak):
    "The stored run with these rows and peaks in place of the old ones of the same tasks."
    old = json.loads((HERE / "speed.json").read_text(encoding="utf-8"))
    new, order = {r["task"] for r in rows}, list(TASKS)
    rows = sorted([r for r in old["rows"] if r["task"] in TASKS and r["task"] not in new] + rows, key=lambda r: order.index(r["task"]))
    return {"versions": versions(), "peak_mb": old["peak_mb"] | peak, "rows": rows}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", nargs="*")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    wanted = [w for w in MEMORY if not args.task or any(a in w for a in args.task)] if args.memory or args.keep or not args.task else []
    peak = {w: {who: memory(w, who) for who in MEMORY[w][2]} for w in wanted}
    for w, found in peak.items():
        for who, mb in found.items(): print(f"{w + ', peak memory above the inputs':50} {who:24} {mb:11.1f} MB", flush=True)
    if args.memory: sys.exit()
    chosen, rows, texts = [t for t in TASKS if not args.task or any(a in t for a in args.task)], [], {}
    for kind in dict.fromkeys(TASKS[t][0] for t in chosen):
        texts = DATA[kind]()
        gc.collect()
        gc.freeze()
        for name in chosen:
            if TASKS[name][0] == kind: rows += run(name, texts); show(rows[-len(TASKS[name][1]):])
        gc.unfreeze()
    if args.keep or not args.task:
        made = kept(rows, peak) if args.task else {"versions": versions(), "peak_mb": peak, "rows": rows}
        (HERE / "speed.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
