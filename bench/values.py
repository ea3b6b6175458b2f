"""CPU time of `values-en` and of two peers' English normalizers on 100,000 distinct sentences: one process, by turns, medians of 3.

    pip install -e '.[bench]'
    python bench/values.py             print the table and write bench/values.json

Four corpora: plain sentences; sentences full of numbers (four or five values in a hundred letters, each number drawn at random); sentences
with numbers of common kinds, as people write and say them; and values of every kind, said and written: doses, dates, times, telephone numbers,
codes, invoices, shares, measures, ordinals, fractions, ranges.
Every round has sentences of its own, and all that the library remembers is forgotten before it: a first run over new texts is timed.
"""
import functools
import gc
import importlib
import json
import random
import statistics
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import agwer  # noqa: E402
import corpora  # noqa: E402
from whisper_normalizer.english import EnglishTextNormalizer  # noqa: E402

import amend_nb as nb  # noqa: E402

TARGETS = {"plain": 2.0, "full of numbers": 1.0, "common numbers": 1.0,
           "values of every kind": 1.0}     # at least so many times the pace of the quicker peer
WHO = ["the doctor", "she", "our neighbour", "Mr. Smith", "it", "the council", "my brother", "the driver", "they", "everyone", "the report", "he"]
DOES = ["won't say", "asked about", "has never seen", "didn't like", "wrote to", "was told of", "can't find", "spoke for", "thinks about", "left"]
WHAT = ["the old harbour", "a grey building", "their programmes", "the nurse's chart", "any reason",
        "the committee", "this question", "a better way",
        "the colour of the door", "people from the village", "what happened", "every letter", "the well-known answer", "rain", "the open window"]
ENDS = ["in the centre", "you know?", "by the river", "again", "before lunch", "(so he's told)", "with great care", "when it was over…",
        "um, perhaps", "as it were", "because of the weather", "and that was that", "for a while", "after the vote"]


def plain(n, seed):
    "Distinct English sentences without a number."
    rng, found = random.Random(seed), {}
    def one(): return " ".join(map(rng.choice, (WHO, DOES, WHAT, ENDS)))
    while len(found) < n: found[f"{one()}, {one()}.".capitalize()] = None
    return list(found)


CORPORA = {"plain": plain, "full of numbers": lambda n, seed: corpora.sentences(n, seed),
           "common numbers": lambda n, seed: corpora.everyday(n, seed), "values of every kind": lambda n, seed: corpora.valued(n, seed)}


def forget():
    "Empty every memory of the rooms that the normalizers stand on."
    for room in ("lexicon", "numerals", "quantities", "amounts", "moments", "clocks", "codes", "gates", "values", "stretches", "alike",
                 "wording", "whisper"):
        for held in vars(importlib.import_module(f"amend_nb.{room}")).values():
            if isinstance(held, dict) and hasattr(held, "function"): held.clear()
            if isinstance(held, functools._lru_cache_wrapper): held.cache_clear()


def measure(name, n=100_000, rounds=3):
    "CPU seconds of each implementation over one corpus, medians over rounds."
    spent = {}
    for seed in range(rounds):
        texts = CORPORA[name](n, 100 + seed)
        forget()
        calls = {"amend_nb values-en": nb.get_normalizer("values-en"), "agwer": agwer.EnglishTextNormalizer(),
                 "whisper-normalizer": EnglishTextNormalizer()}
        gc.collect()
        gc.freeze()
        for who, call in calls.items():
            start = time.process_time()
            for text in texts: call(text)
            spent.setdefault(who, []).append(time.process_time() - start)
        gc.unfreeze()
    medians = {who: statistics.median(s) for who, s in spent.items()}
    ours, *peers = medians.values()
    return {"sentences": n, "cpu_s": {who: round(s, 2) for who, s in medians.items()}, "ratio": round(min(peers) / ours, 2), "target": TARGETS[name]}


if __name__ == "__main__":
    made = {}
    for name in CORPORA:
        made[name] = measure(name)
        print(name, made[name], flush=True)
    (HERE / "values.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
