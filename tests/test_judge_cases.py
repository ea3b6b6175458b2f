"""Reported faults of other tools in judging and in paid calls: each with its own input, and with unseen inputs of the same kind."""
import json
import re
from decimal import Decimal

import pytest
from anthropic_server import Server, texts_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_claude import items_of, judge_of

from amend_nb import (
    BatchResults,
    CapReached,
    Journal,
    JudgeSettings,
    Ledger,
    ModelAnswer,
    Verdict,
    add_scores,
    build_prompt,
    call_key,
    estimate_cost,
    exact_usd,
    item_outcome,
    read_answer,
    read_results,
    status_outcome,
    summary_table,
    usage_cost,
    verdict_of_answer,
)

SETTINGS = JudgeSettings("claude-opus-5-5", "max", 64000)


@pytest.fixture(scope="module")
def case(shared):
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    cases = {c["id"]: c for c in map(json.loads, filter(None, lines))}
    return lambda name: cases[name]["input"]


def read(text, stop="end_turn"):
    return verdict_of_answer(ModelAnswer(True, text, stop, "m", "m"))


def test_every_case_of_judging_and_of_the_ledger_is_looked_at(shared):
    "Here, or, for the drafts, in the tests of the embedded judge."
    lines = (shared / "cases/public_reports.jsonl").read_text(encoding="utf-8").split("\n")
    names = {c["id"] for c in map(json.loads, filter(None, lines)) if c["area"] in ("judge", "ledger")}
    here = set(re.findall(r'case\("(\w+)"\)', open(__file__, encoding="utf-8").read()))
    rules = set(re.findall(r'"(D\d\d)"', open(__file__.replace("judge_cases", "rules"), encoding="utf-8").read()))
    assert names - here - rules == {"J16"}   # pairs in one prompt: this judge sees one draft at a time, so order cannot matter


def test_an_answer_is_read_as_it_is_first(case):
    for text in (json.loads(case("J02")["reply"])["reason"], "```json\n{\"fixed\": 1}\n```", "{x: 1} and ```text hi ```", "}{", "\\\"",
                 "{\"fixed\": \"a\"}"):
        assert read(json.dumps({"fixed": text})) == ("judged", text, "")


def test_nothing_is_picked_out_of_prose(case):
    for text in [*case("J04")["replies"], *(r for r in case("J18")["replies"]), "The corrected draft: {\"fixed\": \"a\"}", "{\"fixed\": \"a\"} done",
                 "\u200b{\"fixed\": \"a\"}", "{\"fixed\": \"a\"}\n{\"fixed\": \"b\"}", "fixed: a", "{'fixed': 'a'}", "{\"fixed\": \"a\",}"]:
        assert read(text)[:2] == ("unparsed", None)


def test_failed_drafts_are_in_no_mean_and_are_counted(case):
    import pandas as pd
    for scores in (case("J05")["arm_A"], case("J06")["scores"]):
        df = pd.DataFrame({"a": ["x" * 10] * len(scores)})
        made = add_scores(df, "a", ["x" * 10 if s is not None else None for s in scores])
        row = summary_table(made, ["a"]).iloc[0]
        done = sum(s is not None for s in scores)
        assert (row["rows"], row["failed"], row["AMEND@0"], row["chars"]) == (done, len(scores) - done, 1.0, 10 * done)
        assert made["a_amend"].isna().sum() == len(scores) - done
    arms = case("J05")
    df = pd.DataFrame({"A": ["x" * 10] * 4, "B": ["x" * 10] * 4})
    made = add_scores(add_scores(df, "A", [None if s is None else "x" * 10 for s in arms["arm_A"]]), "B", ["x" * 10] * 4)
    assert summary_table(made, ["A", "B"], common=True)["rows"].tolist() == [3, 3]


def test_a_cut_answer_is_truncated_even_where_it_could_be_read(case):
    response = case("J09")["response"]
    for text in (response["text"], '{"fixed": "whole"}'):
        assert read(text, response["stop_reason"])[:2] == ("truncated", None)


def test_names_in_a_batch_are_valid_different_and_lead_back(case):
    rows = [*case("J11")["row_ids"], "", "é", "e\u0301", "a" * 10_000, "a" * 9_999, "0", "00", "-", "_", " ", "\u2028"]
    calls = {call_key(build_prompt("Intended.", row, ""), SETTINGS, r): (row, r) for row in rows for r in (0, 1, 100)}
    assert len(calls) == 3 * len(rows) and all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", key) for key in calls)


def test_lines_end_where_lines_end(case):
    records = [json.loads(line) for line in case("J15")["ndjson"].split("\n") if line]
    texts = [r["text"] for r in records] + ["a\u2028b", "\u2029", "\x85", "\x0b\x0c\x1c\x1d\x1e"]
    lines = [json.dumps({"custom_id": f"k{n}", "result": {"type": "succeeded", "text": t}}, ensure_ascii=False) for n, t in enumerate(texts)]
    for end in ("\n", "\r\n"):
        found = read_results(BatchResults(frozenset(f"k{n}" for n in range(len(texts)))), (end.join(lines) + end).encode())
        assert [found.lines[f"k{n}"][3]["text"] for n in range(len(texts))] == texts and not found.broken and not found.foreign


@pytest.mark.http
def test_orders_in_a_draft_stay_in_it_count_as_text_and_are_flagged(case, tmp_path):
    given = case("J17")
    with Server(judge=lambda body: texts_of(body)["intended"]) as server:
        verdict = judge_of(server, tmp_path / "l").fix_many([(given["draft"], given["intended"], "")])[0]
        assert verdict.fixed == given["intended"] and "instruction-like text" in verdict.flags
        assert texts_of(server.sends()[0]["body"])["draft"] == given["draft"]
        server.judge = lambda body: texts_of(body)["draft"]
        obeyed = judge_of(server, tmp_path / "m").fix_many([(given["draft"], given["intended"], "")])[0]
        assert {"left unchanged", "instruction-like text"} <= set(obeyed.flags)


def test_no_credit_is_no_answer_in_any_wording(case):
    said = case("J19")["result"]
    for error in (said["error"], {"type": "error", "error": {"type": "invalid_request_error", "message": said["error"]}},
                  {"type": "billing_error", "message": ""}, {"type": "invalid_request_error", "message": "You have reached your spending limit."}):
        state, answer, failure, fixed = item_outcome({"type": "errored", "error": error})
        assert (state, answer, fixed) == ("refused", None, None) and failure.name == "billing" and failure.stop
    error = {"type": "rate_limit_error", "message": "", "details": {"error_code": "enforced_spend_limit_reached"}}
    assert status_outcome(429, json.dumps({"type": "error", "error": error}).encode()).stop and not status_outcome(429, b"{}").stop


def test_a_batch_costs_half_of_every_category(case):
    given = case("L02")
    prices = {"m": {{"cache_write_5m": "cache_write_5m"}.get(k, k): str(v) for k, v in given["price_per_million"].items()}}
    assert usage_cost(given["usage"], "m", batch=given["batch"], prices=prices) == Decimal("0.0054375")


def test_a_crash_in_a_record_costs_that_record_alone(case, tmp_path):
    given = case("L05")
    path = tmp_path / "x.jsonl"
    path.write_bytes(given["file"].encode())
    log = Journal(path)
    log.append(given["then_append"])
    assert [r["id"] for r in Journal(path).records()] == [1, 3] and sum(r["tokens"] for r in log.records()) == 17
    assert [n for n, _ in Journal(path).damaged] == [2]


def test_money_is_exact(case):
    n = int(re.search(r"added (\d+) times", case("L06")["amounts"])[1])
    assert sum(exact_usd(0.0001) for _ in range(n)) == 1 and exact_usd(584.93) * 100 == 58493


def test_a_cap_of_nought_is_a_cap(case, tmp_path):
    given = case("L07")
    with pytest.raises(CapReached): Ledger(tmp_path / "l", given["cap_usd"]).reserve("k", given["call_cost_estimate"])
    assert Ledger(tmp_path / "m", None).reserve("k", given["call_cost_estimate"])


def test_what_a_reservation_comes_to(case, tmp_path):
    given, ledger = case("L08"), Ledger(tmp_path / "l", case("L08")["cap"])
    states = {"cancel": ("refused", "cancelled"), "timeout": ("unknown", "unknown"), "error 500": ("refused", "server error")}
    steps = [s for s in given["steps"] for s in s.split(" -> ")]
    attempt = None
    for n, step in enumerate(steps):
        if step.startswith("reserve"): attempt = ledger.reserve(f"k{n}", step.split()[1])
        elif step in states: ledger.settle(attempt, *states[step])
        else: ledger.settle(attempt, "answered", "judged", usd=step.split()[0])
    totals = ledger.totals()
    assert (totals["spent"], totals["reserved"], totals["available"]) == (Decimal("0.4"), 6, Decimal("18.6"))
    assert ledger.clear(ledger.table().query("state == 'unknown'")["key"].iloc[0], "not on the bill") == 1
    assert ledger.totals()["available"] == Decimal("24.6")


# ---- bytes of an answer


def stream(*events): return b"".join(f"event: {n}\ndata: {json.dumps({'type': n, **e})}\n\n".encode() for n, e in events)


def whole(text, pieces=1, closing=None, block=None):
    cut = [text[k * len(text) // pieces:(k + 1) * len(text) // pieces] for k in range(pieces)]
    start = {"model": "m", "content": [], "stop_reason": None, "usage": {"input_tokens": 7, "output_tokens": 1}}
    return stream(("message_start", {"message": start}),
                  ("content_block_start", {"index": 0, "content_block": block or {"type": "text", "text": ""}}),
                  *(("content_block_delta", {"index": 0, "delta": {"type": "text_delta", "text": c}}) for c in cut),
                  ("message_delta", {"delta": {"stop_reason": "end_turn"}, "usage": closing or {"output_tokens": 9}}), ("message_stop", {}))


WORDS = ["thinking_delta", '"type": "thinking_delta"', "data: {", "\n\nevent: error\n", "\u2028", "é", "message_stop", "\\", '"', "{", "x"]


@settings(max_examples=500, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=8).map("".join), st.integers(1, 5))
def test_a_streamed_text_is_what_was_written(text, pieces):
    answer = read_answer(whole(text, pieces))
    assert answer.complete and answer.text == text and answer.usage == {"input_tokens": 7, "output_tokens": 9}


def test_a_null_in_the_closing_usage_is_no_nought():
    answer = read_answer(whole("x", closing={"input_tokens": None, "output_tokens": 9, "cache_read_input_tokens": None}))
    assert answer.usage == {"input_tokens": 7, "output_tokens": 9}
    assert read_answer(whole("x", block={"type": "text"})).text == "x"


@settings(max_examples=500, deadline=None)
@given(st.data())
def test_no_part_of_a_stream_is_taken_for_the_whole(data):
    body = whole('{"fixed": "a whole answer"}', 4)
    cut = data.draw(st.integers(0, body.index(b"event: message_stop") + 20))
    outcome, fixed, note = verdict_of_answer(read_answer(body[:cut]))
    assert outcome in ("unknown", "unparsed") and fixed is None and note


# ---- the estimate


@settings(max_examples=500, deadline=None)
@given(cap=st.decimals("0.01", "40", places=3), n=st.integers(1, 6), long=st.booleans(), max_tokens=st.integers(1, 64000),
       model=st.sampled_from(["claude-opus-5-5", "claude-haiku-5-5"]), fallbacks=st.sampled_from([(), ("claude-sonnet-5-5",)]))
def test_the_largest_max_tokens_that_fits_is_the_largest(tmp_path_factory, cap, n, long, max_tokens, model, fallbacks):
    ledger = Ledger(_once(tmp_path_factory), cap)
    items = [(f"draft {k} " + "x" * (98_000 * (k % 2) if long else 0), "Intended.", "") for k in range(n)]
    def made(tokens): return estimate_cost(items, JudgeSettings(model, None, tokens), ledger, fallbacks=fallbacks)
    found = made(max_tokens)
    for mode in ("sync", "batch"):
        assert found.fits[mode] == n or found.most[mode] > cap
        fit = found.max_tokens_that_fits[mode]
        if found.fits[mode] == n: assert fit is None and found.most[mode] <= cap
        elif fit is None: assert made(1).most[mode] > cap
        else: assert made(fit).most[mode] <= cap < made(fit + 1).most[mode]


_FOLDER = []


def _once(factory):
    if not _FOLDER: _FOLDER.append(factory.mktemp("estimate") / "none")
    return _FOLDER[0]


@pytest.mark.http
def test_an_estimate_says_that_other_max_tokens_are_another_question(tmp_path):
    with Server() as server:
        judge = judge_of(server, tmp_path / "l", "1.00", max_tokens=8000, fallbacks=())
        judge.fix_many(items_of(2))
        text = str(judge.estimate(items_of(10)))
    assert "2 in the ledger already" in text and "fit into" in text and "the 2 that are paid would be asked again" in text


def test_a_verdict_without_a_text_is_no_verdict():
    for outcome in ("judged", "identical"):
        with pytest.raises(ValueError): Verdict(None, outcome)
