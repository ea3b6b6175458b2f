"""kill -9 at moments spread evenly over a call's and a batch's life: nothing is forgotten, nothing is made twice.

A nursery (one process with everything imported) forks a child per kill. In the child the disk is made slow, so that every state lasts
long enough to be hit; the killing is done from outside, by the clock, from the moment the child is ready to work to a little after its
end (how long that is, is measured again and again, as machines are not equally fast all day). The state is read afterwards from the
ledger, from `raw/` and from the service's journal. At least 20 kills fall into each state; the counts are printed."""
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from anthropic_server import Server
from test_claude import items_of, journal_is_ledger, judge_of

from amend_nb import ClaudeJudge, Ledger

pytestmark = pytest.mark.http
HERE = Path(__file__).parent
SLOW, EACH, MOST = 0.02, 20, 900


def slow_disk(room, name):
    "The function `name` of `room`, with a pause before and after it."
    plain = getattr(room, name)

    def slow(*args, **kwargs):
        time.sleep(SLOW / 2)
        try: return plain(*args, **kwargs)
        finally: time.sleep(SLOW / 2)
    setattr(room, name, slow)


def live(url, path, mode):
    "What a child does until it is killed."
    import amend_nb.ledger as room
    slow_disk(room, "_make_durable")
    for name in ("keep_raw", "settle_many", "submitted"): slow_disk(Ledger, name)
    judge = judge_of(SimpleNamespace(url=url), Ledger(path), workers=2, poll_seconds=0.02, fast=True)
    print("ready", flush=True)
    time.sleep(2 * SLOW)
    judge.fix_many(items_of(2), mode=mode)


NURSERY = """
import json, os, sys
sys.path.insert(0, sys.argv[1])
import anthropic, httpx2
from test_kills import live
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        try: live(*json.loads(line))
        except BaseException as e: print(repr(e), file=sys.stderr)
        os._exit(0)
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""


@contextmanager
def nursery():
    "A function that runs a child and kills it."
    run = subprocess.Popen([sys.executable, "-c", NURSERY, str(HERE)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def kill(url, path, mode, after):
        "Kill the child so many seconds after it is ready (None: let it live). Was it still there? And how long did it live?"
        run.stdin.write(json.dumps([url, str(path), mode]) + "\n")
        run.stdin.flush()
        pid = next(int(line) for line in (run.stdout.readline(), run.stdout.readline()) if line != "ready\n")
        start = time.monotonic()
        if after is not None:
            time.sleep(after)
            try: os.kill(pid, signal.SIGKILL)
            except ProcessLookupError: pass
        return int(run.stdout.readline()) == signal.SIGKILL, time.monotonic() - start
    try: yield kill
    finally: run.stdin.close(); run.wait()


def sync_state(server, ledger):
    "The least advanced state among the calls that a killed child left."
    left = ledger.raw_left()
    order = ["nothing", "reserved, not sent", "sent, no answer", "answer written, not booked", "booked"]
    sent = {e["attempt"] for e in server.sends()}
    seen = {"booked" if a.state == "answered" else "answer written, not booked" if a.id in left else "sent, no answer" if a.id in sent
            else "reserved, not sent" for a in ledger._book.attempts.values()}
    return min(seen or {"nothing"}, key=order.index)


def batch_state(server, ledger):
    batches = list(ledger._book.batches.values())
    if not batches: return "nothing"
    if not server.batches: return "intent, not sent"
    if not batches[0]["service_id"]: return "made, id not noted"
    if ledger.totals()["n_answered"] == 2: return "booked"
    if ledger.raw_files(): return "results written, not booked"
    return "downloading" if any(e["path"].endswith("/results") for e in server.journal) else "id noted, at work"


SYNC = ("nothing", "reserved, not sent", "sent, no answer", "answer written, not booked", "booked")
BATCH = ("nothing", "intent, not sent", "made, id not noted", "id noted, at work", "downloading", "results written, not booked", "booked")


def one_kill(kill, path, mode, after, state_of, check):
    "Run, kill, look, run again, look: the state that was hit, or None if the child had ended."
    with Server(delay=0.03, batch_seconds=0.04) as server:
        server.late = server.slow = 0.03
        if not kill(server.url, path, mode, after)[0]: return None
        server.settle()
        ledger = Ledger(path)
        state = state_of(server, ledger)
        journal_is_ledger(server, ledger, killed=1)
        assert ledger.totals()["n_in_flight"] == 0
        server.delay = server.late = server.slow = 0
        judge = judge_of(server, Ledger(path), poll_seconds=0.02, fast=True)
        verdicts = judge.fix_many(items_of(2), mode=mode)
        assert [v.fixed for v in verdicts] == [i[1] for i in items_of(2)]
        check(server, judge.ledger, state)
        sent = len(server.journal)
        assert ClaudeJudge(mode="replay", ledger=path, max_tokens=1000).fix_many(items_of(2)) == verdicts
        assert judge.fix_many(items_of(2), mode=mode) == verdicts and len(server.journal) == sent
        return state


def life(kill, path, mode):
    "Seconds that a child lives if it is let."
    with Server(delay=0.03, batch_seconds=0.04) as server:
        server.late = server.slow = 0.03
        killed, seconds = kill(server.url, path, mode, None)
        assert not killed
        return seconds


def spread(tmp_path, mode, states, state_of, check, hands=2):
    "Kill at moments spread evenly over a child's life until each state was hit often enough."
    counts, lock, tries = Counter(), threading.Lock(), itertools.count()

    def work(_):
        span = None
        with nursery() as kill:
            while min(counts[s] for s in states) < EACH:
                with lock: n = next(tries)
                assert n < MOST, f"not every state was hit: {dict(counts)}"
                if span is None or n % 20 < hands: span = 1.1 * life(kill, tmp_path / f"whole{n}", mode)
                after = span * (n * 0.6180339887 % 1)   # evenly spread, however many there are in the end
                state = one_kill(kill, tmp_path / str(n), mode, after, state_of, check)
                with lock: counts[state or "ended by itself"] += 1
    with ThreadPoolExecutor(hands) as pool: list(pool.map(work, range(hands)))
    return counts


def report(capsys, what, states, counts):
    with capsys.disabled(): print(f"\nkill -9 over a {what}: " + ", ".join(f"{k}: {counts[k]}" for k in (*states, "ended by itself")))


def test_a_call_killed_at_any_moment(tmp_path, capsys):
    def check(server, ledger, state):
        journal_is_ledger(server, ledger, killed=1)
        kinds = Counter(a.state for a in ledger._book.attempts.values() if ledger.state(a) != "unknown")
        assert kinds["answered"] == 2 and len(server.sends()) <= 2 + 2
        if state in ("answer written, not booked", "booked"): assert len(server.sends()) == 2   # nothing is paid again
        lost = [a for a in ledger._book.attempts.values() if ledger.state(a) == "unknown"]
        assert ledger.totals()["unknown"] == sum(a.worst for a in lost)
    report(capsys, "call's life", SYNC, spread(tmp_path, "sync", SYNC, sync_state, check))


def test_a_batch_killed_at_any_moment(tmp_path, capsys):
    def check(server, ledger, state):
        assert len(server.batches) == 1 and len(server.sends()) == 0   # one batch on the server, whatever happened
        table = ledger.table()
        assert len(server.sends("/v1/messages/batches")) == 1
        assert sorted(table["state"]) == (["answered"] * 2 + ["unknown"] * 2 if state == "intent, not sent" else ["answered"] * 2)
        assert ledger.verify() == []
    report(capsys, "batch's life", BATCH, spread(tmp_path, "batch", BATCH, batch_state, check))
