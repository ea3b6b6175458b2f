"""The ledger under crashes, races, forks, full disks and hostile files; prices and people's verdicts."""
import json
import multiprocessing
import os
import pickle
import resource
import signal
import stat
import subprocess
import sys
import threading
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amend_nb import (
    CapReached,
    Journal,
    JournalError,
    Ledger,
    NoPrice,
    VerdictStore,
    exact_usd,
    rates_of,
    usage_cost,
    worst_cost,
)

# ---- journal


def test_a_torn_last_record_is_kept_and_does_not_harm_the_next(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"id":1,"tokens":10}\n{"id":2,"tok')
    log = Journal(path)
    assert log.unended == '{"id":2,"tok'
    log.append({"id": 3, "tokens": 7})
    again = Journal(path)
    for j in (log, again):
        assert [r["id"] for r in j.records()] == [1, 3]
        assert j.damaged == [(2, '{"id":2,"tok')]
    assert path.read_bytes().startswith(b'{"id":1,"tokens":10}\n{"id":2,"tok\n')
    path.write_bytes(path.read_bytes().replace(b'{"id":2,"tok\n', b""))
    assert Journal(path).verify() == [(2, "a damaged line before it is not accounted for")]


@pytest.mark.parametrize("tail", [b"", b"\xff\xfe\x00", b"[1,2]", b'{"a":', b"\n\n", b"{}\n\xc3"])
def test_any_fragment_is_survived(tmp_path, tail):
    path = tmp_path / "x.jsonl"
    log = Journal(path)
    log.append({"id": 1})
    with open(path, "ab") as f: f.write(tail)
    Journal(path).append({"id": 2})
    log.append({"id": 3})
    assert [r["id"] for r in Journal(path).records() if "id" in r] == [1, 2, 3]


@settings(max_examples=500, deadline=None)
@given(n=st.integers(2, 8), data=st.data())
def test_any_record_changed_or_cut_out_of_the_middle_is_seen(tmp_path_factory, n, data):
    path = tmp_path_factory.mktemp("j") / "x.jsonl"
    log = Journal(path)
    log.append(*({"n": i} for i in range(n)))
    lines = path.read_bytes().split(b"\n")[:-1]
    k = data.draw(st.integers(0, n - 2))
    changed = lines[k].replace(b'"n":', b'"m":')
    new = data.draw(st.sampled_from([lines[:k] + lines[k + 1:], [*lines[:k], changed, *lines[k + 1:]],
                                     [*lines[:k + 1], *lines[k:]], [*lines[:k], lines[k + 1], lines[k], *lines[k + 2:]]]))
    path.write_bytes(b"\n".join(new) + b"\n")
    assert log.verify() and Journal(path).breaks


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(["answered", "refused", "unknown", "open"]), min_size=1, max_size=6), st.data())
def test_an_interrupt_in_the_middle_of_reading_changes_no_sum(tmp_path_factory, states, data):
    path = tmp_path_factory.mktemp("l") / "l"
    writer, reader = Ledger(path, 1000), Ledger(path, 1000)
    upto = data.draw(st.integers(0, len(states)))
    for n, state in enumerate(states):
        if n == upto: reader.totals()
        attempt = writer.reserve(f"k{n}", 3)
        if state != "open": writer.settle(attempt, state, state, usd=1)
    left, accept = [data.draw(st.integers(0, 2 * len(states)))], reader._book._accept
    late = data.draw(st.booleans())

    def stopping(line):
        left[0] -= 1
        if left[0] < 0 and not late: raise KeyboardInterrupt
        accept(line)
        if left[0] < 0: raise KeyboardInterrupt
    reader._book._accept = stopping
    try: reader.totals()
    except KeyboardInterrupt: pass
    del reader._book._accept
    assert reader.totals() == writer.totals() == Ledger(path, 1000).totals()
    assert reader._book.breaks == [] and list(reader._book.attempts) == list(writer._book.attempts)


def test_the_journals_own_names_are_refused(tmp_path):
    log = Journal(tmp_path / "x.jsonl")
    with pytest.raises(ValueError, match="prev"): log.append({"prev": "x"})
    with pytest.raises(TypeError, match="dict"): log.append("x")
    with pytest.raises(TypeError, match="cannot be kept"): log.append({"x": object()})
    assert log.records() == []


def test_many_threads_and_processes_write_whole_lines_in_one_chain(tmp_path):
    path = tmp_path / "x.jsonl"
    code = ("import sys, threading; from amend_nb import Journal; log = Journal(sys.argv[1])\n"
            "def work(t):\n    for i in range(20): log.append({'who': sys.argv[2], 't': t, 'i': i, 'pad': 'x' * 500})\n"
            "ts = [threading.Thread(target=work, args=(t,)) for t in range(8)]\n"
            "[t.start() for t in ts]; [t.join() for t in ts]")
    runs = [subprocess.Popen([sys.executable, "-c", code, str(path), str(n)]) for n in range(2)]
    assert [r.wait() for r in runs] == [0, 0]
    log = Journal(path)
    assert log.verify() == [] and len({(r["who"], r["t"], r["i"]) for r in log.records()}) == 320


def test_a_full_disk_is_an_error_before_anything_is_sent(tmp_path):
    ledger = Ledger(tmp_path / "l", 10)
    ledger.reserve("a", 1)
    size = (tmp_path / "l/ledger.jsonl").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, hard))
        with pytest.raises(JournalError, match="nothing is sent"): ledger.reserve("b", 1)
        with pytest.raises(JournalError): ledger.keep_raw("x.200.sse", b"y" * (size + 100))
    finally: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert ledger.reserve("c", 1)
    with pytest.warns(UserWarning, match="torn"): again = Ledger(tmp_path / "l", 10)
    assert [a.key for a in again._book.attempts.values()] == ["a", "c"]


def test_a_ledger_that_cannot_be_written_sends_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    with pytest.raises(JournalError, match="folder"): Ledger(tmp_path / "file")
    with pytest.raises((JournalError, ValueError), match="address"): Ledger("https://example.org/ledger")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/ledger.jsonl").symlink_to(tmp_path / "elsewhere.jsonl")
    with pytest.raises(JournalError, match="nothing is sent"): Ledger(tmp_path / "link").reserve("a", 1)
    assert not (tmp_path / "elsewhere.jsonl").exists()


def test_a_lock_that_is_not_given_back_ends_in_an_error(tmp_path, monkeypatch):
    import fcntl

    import amend_nb.journal as room
    ledger = Ledger(tmp_path / "l")
    ledger.reserve("a", 1)
    monkeypatch.setattr(room, "_locked", lambda fd, path, seconds=30.0, f=room._locked: f(fd, path, 0.05))
    with open(tmp_path / "l/ledger.jsonl", "rb") as f:
        fcntl.flock(f, fcntl.LOCK_EX)
        with pytest.raises(JournalError, match="locked by another process"): ledger.reserve("b", 1)
    assert ledger.reserve("b", 1)


# ---- money and prices


def test_money_is_exact_and_refuses_what_is_none():
    assert sum(exact_usd(0.0001) for _ in range(10_000)) == 1 and exact_usd(584.93) * 100 == 58493
    for bad in (float("nan"), float("inf"), -1, "x", True, None, [1]):
        with pytest.raises((TypeError, ValueError)): exact_usd(bad)


counts = st.integers(0, 200_000)


@settings(max_examples=500, deadline=None)
@given(st.fixed_dictionaries({k: counts for k in ("input_tokens", "cache_read_input_tokens", "output_tokens")}), counts, counts,
       st.sampled_from(["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"]))
def test_a_batch_costs_exactly_half_of_every_category(usage, m5, h1, model):
    usage = {**usage, "cache_creation_input_tokens": m5 + h1,
             "cache_creation": {"ephemeral_5m_input_tokens": m5, "ephemeral_1h_input_tokens": h1}}
    full, half = (usage_cost(usage, model, "2026-11-01", batch=b) for b in (False, True))
    assert half * 2 == full
    rates = rates_of(model, "2026-11-01")
    if "above" in rates and usage["input_tokens"] + usage["cache_read_input_tokens"] + m5 + h1 > rates["above"]:
        rates = {k: exact_usd(v) for k, v in rates["long"].items()}
    by_hand = (usage["input_tokens"] * rates["input"] + usage["output_tokens"] * rates["output"] + m5 * rates["cache_write_5m"]
               + h1 * rates["cache_write_1h"] + usage["cache_read_input_tokens"] * rates["cache_read"]) / 1_000_000
    assert full == by_hand


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 300_000), st.integers(1, 64_000), st.data())
def test_no_usage_within_bounds_costs_more_than_the_worst_case(n_bytes, max_tokens, data):
    model = data.draw(st.sampled_from(["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"]))
    tokens = data.draw(st.integers(0, n_bytes + 2000))
    cut = sorted(data.draw(st.lists(st.integers(0, tokens), min_size=2, max_size=2)))
    usage = {"input_tokens": cut[0], "cache_creation_input_tokens": cut[1] - cut[0], "cache_read_input_tokens": tokens - cut[1],
             "cache_creation": {"ephemeral_1h_input_tokens": data.draw(st.integers(0, cut[1] - cut[0]))},
             "output_tokens": data.draw(st.integers(0, max_tokens))}
    assert usage_cost(usage, model) <= worst_cost(n_bytes, max_tokens, model)


def test_prices_are_dated_and_an_unknown_model_is_never_free():
    assert rates_of("claude-sonnet-5-5", "2026-10-06")["cache_read"] == Decimal("0.20")
    assert rates_of("claude-sonnet-5-5", "2026-10-07")["cache_read"] == Decimal("0.10")
    assert rates_of("claude-opus-5-5-20260801") == rates_of("claude-opus-5-5")
    for name in ("gpt-9", "", None):
        with pytest.raises(NoPrice): rates_of(name)
    with pytest.raises(NoPrice): worst_cost(10, 10, ["claude-opus-5-5", "nobody"])
    with pytest.raises(ValueError, match="input"): rates_of("m", prices={"m": {"input": 1}})
    with pytest.raises(ValueError, match="rates"): rates_of("m", prices={"m": {"input": 1, "output": 1, "cache": 1}})


def test_counts_that_are_none_give_no_price():
    for bad in ({"output_tokens": "7"}, {"output_tokens": -1}, {"output_tokens": 1.5}, {"output_tokens": True}):
        with pytest.raises(ValueError, match="output_tokens"): usage_cost(bad, "claude-opus-5-5")
    with pytest.raises(ValueError): usage_cost(None, "claude-opus-5-5")


def test_one_long_prompt_has_the_long_rate_on_every_token():
    short, long = ({"input_tokens": n, "output_tokens": 100} for n in (100_000, 100_001))
    assert usage_cost(short, "claude-haiku-5-5") == Decimal("0.01005")
    assert usage_cost(long, "claude-haiku-5-5") == (Decimal("0.5") * 100_001 + 250) / 10**6


def test_who_declined_with_nothing_written_is_not_billed():
    usage = {"input_tokens": 900, "output_tokens": 3}
    assert usage_cost(usage, "claude-opus-5-5", declined=True) == 0
    assert usage_cost({**usage, "inference_geo": "us"}, "claude-opus-5-5") == usage_cost(usage, "claude-opus-5-5") * Decimal("1.1")


# ---- the ledger


def test_none_is_no_cap_and_nought_is_nothing(tmp_path):
    assert Ledger(tmp_path / "a").reserve("k", 10**6)
    with pytest.raises(CapReached): Ledger(tmp_path / "b", 0).reserve("k", "0.000001")
    assert Ledger(tmp_path / "c", 0).reserve("k", 0)
    for bad in (-1, float("nan"), "much", True):
        with pytest.raises((TypeError, ValueError)): Ledger(tmp_path / "d", bad)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.sampled_from(["answered", "refused", "unknown", "open"]), st.integers(0, 9)), max_size=12))
def test_totals_are_what_the_steps_say(tmp_path_factory, steps):
    ledger = Ledger(tmp_path_factory.mktemp("l") / "l", 1000)
    want = dict(spent=0, in_flight=0, unknown=0)
    for n, (worst, state, usd) in enumerate(steps):
        attempt, usd = ledger.reserve(f"k{n}", worst), min(usd, worst)
        if state == "open": want["in_flight"] += worst; continue
        ledger.settle(attempt, state, state, usd=usd)
        want["spent"] += usd * (state == "answered")
        want["unknown"] += worst * (state == "unknown")
    for seen in (ledger.totals(), Ledger(ledger.path, 1000).totals()):
        assert {k: seen[k] for k in want} == want
        assert seen["available"] == 1000 - sum(want.values()) and seen["attempts"] == len(steps)
        assert seen["reserved"] == want["in_flight"] + want["unknown"]
    assert ledger.table()["holds_usd"].sum() == sum(want.values())
    assert ledger.verify() == []


def test_an_attempt_is_settled_once_and_an_unknown_can_become_known(tmp_path):
    ledger = Ledger(tmp_path / "l", 10)
    a = ledger.reserve("k", 4)
    ledger.settle(a, "answered", "truncated", usd=1)
    ledger.settle(a, "answered", "judged", usd=2)
    ledger.settle(a, "unknown", "unknown")
    assert ledger.totals()["spent"] == 1 and ledger.totals()["unknown"] == 0
    b = ledger.reserve("k", 4)
    ledger.settle(b, "unknown", "unknown")
    ledger.settle(b, "answered", "judged", usd=3)
    assert ledger.totals()["spent"] == 4 and ledger.totals()["unknown"] == 0
    assert ledger.reserve("k", 4) is None
    assert ledger.clear("k", "asked again on purpose") == 2
    assert ledger.totals()["spent"] == 4 and ledger.reserve("k", 4)


def test_clearing_needs_a_reason_and_something_to_clear(tmp_path):
    ledger = Ledger(tmp_path / "l")
    a = ledger.reserve("k", 4)
    with pytest.raises(ValueError, match="why"): ledger.clear("k", "  ")
    with pytest.raises(JournalError, match="in flight"): ledger.clear("k", "impatience")
    with pytest.raises(KeyError): ledger.clear("other", "x")
    ledger.settle(a, "unknown", "unknown")
    ledger.clear(a, "not on the bill")
    with pytest.raises(KeyError): ledger.clear(a, "not on the bill")
    assert Ledger(tmp_path / "l").totals()["unknown"] == 0
    assert ledger.table()["cleared"].tolist() == [True]


def test_a_call_that_does_not_fit_now_waits_for_one_in_flight(tmp_path):
    ledger = Ledger(tmp_path / "l", 10)
    a = ledger.reserve("a", 8)
    got = []
    waiting = threading.Thread(target=lambda: got.append(ledger.reserve("b", 8)))
    waiting.start()
    waiting.join(0.3)
    assert waiting.is_alive() and not got
    ledger.settle(a, "answered", "judged", usd="0.5")
    waiting.join(5)
    assert got and got[0]
    ledger.settle(got[0], "unknown", "unknown")
    with pytest.raises(CapReached, match="unknown"): ledger.reserve("c", 3)


def test_a_key_in_flight_is_waited_for_and_sent_once(tmp_path):
    ledger, other, got = Ledger(tmp_path / "l"), Ledger(tmp_path / "l"), []
    a = ledger.reserve("k", 1)
    threads = [threading.Thread(target=lambda x=x: got.append(x.reserve("k", 1))) for x in (ledger, other)]
    for t in threads: t.start()
    threads[0].join(0.3)
    assert got == []
    ledger.settle(a, "answered", "judged", usd="0.5")
    for t in threads: t.join(5)
    assert got == [None, None]


def racing(path, cap, n, out):
    "A process of 32 threads that reserve, check the sum and settle."
    ledger, most, lock = Ledger(path, cap), [Decimal(0)], threading.Lock()

    def work(t):
        for i in range(n):
            try: a = ledger.reserve(f"{os.getpid()}-{t}-{i}", "1.00")
            except CapReached: return
            totals = ledger.totals()
            with lock: most[0] = max(most[0], totals["spent"] + totals["reserved"])
            state = ("answered", "unknown", "refused")[(t + i) % 3] if i < 2 else "answered"
            ledger.settle(a, state, "judged" if state == "answered" else state, usd="0.03")
    threads = [threading.Thread(target=work, args=(t,)) for t in range(32)]
    for t in threads: t.start()
    for t in threads: t.join()
    out.put(most[0])


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_32_threads_and_2_processes_never_pass_the_cap(tmp_path, start):
    context = multiprocessing.get_context(start)
    out, cap = context.Queue(), Decimal("20")
    Ledger(tmp_path / "l", cap).reserve("mine", 1)   # the parent holds something of its own
    runs = [context.Process(target=racing, args=(tmp_path / "l", cap, 3, out)) for _ in range(2)]
    for r in runs: r.start()
    most = [out.get(timeout=120) for _ in runs]
    for r in runs: r.join(30)
    assert max(most) <= cap
    spent, held, running = Decimal(0), {}, Decimal(0)
    for r in Journal(tmp_path / "l/ledger.jsonl").records():   # the sum after every single record
        if r["kind"] == "reserve": held[r["attempt"]] = Decimal(r["usd"])
        elif r["state"] == "answered": spent += Decimal(r["usd"]); del held[r["attempt"]]
        elif r["state"] == "refused": del held[r["attempt"]]
        running = max(running, spent + sum(held.values()))
    assert Decimal("10") < running <= cap
    assert Ledger(tmp_path / "l").verify() == []


def test_a_ledger_made_before_a_fork_works_in_the_copy(tmp_path):
    context = multiprocessing.get_context("fork")
    ledger = Ledger(tmp_path / "l", 10)
    ledger.reserve("parent", 2)

    def child(q):
        a = ledger.reserve("child", 2)
        q.put((ledger.state(ledger.attempts("parent")[0]), ledger.state(ledger.attempts("child")[0])))
        ledger.settle(a, "answered", "judged", usd=1)
    q = context.Queue()
    p = context.Process(target=child, args=(q,))
    p.start()
    assert q.get(timeout=30) == ("in flight", "in flight")
    p.join()
    assert ledger.totals()["spent"] == 1 and ledger.totals()["in_flight"] == 2


def test_what_a_killed_process_left_open_is_unknown_and_nobody_waits_for_it(tmp_path):
    code = ("import sys, time; from amend_nb import Ledger; l = Ledger(sys.argv[1], 10); l.reserve('k', 8); "
            "l.reserve_batch([('b1', 1), ('b2', 1)]); print('ready', flush=True); time.sleep(60)")
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "l")], stdout=subprocess.PIPE)
    assert run.stdout.readline() == b"ready\n"
    ledger = Ledger(tmp_path / "l", 10)
    assert ledger.totals()["in_flight"] == 10
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert ledger.totals()["in_flight"] == 0 and ledger.totals()["unknown"] == 10
    with pytest.raises(CapReached): ledger.reserve("other", 8)
    batch = next(iter(ledger.open_batches().values()))
    assert not batch["alive"] and sorted(batch["open"]) == ["b1", "b2"] and batch["service_id"] == ""
    assert ledger.clear("k", "looked at the bill") == 1
    assert ledger.reserve("other", 8)


def test_a_batch_takes_what_fits_and_is_settled_item_by_item(tmp_path):
    ledger = Ledger(tmp_path / "l", "3")
    name, keys = ledger.reserve_batch([(f"k{n}", 1) for n in range(5)], model="m")
    assert keys == ["k0", "k1", "k2"]
    ledger.submitted(name, "msgbatch_1")
    calls = ledger.open_batches()[name]["open"]
    lines = [json.dumps({"n": n}).encode() + b"\n" for n in range(3)]
    raw = ledger.keep_raw(f"{name}.0.jsonl", b"".join(lines))
    import hashlib
    ledger.settle_many([dict(attempt=calls[f"k{n}"].id, state="answered", outcome="judged", usd="0.1", raw=raw["raw"],
                             sha256=hashlib.sha256(line).hexdigest(), raw_from=n * len(line), raw_size=len(line))
                        for n, line in enumerate(lines)])
    assert ledger.open_batches() == {} and ledger.totals()["spent"] == Decimal("0.3")
    assert [ledger.raw_bytes(ledger.attempts(f"k{n}")[0]) for n in range(3)] == lines
    assert ledger.reserve_batch([("k0", 1)]) == ("", [])
    assert ledger.table()["send"].nunique() == 1 and set(ledger.table()["service_id"]) == {"msgbatch_1"}
    with pytest.raises(CapReached): ledger.reserve_batch([("big", 30)])


def test_raw_answers_are_checked(tmp_path):
    ledger = Ledger(tmp_path / "l")
    a = ledger.reserve("k", 1)
    ledger.settle(a, "answered", "judged", usd=1, **ledger.keep_raw(a + ".200.sse", b"abc"))
    assert ledger.raw_left() == {a: a + ".200.sse"}
    path = tmp_path / "l/raw" / (a + ".200.sse")
    path.write_bytes(b"abd")
    with pytest.raises(JournalError, match="digest"): ledger.raw_bytes(ledger.attempts("k")[0])
    path.unlink()
    with pytest.raises(JournalError, match="restore"): ledger.raw_bytes(ledger.attempts("k")[0])


def test_files_are_private_and_nothing_is_made_by_looking(tmp_path):
    ledger = Ledger(tmp_path / "l")
    ledger.totals(), ledger.table(), ledger.verify(), ledger.raw_left(), ledger.open_batches()
    assert not (tmp_path / "l").exists()
    old = os.umask(0)
    try: a = ledger.reserve("k", 1); ledger.keep_raw(a + ".200.sse", b"abc")
    finally: os.umask(old)
    modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in [ledger.path, *ledger.path.rglob("*")]}
    assert {m for n, m in modes.items() if n in ("l", "raw", ".owners")} == {0o700}
    assert {m for n, m in modes.items() if n not in ("l", "raw", ".owners")} == {0o600}


def test_a_ledger_travels_as_its_path(tmp_path):
    ledger = Ledger(tmp_path / "l", "1.50")
    ledger.reserve("k", 1)
    again = pickle.loads(pickle.dumps(ledger))
    assert (again.path, again.cap) == (ledger.path, Decimal("1.50")) and again.totals()["in_flight"] == 1
    assert "1.50" in repr(again)


# ---- people


def test_verdicts_of_people_are_added_never_overwritten(tmp_path):
    store, item = VerdictStore(tmp_path / "v/people.jsonl"), ("a draft", "A text.", "a text")
    assert store.table().empty and store.latest() == {}
    key = store.add(item, "A text", who="Ana")
    store.add(item, "a text\u2028", who="Rui", where="clip 1", note="maybe")
    store.add(item, None, who="Ana", note="cannot say")
    again = pickle.loads(pickle.dumps(VerdictStore(tmp_path / "v/people.jsonl")))
    assert [r["fixed"] for r in again.history(item)] == ["A text", "a text\u2028", None]
    assert again.latest("Ana")[key]["fixed"] is None and again.people() == ["Ana", "Rui"]
    assert again.verdict(item, "Rui").fixed == "a text\u2028" and not again.verdict(item, "Ana").ok
    assert stat.S_IMODE((tmp_path / "v/people.jsonl").stat().st_mode) == 0o600
    assert again.verify() == []
    with pytest.raises(TypeError): store.add(("a", None, "b"), "x", who="Ana")


def test_records_of_another_kind_do_no_harm(tmp_path):
    (tmp_path / "l").mkdir()
    (tmp_path / "l/ledger.jsonl").write_text('{"id":1,"tokens":10}\n{"kind":"reserve","attempt":"a"}\n{"kind":"_add"}\n{"id":2,"tok')
    with pytest.warns(UserWarning, match="torn or do not follow"): ledger = Ledger(tmp_path / "l", 5)
    assert ledger.reserve("k", 5) and ledger.totals()["in_flight"] == 5
    assert [n for n, _ in ledger.verify()] == [2, 3, 4] and len(ledger._book.breaks) == 3


@pytest.mark.parametrize("usage", [{}, {"input_tokens": 5}, {"output_tokens": 5}, {"input_tokens": 5, "output_tokens": None},
                                   {"input_tokens": 5, "output_tokens": 5, "cache_creation": "x"}, {"iterations": [None]}, {"iterations": 7}])
def test_an_answer_that_does_not_say_what_it_used_is_not_free(usage):
    with pytest.raises(ValueError, match="usage"): usage_cost(usage, "claude-opus-5-5")


def test_the_worst_case_covers_the_dearest_region():
    usage = {"input_tokens": 12_000, "output_tokens": 1000, "inference_geo": "us"}
    for batch in (False, True): assert worst_cost(10_000, 1000, "claude-opus-5-5", batch=batch) >= usage_cost(usage, "claude-opus-5-5", batch=batch)
