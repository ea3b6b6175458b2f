"""Batches that went astray: lost, set aside, resumed, waited for, priced late, dripping. One batch, paid once, and never a silent wait."""
import itertools
import json
import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest
from anthropic_server import Server
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from test_claude import child, items_of, journal_is_ledger, judge_of
from test_claude_hard import all_right, interrupted
from test_ledger_laws import fresh
from texts import examples

import amend_nb.prices as prices
import amend_nb.submission as submission
from amend_nb import Ledger, plan_calls, recall, usage_cost
from amend_nb.booking import HttpReply
from amend_nb.calls import JudgeSettings
from amend_nb.ledger import _Submitted

HERE = Path(__file__).parent


@pytest.fixture
def server():
    with Server() as s: yield s


def lose(server, ledger, n=5, gone=True, **options):
    "A batch of n drafts is made, and its creation's answer is lost; the service's list cannot be had (`gone`: shows nothing)."
    real, server.plan = server.listed, lambda e: "lost" if e["method"] == "POST" else None
    server.listed = lambda target: b'{"data": [], "has_more": false}' if gone else b"<html>"
    judge = judge_of(server, ledger, **{"retries": 0, **options})
    verdicts = judge.fix_many(items_of(n), mode="batch")
    assert {v.outcome for v in verdicts} == {"unknown" if gone else "incomplete"}
    server.listed, server.plan = real, lambda e: None
    return judge, [v.key for v in verdicts]


def billed(server): return sum((usage_cost(json.loads(line)["result"]["message"]["usage"], "claude-opus-5-5", batch=True)
                                for name in server.batches for line in server.run(name)), Decimal(0))


def one_batch(server, ledger, n=5, batches=1):
    "Each draft was paid once, in one batch that was made once, and nothing is held."
    assert len(server.batches) == batches and len(server.sends()) == 0
    journal_is_ledger(server, ledger)
    table, money = ledger.table(), ledger.totals()
    assert (table["state"] == "answered").sum() == n * batches == len(table) and money["spent"] == billed(server) and money["reserved"] == 0


# ---- adopted by its own size and names, whatever a person cleared meanwhile


@pytest.mark.http
@pytest.mark.parametrize("cleared", [(0,), (4,), (1, 3), (0, 1, 2, 3)])
@pytest.mark.parametrize("then", ["all", "the cleared", "the others"])
def test_a_lost_batch_is_adopted_though_items_of_it_were_cleared(server, tmp_path, cleared, then):
    judge, keys = lose(server, Ledger(tmp_path / "l", 10), gone=False)
    for n in cleared: judge.ledger.clear(keys[n], "not on the bill")
    some = [i for n, i in enumerate(items_of(5)) if then == "all" or (n in cleared) == (then == "the cleared")]
    all_right(judge_of(server, Ledger(tmp_path / "l", 10)), some, mode="batch")
    one_batch(server, judge.ledger)
    all_right(judge, items_of(5), mode="batch")
    one_batch(server, judge.ledger)


@pytest.mark.http
def test_a_batch_of_the_items_that_were_not_cleared_is_somebody_elses(server, tmp_path):
    judge, keys = lose(server, Ledger(tmp_path / "l", 10), gone=False)
    judge.ledger.clear(keys[4], "not on the bill")
    other = judge_of(server, tmp_path / "other", 10)
    all_right(other, items_of(4), mode="batch")
    all_right(judge_of(server, tmp_path / "l", 10), items_of(5), mode="batch")
    assert list(Ledger(tmp_path / "l").service_ids()) == ["msgbatch_000000"] and len(server.batches) == 2


@pytest.mark.http
def test_an_item_of_a_submitted_batch_that_was_cleared_is_collected_with_the_others(server, tmp_path):
    server.batch_seconds = 1.2
    judge = judge_of(server, tmp_path / "l", 10)
    interrupted(lambda: judge.fix_many(items_of(3), mode="batch"), 0.4)
    for key in list(judge.ledger.table()["key"])[:2]: judge.ledger.clear(key, "a mistake")
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3))
    one_batch(server, judge.ledger, 3)
    key = judge.ledger.table()["key"][0]
    judge.ledger.clear(key, "judge it anew")   # a verdict that is set aside is asked for again
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3))
    assert len(server.sends()) == 1


# ---- at the service: neither unknown, nor to send, nor reserved twice, nor asked about


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch", "resume"])
@pytest.mark.parametrize("hold", ["resend", "hold"])
@pytest.mark.parametrize("ended", [False, True])
def test_what_is_at_the_service_is_said_to_be_there_and_collected_unasked(server, tmp_path, mode, hold, ended):
    server.batch_seconds = 1.0
    first = judge_of(server, tmp_path / "l", "0.12")   # three drafts may cost up to 0.11
    interrupted(lambda: first.fix_many(items_of(3), mode="batch"), 0.4)
    held, money = first.ledger.table()["worst_usd"].sum(), first.ledger.totals()
    if ended: time.sleep(0.8)
    assert (money["n_at_the_service"], money["at_the_service"], money["reserved"]) == (3, held, held)
    assert (money["n_unknown"], money["unknown"], money["n_in_flight"]) == (0, 0, 0)
    more = judge_of(server, tmp_path / "l", "0.12", on_unknown=hold, resume=["msgbatch_000000"] if mode == "resume" else (),
                    confirm=lambda text: pytest.fail("asked"))
    estimate = more.estimate(items_of(3))
    assert (estimate.questions, estimate.paid, estimate.at_service, estimate.to_send) == (3, 0, 3, 0) and estimate.most["sync"] == 0
    assert "3 at the service, 0 to send" in str(estimate)
    all_right(more, items_of(3), mode="batch" if mode == "resume" else mode)
    said = "\n".join(more.said)
    assert "3 drafts are at the service" in said and "unknown" not in said and "still to ask" not in said
    one_batch(server, more.ledger, 3)


@pytest.mark.http
def test_beside_what_is_at_the_service_only_the_rest_is_announced(server, tmp_path):
    server.batch_seconds = 1.0
    first = judge_of(server, tmp_path / "l", 10)
    interrupted(lambda: first.fix_many(items_of(3), mode="batch"), 0.4)
    asked = []
    more = judge_of(server, tmp_path / "l", 10, confirm=lambda text: not asked.append(text))
    assert (more.estimate(items_of(5)).at_service, more.estimate(items_of(5)).to_send) == (3, 2)
    all_right(more, items_of(5), mode="batch")
    assert len(asked) == 1 and "2 questions still to ask, 0 judged already, 3 at the service" in asked[0] and "unknown" not in asked[0]
    assert len(server.batches) == 2 and len(server.sends()) == 0
    journal_is_ledger(server, more.ledger)


def test_a_question_in_a_batch_of_a_run_that_is_gone_is_not_reserved_again(tmp_path):
    ledger = Ledger(tmp_path / "l", 10)
    for named in (True, False):
        with ledger.at_work() as work: name, _ = ledger.reserve_batch([("k1", 1), ("k2", 1)], work=work)
        if named: ledger.submitted(name, "msgbatch_1")
        for other in (ledger, Ledger(tmp_path / "l", 10)):
            with pytest.raises(_Submitted): other.reserve("k1", 1)
            assert other.reserve_batch([("k1", 1), ("k2", 1)]) == ("", [])
            assert other.at_service("k1") == named and other.totals()["reserved"] == 2
        ledger.settle_batch(name, "refused", "invalid")
    assert ledger.reserve("k1", 1)


# ---- resumed by its id, though that was never noted


@pytest.mark.http
@pytest.mark.parametrize("hold", ["resend", "hold"])
@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("some", [5, 2])
def test_resume_makes_a_lost_batch_the_one_that_was_written_down(server, tmp_path, hold, gone, some):
    judge, keys = lose(server, Ledger(tmp_path / "l", 10), gone=gone)
    if some == 2: judge.ledger.clear(keys[0], "not on the bill")
    again = judge_of(server, tmp_path / "l", 10, on_unknown=hold, resume="msgbatch_000000", confirm=lambda text: pytest.fail("asked"))
    all_right(again, items_of(some))
    one_batch(server, again.ledger)
    assert list(again.ledger.service_ids()) == ["msgbatch_000000"] and not any("rejected" in line for line in again.said)
    n = len(server.journal)
    all_right(again, items_of(5), mode="batch")
    assert len(server.journal) == n


@pytest.mark.http
def test_a_lost_batch_whose_drafts_were_asked_again_meanwhile_is_booked_too(server, tmp_path):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10))
    real, server.listed = server.listed, lambda target: b'{"data": [], "has_more": false}'     # it is not listed yet
    all_right(judge_of(server, tmp_path / "l", 10), items_of(5), mode="batch")
    server.listed = real
    assert len(server.batches) == 2 and judge.ledger.totals()["n_unknown"] == 5
    again = judge_of(server, tmp_path / "l", 10, resume=["msgbatch_000000"])
    all_right(again, items_of(5))
    one_batch(server, again.ledger, 5, batches=2)
    n = len(server.journal)
    all_right(again, items_of(5))
    assert len(server.journal) == n


@pytest.mark.http
def test_two_lost_batches_of_the_same_drafts_are_each_found(server, tmp_path):
    for _ in range(2): judge, _ = lose(server, Ledger(tmp_path / "l", 10))
    again = judge_of(server, tmp_path / "l", 10, resume=["msgbatch_000001", "msgbatch_000000"])
    all_right(again, items_of(5))
    one_batch(server, again.ledger, 5, batches=2)
    order = [b["service_id"] for b in again.ledger._book.batches.values()]
    assert order == ["msgbatch_000000", "msgbatch_000001"]   # by the time


@pytest.mark.http
def test_what_a_resumed_batch_does_not_hold_stays_held_or_is_left(server, tmp_path):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), n=3)
    all_right(judge_of(server, tmp_path / "other", 10), items_of(3, 1), mode="batch")   # other drafts, two of them the same
    again = judge_of(server, tmp_path / "l", 10, on_unknown="hold", resume=["msgbatch_000001"])
    real, server.listed = server.listed, lambda target: b'{"data": [], "has_more": false}'     # it is not listed yet
    verdicts = again.fix_many(items_of(5))
    server.listed = real
    assert [v.outcome for v in verdicts] == ["held", "judged", "judged", "judged", "not resumed"]
    assert again.ledger.totals()["n_unknown"] == 3 and len(again.ledger.table()) == 6   # the lost one is not this one
    all_right(judge_of(server, tmp_path / "l", 10, on_unknown="hold", resume=["msgbatch_000000"]), items_of(3))
    assert again.ledger.totals()["n_unknown"] == 0


@pytest.mark.http
def test_a_batch_from_elsewhere_is_taken_in_piece_by_piece(server, tmp_path):
    all_right(judge_of(server, tmp_path / "first", 10), items_of(5), mode="batch")
    for n in (2, 4, 5): all_right(judge_of(server, tmp_path / "l", 10, resume=["msgbatch_000000"]), items_of(n))
    assert Ledger(tmp_path / "l").totals()["spent"] == billed(server) and len(server.batches) == 1


# ---- who waits is told for whom


@pytest.mark.http
def test_the_batch_of_another_program_is_said_to_be_waited_for(server, tmp_path):
    server.batch_seconds = 4
    run = child(server, tmp_path / "l", 3, "batch")
    try:
        while not server.batches: time.sleep(0.05)
        judge = judge_of(server, tmp_path / "l")
        while not judge.ledger.service_ids(): time.sleep(0.05)
        assert judge.ledger.totals()["n_in_flight"] == 3 and judge.estimate(items_of(3)).at_service == 3
        all_right(judge, items_of(3), mode="batch")
        line = next(x for x in judge.said if f"process {run.pid}" in x)
        assert "msgbatch_000000" in line and "is waited for" in line and "running the same again" in line
    finally:
        run.kill()
        run.communicate()
    one_batch(server, judge.ledger, 3)


@pytest.mark.http
def test_a_resumed_batch_that_has_not_ended_is_said_to_be_waited_for(server, tmp_path):
    server.batch_seconds = 1.0
    first = judge_of(server, tmp_path / "l", 10)
    interrupted(lambda: first.fix_many(items_of(3), mode="batch"), 0.4)
    other = judge_of(server, tmp_path / "other", 10, resume=["msgbatch_000000"])
    all_right(other, items_of(3))
    assert sum("has not ended yet (in_progress): waiting for it" in line for line in other.said) == 1


HOLDER = """
import ctypes, os, sys, time
from amend_nb import Ledger
ledger = Ledger(sys.argv[1])
attempts = [ledger.reserve(key, 1) for key in sys.argv[3:]]
if sys.argv[2] == "fork" and os.fork() == 0: time.sleep(60); os._exit(0)
if sys.argv[2] == "raw fork":
    child = ctypes.PyDLL(None).fork()     # one that the interpreter does not know of
    if child == 0: time.sleep(60); os._exit(0)
print(child if sys.argv[2] == "raw fork" else os.getpid(), flush=True)
if sys.argv[2] == "stay": time.sleep(60)
os._exit(0)
"""


@pytest.mark.http
@pytest.mark.parametrize("how", ["stay", "raw fork", "fork"])
@pytest.mark.parametrize("what", ["the question", "the room"])
def test_who_waits_for_another_program_is_told_and_goes_on_when_it_is_gone(server, tmp_path, how, what):
    key = plan_calls(items_of(1), JudgeSettings("claude-opus-5-5", "max", 1000))[0][0].key if what == "the question" else "another"
    run = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path / "l"), how, key], stdout=subprocess.PIPE, text=True)
    holder = int(run.stdout.readline())
    if how != "stay": run.wait()
    judge = judge_of(server, tmp_path / "l", "1.02" if what == "the room" else None, fallbacks=())
    said = []

    def say(text):
        said.append(text)
        if f"process {run.pid}" in text: os.kill(holder, signal.SIGKILL)
    judge.say = say
    verdicts = judge.fix_many(items_of(3 if what == "the room" else 1))
    if how == "stay": run.wait()
    run.stdout.close()
    lines = [x for x in said if x.startswith("waiting for ")]
    if how == "fork": assert not lines     # a copy holds nothing for the program it was made from
    else:
        assert len(lines) == 1 and what.replace("the question", "the same question") in lines[0] and "end that program" in lines[0]
        assert ("a child of process" in lines[0]) == (how == "raw fork") and str(tmp_path / "l") in lines[0]
    assert all(v.ok for v in verdicts) or what == "the room"
    assert judge.ledger.totals()["n_in_flight"] == 0


# ---- priced by the day it was made


@pytest.mark.http
@pytest.mark.parametrize("days, how", [(0, "new"), (9, "new"), (20, "old"), (400, "old")])
def test_a_resumed_batch_is_priced_by_the_day_it_was_made(server, tmp_path, monkeypatch, days, how):
    today = datetime.now(UTC).date()
    def row(on, n): return {"from": str(on), **{k: str(n * 2**i) for i, k in enumerate(prices.RATE_NAMES)}}
    table = {**prices._table(), "models": {"claude-opus-5-5": [row(today - timedelta(days=1000), 1), row(today - timedelta(days=10), 50)]}}
    monkeypatch.setattr(prices, "_table", lambda: table)
    server.clock_skew = timedelta(days=-days)
    all_right(judge_of(server, tmp_path / "first", fallbacks=()), items_of(3), mode="batch")
    judge = judge_of(server, tmp_path / "l", resume=["msgbatch_000000"], fallbacks=())
    all_right(judge, items_of(3))
    on = today - timedelta(days=days)
    due = sum(usage_cost(json.loads(x)["result"]["message"]["usage"], "claude-opus-5-5", on, True) for x in server.run("msgbatch_000000"))
    assert judge.ledger.totals()["spent"] == due and (due < Decimal("0.05")) == (how == "old")
    assert all(a.usd <= a.worst for a in judge.ledger._book.attempts.values())
    assert recall(Ledger(tmp_path / "l"), list(judge.ledger._book.by_key)).keys() == judge.ledger._book.by_key.keys()


# ---- an answer that drips


class Slow:
    "A writer that sends a byte at a time: the headers, or all that comes after them."
    def __init__(self, writer, part): self.writer, self.part, self.left = writer, part, b""
    def write(self, data): self.left += data
    def close(self): self.writer.close()
    def __getattr__(self, name): return getattr(self.writer, name)

    async def drain(self):
        import asyncio
        data, self.left = self.left, b""
        if self.part == "body" and b"\r\n\r\n" in data:
            head, _, data = data.partition(b"\r\n\r\n")
            self.writer.write(head + b"\r\n\r\n")
        for byte in data:
            self.writer.write(bytes([byte]))
            await self.writer.drain()
            await asyncio.sleep(0.05)


def dripping(server, which, part):
    "Have one kind of request answered a byte at a time."
    real = server.answer
    def kind(method, target):
        path = target.split("?")[0]
        if path.endswith("/results"): return "results"
        if path.endswith("/batches"): return "create" if method == "POST" else "list"
        return "poll"
    def answer(method, target, headers, data, writer):
        return real(method, target, headers, data, Slow(writer, part) if kind(method, target) in which else writer)
    server.answer = answer
    def stop(): server.answer = real
    return stop


@pytest.mark.http
@pytest.mark.parametrize("part", ["head", "body"])
@pytest.mark.parametrize("which", [("create",), ("poll",), ("results",), ("create", "list")])
def test_a_batch_whose_answers_drip_ends_in_time_and_is_collected_by_the_next_run(server, tmp_path, which, part, monkeypatch):
    monkeypatch.setattr(submission, "_MISSES", 3)
    stop = dripping(server, which, part)
    judge, start = judge_of(server, tmp_path / "l", 10, deadline_seconds=0.2), time.monotonic()
    verdicts = judge.fix_many(items_of(3), mode="batch")
    assert time.monotonic() - start < 30
    if which == ("create",): assert all(v.ok for v in verdicts)     # it was made, and is in the list
    else:
        assert {v.outcome for v in verdicts} == {"incomplete"} and all("run again" in v.note or "again" in v.note for v in verdicts)
        money = judge.ledger.totals()
        assert money["reserved"] == judge.ledger.table()["worst_usd"].sum() > 0 and money["n_in_flight"] == 0
        assert money["n_unknown"] + money["n_at_the_service"] == 3
    stop()
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3), mode="batch")
    one_batch(server, judge.ledger, 3)


@pytest.mark.http
def test_a_creation_that_drips_and_is_listed_nowhere_is_unknown(server, tmp_path):
    dripping(server, ("create",), "head")
    server.listed = lambda target: b'{"data": [], "has_more": false}'
    judge = judge_of(server, tmp_path / "l", 10, deadline_seconds=0.2, retries=0)
    assert {v.outcome for v in judge.fix_many(items_of(3), mode="batch")} == {"unknown"}
    assert judge.ledger.totals()["unknown"] == judge.ledger.table()["worst_usd"].sum() > 0
    assert any("no whole answer within 0.2 s" in line for line in judge.said)


@pytest.mark.http
def test_an_interrupt_ends_the_waiting_for_a_batch_that_drips(server, tmp_path):
    dripping(server, ("poll",), "head")
    judge, start = judge_of(server, tmp_path / "l", 10, deadline_seconds=600), time.monotonic()
    interrupted(lambda: judge.fix_many(items_of(3), mode="batch"), 1.0)
    assert time.monotonic() - start < 5 and judge.ledger.totals()["n_at_the_service"] == 3


# ---- what the service made once is booked once, whoever looks for it at the same time


def never_made(server, ledger, n=3):
    "A batch of n drafts whose creation was cut off before the service made anything: unknown."
    server.plan = lambda e: "reset_before" if e["method"] == "POST" else None
    assert {v.outcome for v in judge_of(server, ledger, retries=0).fix_many(items_of(n), mode="batch")} == {"unknown"}
    server.plan = lambda e: None


def booked_once(server, ledger, n=3, lost=1):
    "One batch, one name, each answer paid once; what was never made stays unknown, and holds its worst case."
    table, money = ledger.table(), ledger.totals()
    assert len(server.batches) == 1 and len(server.sends()) == 0
    journal_is_ledger(server, ledger)
    assert table[table["state"] == "answered"]["send"].nunique() == 1 and sum(table["service_id"] == "msgbatch_000000") == n
    assert (table["state"] == "answered").sum() == n and (table["state"] == "unknown").sum() == n * lost == len(table) - n
    assert money["spent"] == billed(server) and money["reserved"] == money["unknown"] == table[table["state"] == "unknown"]["worst_usd"].sum()


def in_between(monkeypatch, name, act, before=True):
    "Have something done once, just before (after) the first call of a function of the room, as another run might."
    real, left = getattr(submission, name), [act]

    def first(*args, **options):
        if left and before: left.pop()()
        given = real(*args, **options)
        if left: left.pop()()
        return given
    monkeypatch.setattr(submission, name, first)
    return left


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
@pytest.mark.parametrize("hold", ["resend", "hold"])
@pytest.mark.parametrize("shared", [True, False])
def test_a_batch_that_another_run_is_just_submitting_is_not_taken_for_one_that_was_lost(server, tmp_path, mode, hold, shared):
    ledger = Ledger(tmp_path / "l", 10)
    never_made(server, ledger)
    server.late = 1.0   # the service makes the batch, and says so later: meanwhile it is listed, has ended, and has the lost one's size and names
    second = judge_of(server, ledger if shared else Ledger(tmp_path / "l", 10))
    run = threading.Thread(target=lambda: all_right(second, items_of(3), mode="batch"))
    run.start()
    while not server.batches: time.sleep(0.01)
    time.sleep(0.1)
    all_right(judge_of(server, ledger if shared else Ledger(tmp_path / "l", 10), on_unknown=hold), items_of(3), mode=mode)
    run.join(30)
    booked_once(server, ledger)


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
def test_a_batch_that_another_run_begins_to_submit_while_this_one_looks_is_not_taken(server, tmp_path, mode, monkeypatch):
    ledger, runs = Ledger(tmp_path / "l", 10), []
    never_made(server, ledger)

    def submit():
        server.late = 0.5
        runs.append(threading.Thread(target=lambda: all_right(judge_of(server, Ledger(tmp_path / "l", 10)), items_of(3), mode="batch")))
        with monkeypatch.context() as m:
            m.setattr(submission, "_found_late", lambda run, keys: {})   # it has looked already
            runs[0].start()
            while not server.batches: time.sleep(0.01)
        time.sleep(0.1)
    left = in_between(monkeypatch, "_listed", submit)
    all_right(judge_of(server, Ledger(tmp_path / "l", 10)), items_of(3), mode=mode)
    runs[0].join(30)
    assert not left
    booked_once(server, ledger)


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
@pytest.mark.parametrize("when", ["_listed", "_is_lost_one", "after"])
def test_two_runs_that_find_the_same_lost_batch_collect_it_once(server, tmp_path, mode, when, monkeypatch):
    server.batch_seconds = 0.4
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), 3, gone=False)
    def other(): judge.ledger.submitted(next(iter(judge.ledger.open_batches())), "msgbatch_000000")   # another run has just found it
    left = in_between(monkeypatch, "_is_lost_one" if when == "after" else when, other, when != "after")
    all_right(judge_of(server, Ledger(tmp_path / "l", 10)), items_of(3), mode=mode)
    assert not left
    one_batch(server, judge.ledger, 3)


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
def test_a_batch_found_by_another_run_as_this_one_gives_up_is_not_sent_again(server, tmp_path, mode, monkeypatch):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), 3, gone=False)
    name = next(iter(judge.ledger.open_batches()))
    server.listed = lambda target: b'{"data": [], "has_more": false}'
    left = in_between(monkeypatch, "_searched", lambda: judge.ledger.submitted(name, "msgbatch_000000"), before=False)
    all_right(judge_of(server, Ledger(tmp_path / "l", 10)), items_of(3), mode=mode)
    assert not left
    one_batch(server, judge.ledger, 3)


@pytest.mark.http
@pytest.mark.parametrize("known", [False, True])
def test_a_batch_that_two_runs_resume_at_once_is_booked_once(server, tmp_path, known, monkeypatch):
    all_right(judge_of(server, tmp_path / "elsewhere", 10), items_of(3), mode="batch")
    server.batch_seconds, ledger = 0, Ledger(tmp_path / "l", 10)
    calls = plan_calls(items_of(3), judge_of(server, ledger).settings)[0]
    if known:   # two lost ones of its size and names
        for _ in range(2):
            name, _ = ledger.reserve_batch([(c.key, 1) for c in calls])
            ledger.settle_batch(name, "unknown", "unknown")
    def resume(): all_right(judge_of(server, Ledger(tmp_path / "l", 10), resume=["msgbatch_000000"]), items_of(3))
    left = in_between(monkeypatch, "_intent_of", resume, before=False)
    resume()
    assert not left
    table = ledger.table()
    assert (table["state"] == "answered").sum() == 3 and len(table) == 3 + 3 * known
    assert ledger.totals()["spent"] == billed(server) and list(ledger.service_ids()) == ["msgbatch_000000"]


def test_an_id_of_the_service_has_one_name_and_a_name_one_id(tmp_path):
    ledger, again = Ledger(tmp_path / "l", 10), Ledger(tmp_path / "l", 10)
    names = []
    for _ in range(2):
        names.append(ledger.reserve_batch([("a", 1), ("b", 1)])[0])
        ledger.settle_batch(names[-1], "unknown", "unknown")
    assert [ledger.submitted(n, "x", found=True) for n in names] == [names[0]] * 2 and again.service_ids() == {"x": names[0]}
    assert again.submitted(names[0], "y", found=True) == names[0] and again.service_ids() == {"x": names[0]}
    again.settle_batch(names[0], "unknown", "unknown", lost=True)   # it is not lost any more
    assert len(ledger.open_batches()[names[0]]["open"]) == 2
    assert again.take_in([("a", 1), ("b", 1)], "x") == names[0] and len(ledger.table()) == 4
    more = again.take_in([("a", 1), ("c", 1)], "x")
    assert more not in names and list(again.batch_items(more)) == ["c"] and len(ledger.table()) == 5


@pytest.mark.parametrize("alive", [True, False])
@pytest.mark.parametrize("mine", [["a", "b"], ["b", "a"], ["a"], ["a", "b", "c"]])
def test_an_id_that_was_looked_for_waits_for_a_creation_of_the_same_questions_only(tmp_path, alive, mine):
    ledger, other = Ledger(tmp_path / "l", 10), Ledger(tmp_path / "l", 10)
    lost, _ = ledger.reserve_batch([("a", 1), ("b", 1)])
    ledger.settle_batch(lost, "unknown", "unknown")
    with other.at_work() as work:
        rival, _ = other.reserve_batch([(k, 1) for k in mine], work=work)
        if alive: assert ledger.submitted(lost, "x", found=True) == ("" if set(mine) == {"a", "b"} else lost)
    if not alive: assert ledger.submitted(lost, "x", found=True) == lost
    if alive and set(mine) == {"a", "b"}:
        assert other.submitted(rival, "x") == rival and ledger.submitted(lost, "x", found=True) == rival


# ---- the law of what is adopted, with mutants


SETTINGS = JudgeSettings("claude-opus-5-5", None, 1000)
CALLS = plan_calls(items_of(7), SETTINGS)[0]
KEYS = [c.key for c in CALLS]


class Service:
    "Batches by id: (names, time it was made, counts shown)."
    def __init__(self): self.batches = {}

    def __call__(self, method, path, body=None, params=None, seconds=0):
        assert method == "get"
        def view(name):
            keys, made, counted = self.batches[name]
            return {"id": name, "processing_status": "ended", "created_at": made, "request_counts": {"succeeded": len(keys) * counted}}
        name = path.split("/")[4] if path.count("/") > 3 else None
        answer = {"model": "claude-opus-5-5", "stop_reason": "end_turn", "content": [{"type": "text", "text": '{"fixed": "x"}'}],
                  "usage": {"input_tokens": 9, "output_tokens": 9}}
        if path.endswith("/results"):
            data = "\n".join(json.dumps({"custom_id": k, "result": {"type": "succeeded", "message": answer}}) for k in self.batches[name][0])
        else: data = json.dumps(view(name) if name else {"data": [view(n) for n in self.batches], "has_more": False})
        return HttpReply(200, data.encode(), {})


def law_adoption(room):
    "Whatever was cleared and whatever else the service lists, a lost batch is the one of its size and names, or none."
    count = itertools.count()

    @examples(500)
    @given(st.integers(1, 5), st.data())
    def holds(n, data):
        service, mine, ledger = Service(), KEYS[:n], Ledger(fresh().parent)
        with ledger.at_work() as work: name, _ = ledger.reserve_batch([(k, 1) for k in mine], work=work)
        now, counted = ledger._book.batches[name]["at"], data.draw(st.booleans())
        there = data.draw(st.booleans())
        some = st.lists(st.sampled_from(KEYS), min_size=1, max_size=6, unique=True)
        others = data.draw(st.lists(some.filter(lambda k: set(k) != set(mine)), max_size=3))
        every = [("real", mine)] * there + [(f"other{next(count)}", k) for k in others]
        service.batches = {i: (k, now, counted) for i, k in data.draw(st.permutations(every))}
        asked = data.draw(st.lists(st.sampled_from(mine), min_size=1, unique=True))
        resumed = data.draw(st.booleans())
        given_up = data.draw(st.booleans())
        if given_up: ledger.settle_batch(name, "unknown", "unknown")
        cleared = data.draw(st.lists(st.sampled_from(mine), max_size=n if resumed else n - 1, unique=True))
        for k in cleared: ledger.clear(k, "a test")
        run = SimpleNamespace(ledger=ledger, calls={c.key: c for c in CALLS if c.key in asked}, asked=frozenset(asked), settings=SETTINGS, found={},
                              request=service, say=lambda text: None, pause=0, verbose=False, prices=None, retries=0, on_unknown="resend",
                              halt=threading.Event(), show=lambda: None, work=None, stop=None, tell=lambda text: None)
        if resumed and every:
            chosen = data.draw(st.sampled_from(every))
            try: waiting = room._resume(run, [chosen[0]])
            except ValueError:
                assert not set(chosen[1]) & set(asked)
                waiting = {}
            found = chosen[0] == "real"
        else: waiting, found = room._attach(run), there and not (given_up and set(asked) <= set(cleared))   # what all is cleared is over
        room._collect(run, waiting)
        items, noted = ledger.batch_items(name), ledger._book.batches[name]["service_id"]
        assert noted == ("real" if found else "")
        assert {a.state for a in items.values()} <= ({"answered"} if found else {"open", "unknown"})
        assert len(ledger._book.attempts) == n or (resumed and not found)
        if found: assert set(recall(ledger, mine)) == set(mine) and set(asked) <= set(run.found) and ledger.totals()["reserved"] == 0
        for k in asked: assert sum(a.state == "answered" for a in ledger._book.by_key[k]) <= 1
    holds()


def test_the_law_of_adoption(): law_adoption(submission)


@pytest.mark.parametrize("old, new", [
    ("keys, since, shared = list(run.ledger.batch_items(name))",
     "keys, since, shared = [k for k, a in run.ledger.batch_items(name).items() if not a.cleared]"),
    ('if a.state in ("open", "unknown")}\n\ndef _give_up', 'if a.state == "open"}\n\ndef _give_up'),
    ("ids <= keys and len(keys) == (total or len(ids))", "True"),
    ("len(keys) == (total or len(ids))", "total in (len(keys), 0)"),
    ("name = None if held else _given(run, service_id, lost, ids, batch)", "name = None"),
    ("waiting = _found_late(run, run.calls) if keys is None else {}", "waiting = {}"),
    ("due = [k for k in keys if not run.ledger.judged(k)]", "due = []"),
    ("if not found.missing and (not found.foreign or", "if found.lines and (not found.foreign or"),
    ("not found.missing and (not found.foreign or _total(batch) == len(keys))", "not found.missing"),
])
def test_a_mutant_breaks_the_law_of_adoption(old, new): assert breaks(law_adoption, mutant(submission, (old, new)))
