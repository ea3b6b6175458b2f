"""The Claude judge under everything at once: random faults, overlapping runs in both modes, interrupts; then peace, and the books are looked at."""
import json
import os
import random
import threading
from collections import Counter
from decimal import Decimal

import pytest
from anthropic_server import Server, texts_of
from test_claude import items_of, journal_is_ledger, judge_of

from amend_nb import Ledger, usage_cost

pytestmark = pytest.mark.http
SINGLE = ["429", "529", "500", "504", "409", "reset_before", "reset_mid", "cut_mid", "early_end", "end_before", "error_event", "broken_event", "html",
          "broken_json", "other_json", "refusal", "refusal_late", "max_tokens", "commentary", "fallback"]
CREATE = ["429", "529", "500", "503", "reset_before", "lost"]
ITEM = ["expired", "canceled", "refusal", "max_tokens", "commentary", {"fault": "errored", "type": "api_error"}]
READ = ["500", "529", "reset_before", "404"]
RESULTS = ["cut_line", "cut_mid", "reset_mid", "500"]


def faults(chance, rate):
    "A plan of random faults; `rate` of the requests meet one."
    def plan(e):
        if chance.random() > rate: return None
        if e["path"].endswith("/results"): return chance.choice(RESULTS)
        if e["method"] == "GET": return chance.choice(READ)
        return chance.choice(CREATE if e["path"].endswith("batches") else SINGLE)
    return plan


@pytest.mark.parametrize("seed", range(int(os.environ.get("AMEND_CHAOS", 12))))
def test_whatever_happens_nothing_is_lost_doubled_or_overspent(tmp_path, seed, monkeypatch):
    import amend_nb.running as room
    monkeypatch.setattr(room.random, "uniform", lambda a, b: 0.01)
    chance = random.Random(seed)
    items = items_of(chance.randint(3, 14))
    with Server(delay=0.005, batch_seconds=0.1) as server:
        server.plan = faults(chance, chance.choice([0.2, 0.5, 0.8]))
        server.item_plan = lambda key, params: chance.choice(ITEM) if chance.random() < 0.3 else None
        server.late = random.Random(f"late {seed}").choice([0, 0, 0.15, 0.4])   # a batch may be listed, and ended, before its creation is answered
        server.lines_plan = lambda lines: chance.sample(lines, len(lines)) + lines[:chance.randint(0, 2)]
        cap = Decimal(chance.choice(["0.3", "3", "300"]))

        shared, errors = Ledger(tmp_path / "l", cap), []

        def one(first, last, mode):
            ledger = shared if chance.random() < 0.5 else Ledger(tmp_path / "l", cap)
            judge = judge_of(server, ledger, workers=chance.randint(1, 8), retries=chance.randint(0, 2), timeout=2, fast=True,
                             fallbacks=chance.choice([(), ("claude-sonnet-5-5",)]))
            try: judge.fix_many(items[first:last], mode=mode)
            except Exception as e: errors.append(e)
        for _ in range(3):
            cuts = [sorted(chance.sample(range(len(items) + 1), 2)) for _ in range(3)]
            threads = [threading.Thread(target=one, args=(*cut, chance.choice(["sync", "batch"]))) for cut in cuts]
            for t in threads: t.start()
            for t in threads: t.join(60)
            assert not any(t.is_alive() for t in threads) and errors == []
            money = Ledger(tmp_path / "l", cap).totals()
            assert money["spent"] + money["reserved"] <= cap and money["n_in_flight"] == 0
        check(server, tmp_path, items)
        server.plan, server.item_plan, server.lines_plan = (lambda e: None), (lambda key, params: None), (lambda lines: lines)
        judge = judge_of(server, Ledger(tmp_path / "l"), fast=True)
        assert [v.fixed for v in judge.fix_many(items, mode=chance.choice(["sync", "batch"]))] == [i[1] for i in items]
        n = len(server.journal)
        assert all(v.ok for v in judge.fix_many(items)) and len(server.journal) == n
        check(server, tmp_path, items)


def check(server, tmp_path, items):
    "The journal against the ledger: requests, batches, money, and no draft that was answered was asked again."
    ledger = Ledger(tmp_path / "l")
    journal_is_ledger(server, ledger)
    table = ledger.table()
    known = set(ledger.service_ids())
    assert known <= set(server.batches)
    lost = table[(table["mode"] == "batch") & table["service_id"].isin(["", None])]["state"]
    assert set(lost) <= {"refused", "unknown"}
    if not (lost == "unknown").any(): assert known == set(server.batches)
    seen = Counter()
    for e in server.sends():
        if e["done"] and e["status"] == 200 and e["usage"] and e["fault"] in (None, "fallback"): seen[texts_of(e["body"])["draft"]] += 1
    booked = Decimal(0)
    for name in known:
        for request, line in zip(server.batches[name]["requests"], server.run(name), strict=True):
            result = json.loads(line)["result"]
            if result["type"] != "succeeded": continue
            booked += usage_cost(result["message"]["usage"], "claude-opus-5-5", batch=True, declined=not result["message"]["content"])
            text = "".join(b.get("text", "") for b in result["message"]["content"])
            if result["message"]["stop_reason"] == "end_turn" and text.startswith("{"): seen[texts_of(request["params"])["draft"]] += 1
    assert max(seen.values(), default=0) <= 1
    batch = table[(table["mode"] == "batch") & (table["state"] == "answered")]
    if not len(ledger.open_batches()): assert sum(batch["usd"], Decimal(0)) == booked
