"""What never reached the service, what the service shows late or not at all, what a gateway answers oddly, and what is said about it."""
import json
import re
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import anthropic
import pytest
from anthropic_server import Refused, Server
from test_claude import KEY, items_of, journal_is_ledger, judge_of
from test_claude_batches import lose, one_batch
from test_claude_hard import all_right, interrupted

import amend_nb.submission as submission
from amend_nb import ClaudeJudge, Ledger, NotConfirmed, usage_cost
from amend_nb.answers import OUTCOMES
from amend_nb.cli import main
from amend_nb.terminal import _worded

pytestmark = pytest.mark.http
NONE = b'{"data": [], "has_more": false}'


@pytest.fixture
def server():
    with Server() as s: yield s


def outcomes(verdicts): return [v.outcome for v in verdicts]


def beside(server, days=60, archived=False, size=3, answer=404, name="msgbatch_old"):
    "Another batch of the same size stands in the list; its results are answered with a status, or with these bytes. Returns the reads of it."
    made, real, reads = (datetime.now(UTC) - timedelta(days=days)).isoformat(), server.listed, []
    old = {"id": name, "processing_status": "ended", "request_counts": {"succeeded": size}, "created_at": made, "ended_at": made,
           "archived_at": made if archived else None, "results_url": None if archived else server.url + f"/v1/messages/batches/{name}/results"}

    def listed(target):
        page = json.loads(real(target))
        if "after_id" not in target: page["data"].insert(0 if days < 0 else len(page["data"]), old)
        return json.dumps(page).encode()
    route = server.route

    async def answered(method, target, headers, body, entry, fault, writer):
        if name not in target: return await route(method, target, headers, body, entry, fault, writer)
        reads.append(target)
        if answer == "reset": server.reset(writer)
        if isinstance(answer, bytes): return await server.send(writer, entry, answer)
        raise Refused(answer, "planned")
    server.listed, server.route = listed, answered
    return reads


# ---- a candidate that cannot be read


@pytest.mark.parametrize("made", [True, False])
@pytest.mark.parametrize("archived, answer", [(True, 404), (False, 404), (False, 403), (False, 500), (False, "reset"), (False, b""),
                                              (False, b"<html>")])
def test_an_old_batch_that_cannot_be_read_stands_in_nobodys_way(server, tmp_path, made, archived, answer):
    reads = beside(server, 60, archived, answer=answer)
    first = "lost" if made else "reset_before"
    server.plan = lambda e: first if e["method"] == "POST" and not any(x["method"] == "POST" for x in server.journal[:e["n"]]) else None
    judge = judge_of(server, tmp_path / "l", 10, retries=1)
    all_right(judge, items_of(3), mode="batch")
    assert len(server.batches) == 1 and len(server.sends()) == 0 and len(reads) <= (0 if archived else 8)
    journal_is_ledger(server, judge.ledger)
    n = len(server.journal)
    all_right(judge, items_of(3), mode="sync")
    assert len(server.journal) == n


@pytest.mark.parametrize("answer", [404, 403, 410])
def test_a_new_batch_whose_results_are_refused_each_time_blocks_one_run_at_most(server, tmp_path, answer):
    reads = beside(server, -0.01, answer=answer)
    server.plan = lambda e: "reset_before" if e["method"] == "POST" and "batches" in e["path"] and not server.batches and len(reads) == 0 else None
    judge = judge_of(server, tmp_path / "l", 10, retries=1, poll_seconds=0.02)
    all_right(judge, items_of(3), mode="batch")
    assert sum("does not give its results" in line for line in judge.said) >= 1 and len(server.batches) == 1
    journal_is_ledger(server, judge.ledger)


@pytest.mark.parametrize("over", [True, False])
def test_a_new_batch_that_fails_otherwise_is_asked_for_again_until_its_life_is_over(server, tmp_path, monkeypatch, over):
    monkeypatch.setattr(submission, "_MISSES", 2)
    beside(server, -0.01, answer=500)
    server.plan = lambda e: "reset_before" if e["method"] == "POST" else None
    judge = judge_of(server, tmp_path / "l", 10, retries=0, poll_seconds=0.02)
    assert outcomes(judge.fix_many(items_of(3), mode="batch")) == ["incomplete"] * 3
    server.plan = lambda e: None
    if over: monkeypatch.setattr(submission, "_OVER", timedelta(0))
    verdicts = judge_of(server, tmp_path / "l", 10, poll_seconds=0.02).fix_many(items_of(3), mode="batch")
    assert outcomes(verdicts) == ["judged" if over else "incomplete"] * 3 and len(server.batches) == over
    journal_is_ledger(server, judge.ledger)


def test_a_lost_batch_that_was_archived_since_is_asked_again(server, tmp_path):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), n=3, gone=False)
    real = server.view
    server.view = lambda name: {**real(name), "archived_at": "2026-01-01T00:00:00Z"} if name == "msgbatch_000000" else real(name)
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3), mode="batch")
    assert len(server.batches) == 2 and judge.ledger.totals()["n_unknown"] == 3


# ---- listed late


@pytest.mark.parametrize("mode", ["batch", "sync"])
@pytest.mark.parametrize("hold", ["resend", "hold"])
@pytest.mark.parametrize("some", [5, 2])
def test_a_batch_that_is_listed_late_is_adopted_before_anything_is_sent_again_or_held(server, tmp_path, mode, hold, some):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10))
    again = judge_of(server, tmp_path / "l", 10, on_unknown=hold, confirm=lambda text: pytest.fail("asked"))
    all_right(again, items_of(some), mode=mode)
    one_batch(server, again.ledger)
    n = len(server.journal)
    all_right(again, items_of(5), mode=mode)
    assert len(server.journal) == n


def test_a_batch_that_is_listed_late_is_adopted_within_the_run(server, tmp_path):
    real, hidden = server.listed, [4]

    def listed(target):
        hidden[0] -= 1
        return NONE if hidden[0] >= 0 else real(target)
    server.listed = listed
    server.plan = lambda e: "lost" if e["method"] == "POST" and not server.batches else "500" if e["method"] == "POST" else None
    judge = judge_of(server, tmp_path / "l", 10, retries=3)
    all_right(judge, items_of(5), mode="batch")
    assert len(server.batches) == 1 and sum(e["method"] == "POST" for e in server.journal) >= 2
    journal_is_ledger(server, judge.ledger)


def test_a_run_that_ends_while_it_waits_for_a_batch_listed_late_has_it_at_the_service(server, tmp_path):
    server.batch_seconds = 1.5
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), n=3)
    worst = judge.ledger.totals()["reserved"]
    interrupted(lambda: judge_of(server, tmp_path / "l", 10).fix_many(items_of(3), mode="batch"), 0.3)
    time.sleep(1.5)
    money = Ledger(tmp_path / "l").totals()
    assert (money["n_at_the_service"], money["n_unknown"], money["reserved"], money["at_the_service"]) in (
        (3, 0, worst, worst), (0, 3, worst, 0))      # adopted by then, or not yet
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3))
    one_batch(server, judge.ledger, 3)
    assert Ledger(tmp_path / "l").verify() == []


def test_what_the_list_never_shows_is_sent_again_or_held_after_one_look(server, tmp_path):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), n=3)
    server.listed, n = lambda target: NONE, len(server.journal)
    held = judge_of(server, tmp_path / "l", 10, on_unknown="hold").fix_many(items_of(3), mode="batch")
    assert outcomes(held) == ["held"] * 3 and [(e["method"], e["path"]) for e in server.journal[n:]] == [("GET", "/v1/messages/batches")]
    assert all("--resume" in v.note and "resume=" in v.note for v in held)
    keyless = ClaudeJudge(ledger=Ledger(tmp_path / "l", 10), max_tokens=1000, on_unknown="hold", say=lambda text: None)
    assert outcomes(keyless.fix_many(items_of(3))) == ["held"] * 3
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3), mode="batch")
    assert len(server.batches) == 2


def test_while_the_list_cannot_be_had_nothing_is_sent_again(server, tmp_path):
    judge, _ = lose(server, Ledger(tmp_path / "l", 10), n=3)
    real, server.listed = server.listed, lambda target: b"<html>"
    for mode in ("batch", "sync"):
        verdicts = judge_of(server, tmp_path / "l", 10).fix_many(items_of(3), mode=mode)
        assert outcomes(verdicts) == ["incomplete"] * 3 and len(server.batches) == 1 and not server.sends()
    server.listed = real
    all_right(judge, items_of(3))
    one_batch(server, judge.ledger, 3)


# ---- never connected, never sent


def reaching(url, ledger, key=KEY, **options):
    said = []
    judge = ClaudeJudge(client=anthropic.Anthropic(api_key=key, base_url=url, timeout=2, **options.pop("client", {})), ledger=Ledger(ledger, 100),
                        **{"max_tokens": 1000, "retries": 3, "say": said.append, **options})
    judge.said = said
    return judge


def test_a_batch_that_never_connected_is_unreachable_at_once_and_never_looked_for(server, tmp_path):
    judge, start = reaching("http://127.0.0.1:1", tmp_path / "l"), time.monotonic()      # polls every 30 s
    verdicts = judge.fix_many(items_of(3), mode="batch")
    assert time.monotonic() - start < 10 and outcomes(verdicts) == ["unreachable"] * 3
    assert "ConnectError" in verdicts[0].note and verdicts[0].note.count("run again") == 1
    assert any(line.startswith("stopped: unreachable") for line in judge.said) and not any("looking for it" in line for line in judge.said)
    assert judge.ledger.totals()["n_unknown"] == len(judge.ledger.table()) == 3       # as for a single call that could not connect
    again = judge_of(server, tmp_path / "l", 100)
    all_right(again, items_of(3), mode="batch")
    assert [e["method"] for e in server.journal][0] == "POST" and len(server.batches) == 1


def test_a_lost_batch_is_not_looked_for_long_where_nothing_can_be_reached(server, tmp_path):
    lose(server, Ledger(tmp_path / "l", 100), n=3, gone=False)
    lose(server, Ledger(tmp_path / "m", 100), n=3)
    for folder in ("l", "m"):
        judge, start = reaching("http://127.0.0.1:1", tmp_path / folder, poll_seconds=0.5), time.monotonic()
        verdicts = judge.fix_many(items_of(3), mode="batch")
        assert time.monotonic() - start < 10 and outcomes(verdicts) == ["incomplete"] * 3 and verdicts[0].note.count("run again") == 1
        assert "ConnectError" in verdicts[0].note
        all_right(judge_of(server, tmp_path / folder, 100), items_of(3), mode="batch")
    assert len(server.batches) == 2


BAD = {"line break": (dict(key=KEY + "\n"), "the API key"), "blank": (dict(key=KEY + "\r"), "the API key"),
       "null": (dict(key="sk-\x00" + KEY), "the API key"),
       "ftp": (dict(url="ftp://127.0.0.1"), "base_url"), "no scheme": (dict(url="127.0.0.1:8000"), "base_url"),
       "nothing": (dict(url="/v1"), "base_url"),
       "long": (dict(url="http://" + "a" * 300 + ".example"), "base_url"),
       "header": (dict(client={"default_headers": {"x-team": "one\ntwo-secret-word-77"}}), "x-team")}


@pytest.mark.parametrize("mode", ["sync", "batch"])
@pytest.mark.parametrize("how", BAD)
def test_what_never_left_costs_nothing_stops_the_run_and_is_named(server, tmp_path, how, mode):
    options, names = BAD[how]
    options = dict(options)
    judge, start = reaching(options.pop("url", server.url), tmp_path / "l", **options), time.monotonic()
    verdicts = judge.fix_many(items_of(12), mode=mode)
    assert set(outcomes(verdicts)) <= {"not sent", "cancelled"} and "not sent" in outcomes(verdicts) and time.monotonic() - start < 10
    table, money = judge.ledger.table(), judge.ledger.totals()
    assert len(table) <= 12 and set(table["state"]) == {"refused"} and (money["reserved"], money["spent"], money["n_unknown"]) == (0, 0, 0)
    assert server.journal == [] and any(line.startswith("stopped: not sent") and names in line for line in judge.said)
    assert all(names in v.note for v in verdicts if v.outcome == "not sent")
    kept = "\n".join(p.read_text() for p in (tmp_path / "l").rglob("*") if p.is_file()) + "\n".join(judge.said) + str(verdicts)
    assert KEY not in kept and "secret-word" not in kept
    all_right(judge_of(server, tmp_path / "l", 100), items_of(12), mode=mode)
    assert judge.ledger.totals()["reserved"] == 0


def test_an_open_batch_is_left_alone_where_the_key_cannot_be_sent(server, tmp_path):
    server.batch_seconds = 1.0
    interrupted(lambda: judge_of(server, tmp_path / "l", 10).fix_many(items_of(3), mode="batch"), 0.4)
    for mode in ("batch", "sync"):
        judge, start = reaching(server.url, tmp_path / "l", KEY + "\n"), time.monotonic()
        assert outcomes(judge.fix_many(items_of(3), mode=mode)) == ["incomplete"] * 3 and time.monotonic() - start < 10
        assert any("the API key" in line for line in judge.said) and judge.ledger.totals()["n_at_the_service"] == 3
    other = reaching(server.url, tmp_path / "other", KEY + "\n", resume=["msgbatch_000000"])
    with pytest.raises(ValueError, match="the API key"): other.fix_many(items_of(3))
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3))
    one_batch(server, judge.ledger, 3)


# ---- any 2xx


def with_status(server, status, methods=("POST", "GET")):
    "A gateway changes 200 into another success."
    real, answer = server.send, server.answer

    async def send(writer, entry, data, code=200, **more):
        return await real(writer, entry, data, status if code == 200 and entry["method"] in methods else code, **more)

    class Changed:
        def __init__(self, writer): self.writer = writer
        def __getattr__(self, name): return getattr(self.writer, name)
        def write(self, data): self.writer.write(data.replace(b"HTTP/1.1 200 OK", f"HTTP/1.1 {status} Fine".encode()))

    def answered(method, target, headers, data, writer):
        return answer(method, target, headers, data, Changed(writer) if method in methods else writer)
    server.send, server.answer = send, answered


@pytest.mark.parametrize("status", [201, 202, 203, 226, 299])
@pytest.mark.parametrize("mode", ["sync", "batch"])
def test_any_2xx_is_read_like_200(server, tmp_path, status, mode):
    with_status(server, status)
    judge = judge_of(server, tmp_path / "l", 10)
    all_right(judge, items_of(3), mode=mode)
    journal_is_ledger(server, judge.ledger)
    n = len(server.journal)
    again = ClaudeJudge(ledger=tmp_path / "l", max_tokens=1000, mode="replay").fix_many(items_of(3))
    assert outcomes(again) == ["judged"] * 3 and len(server.journal) == n and judge.ledger.totals()["spent"] > 0
    assert judge.estimate(items_of(4), count_tokens=True).to_send == 1


@pytest.mark.parametrize("status", [200, 201, 204, 206])
@pytest.mark.parametrize("body", [b"", b"<html>", b"{", b'{"ok": true}', b"[]"])
def test_a_2xx_that_cannot_be_read_holds_its_worst_case(server, tmp_path, status, body):
    async def answered(headers, posted, entry, fault, writer): await server.send(writer, entry, b"" if status == 204 else body, status)
    server.message = server.create = answered
    server.listed = lambda target: NONE
    for mode in ("sync", "batch"):
        judge = judge_of(server, tmp_path / mode, 10, retries=0)
        assert set(outcomes(judge.fix_many(items_of(2), mode=mode))) <= {"unknown", "unparsed"}
        table = judge.ledger.table()
        assert list(table["state"]) == ["unknown"] * 2 and judge.ledger.totals()["unknown"] == table["worst_usd"].sum() > 0


# ---- the words of the command line


FILE = "clip,wispr,intended_text,spoken_text\n" \
    "a,the draft has eror,the draft has error,the draft has error um\nb,other bad drft,other bad draft,other bad draft\n"
PYTHON = re.compile(r"\b(mode|judge|client|prices|resume|retries|cap_usd|max_tokens|on_unknown|poll_seconds|ledger|confirm)=|"
                    r"\bcap_usd\b|\bon_unknown\b|"
                    r"\banthropic\.|(?<!stop_reason )(?<!_)\bmax_tokens\b|\bbase_url\b|--mode (replay|live)|default_headers")


def command(tmp_path, capsys, monkeypatch, server, *words, key=KEY):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(FILE)
    if key: monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server if isinstance(server, str) else server.url)
    with pytest.raises(SystemExit) as left: main(["score", "t.csv", "-p", "wispr", "--max-tokens", "1000", "--poll-seconds", "0.05", *words])
    seen = capsys.readouterr()
    assert not PYTHON.search(seen.out + seen.err), seen.out + seen.err
    return left.value.code, seen.out + seen.err


def test_every_outcome_is_told_in_the_words_of_the_command_line():
    for name, text in OUTCOMES.items(): assert not PYTHON.search(_worded(text)), name
    assert PYTHON.search(OUTCOMES["held"]) and PYTHON.search(OUTCOMES["over the cap"])
    assert _worded("stop_reason max_tokens, 3 characters written") == "stop_reason max_tokens, 3 characters written"


@pytest.mark.parametrize("words, key, code, says", [
    (("--judge", "claude"), None, 2, "--judge replay reads"),
    (("--judge", "claude", "--yes", "--cap-usd", "0"), KEY, 3, "raise --cap-usd or lower --max-tokens"),
    (("--judge", "claude", "--estimate", "--cap-usd", "0.2"), KEY, 0, "all of them at --max-tokens"),
    (("--judge", "claude", "--yes", "--model", "claude-x-1"), KEY, 2, "name another with --model"),
    (("--judge", "claude", "--yes", "--mode", "batch", "--ledger", "l"), KEY, 0, "(or with --resume msgbatch_000000)"),
    (("--judge", "claude", "--yes", "--resume", "msgbatch_9"), KEY, 2, "--resume msgbatch_9: the service does not give"),
    (("--judge", "claude", "--yes"), KEY + "\n", 4, "the API key holds a line break")])
def test_what_the_command_says_can_be_typed(server, tmp_path, capsys, monkeypatch, words, key, code, says):
    left, text = command(tmp_path, capsys, monkeypatch, server, *words, key=key)
    assert left == code and says in text


def test_replay_of_another_question_names_the_judge_to_run(server, tmp_path, capsys, monkeypatch):
    assert command(tmp_path, capsys, monkeypatch, server, "--judge", "claude", "--yes", "--ledger", "l")[0] == 0
    code, text = command(tmp_path, capsys, monkeypatch, server, "--judge", "replay", "--ledger", "l", "--effort", "low")
    assert code == 3 and "--judge replay sends nothing: run with --judge claude" in text
    code, text = command(tmp_path, capsys, monkeypatch, "127.0.0.1:80", "--judge", "claude", "--ledger", "l", "--effort", "low", "--yes")
    assert code == 4 and "ANTHROPIC_BASE_URL" in text
    words = ("--judge", "claude", "--ledger", "l", "--mode", "batch", "--effort", "low", "--yes")
    code, text = command(tmp_path, capsys, monkeypatch, "http://127.0.0.1:1", *words)
    assert code == 4 and "check the network and ANTHROPIC_BASE_URL" in text


# ---- at the full price, and only if somebody says so


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_a_batch_is_announced_with_what_its_failures_may_cost(server, tmp_path, retries):
    server.item_plan, asked = lambda custom_id, params: "expired", []
    server.plan = lambda e: "529" if e["path"] == "/v1/messages" else None
    judge = judge_of(server, tmp_path / "l", 10, retries=retries, confirm=lambda text: not asked.append(text))
    judge.fix_many(items_of(3), mode="batch")
    table = judge.ledger.table()
    sync = table[table["mode"] == "sync"]["worst_usd"].sum()
    told = [Decimal(x) for x in re.findall(r"\$([\d.]+)", next((x for x in asked[0].splitlines() if "full price" in x), ""))]
    assert len(asked) == 1 and len(server.sends()) == 3 * retries
    if not retries: assert not told
    else:
        assert len(told) == retries and abs(told[0] - sync / retries) < Decimal("0.0001") and abs(told[-1] - sync) < Decimal("0.0001")


@pytest.mark.parametrize("how", ["no", "nobody"])
@pytest.mark.parametrize("again", ["resume", "open"])
def test_what_was_collected_is_given_though_the_rest_is_not_to_be_sent(server, tmp_path, how, again):
    server.batch_seconds = 0.8 if again == "open" else 0.05
    server.item_plan = lambda custom_id, params: "expired" if "draft number 1" in json.dumps(params) else None
    if again == "open": interrupted(lambda: judge_of(server, tmp_path / "l", 10).fix_many(items_of(3), mode="batch"), 0.4)
    else: judge_of(server, tmp_path / "other", 10, retries=0).fix_many(items_of(3), mode="batch")

    def confirm(text):
        if how == "nobody": raise NotConfirmed("nobody can be asked")
        return False
    judge = judge_of(server, tmp_path / "l", 10, confirm=confirm, resume=["msgbatch_000000"] if again == "resume" else ())
    verdicts = judge.fix_many(items_of(3))
    assert outcomes(verdicts) == ["judged", "expired", "judged"] and not server.sends()
    line = next(x for x in judge.said if "not confirmed" in x)
    assert line.startswith("1 drafts are left") and "--yes" in line and "mode='replay'" in line
    with pytest.raises(NotConfirmed): judge_of(server, tmp_path / "l", 10, confirm=confirm).fix_many(items_of(5))   # asked before anything is there
    assert outcomes(ClaudeJudge(ledger=tmp_path / "l", max_tokens=1000, mode="replay").fix_many(items_of(3))) == ["judged", "not recorded", "judged"]
    server.item_plan = lambda custom_id, params: None
    all_right(judge_of(server, tmp_path / "l", 10), items_of(3))
    assert len(server.sends()) == 1


def test_the_command_gives_what_it_collected_and_leaves_with_3(server, tmp_path, capsys, monkeypatch):
    server.item_plan = lambda custom_id, params: "expired" if "other bad" in json.dumps(params) else None
    assert command(tmp_path, capsys, monkeypatch, server, "--judge", "claude", "--ledger", "a", "--mode", "batch", "--yes", "--retries", "0")[0] == 3
    code, text = command(tmp_path, capsys, monkeypatch, server, "--judge", "claude", "--ledger", "b", "--resume", "msgbatch_000000", "-o", "out.csv")
    assert code == 3 and "1 drafts are left" in text and "--judge replay" in text and "--retries 0" in text and not server.sends()
    assert "the draft has error" in (tmp_path / "out.csv").read_text()
    code, text = command(tmp_path, capsys, monkeypatch, server, "--judge", "claude", "--ledger", "c")
    assert code == 2 and "add --yes" in text and not (tmp_path / "c").exists()


# ---- said no longer than it is so; told soon


def test_what_was_cleared_is_no_longer_said_to_be_held(server, tmp_path):
    server.plan = lambda e: "reset_before" if e["method"] == "POST" else None
    judge = judge_of(server, tmp_path / "l", 10, retries=0)
    keys = [v.key for v in judge.fix_many(items_of(3))]
    server.plan = lambda e: None
    for n, key in enumerate(keys):
        judge.ledger.clear(key, "not on the bill")
        money = judge.ledger.totals()
        assert (money["n_unknown"], money["n_cleared"], money["attempts"]) == (2 - n, n + 1, 3)
    again = judge_of(server, tmp_path / "l", 10)
    all_right(again, items_of(3))
    assert not any("unknown" in line for line in again.said) and any("judged" in line for line in again.said)


@pytest.mark.parametrize("hidden, found", [(0, True), (3, True), (5, True), (10 ** 6, False)])
def test_a_wrong_id_is_told_soon_and_one_that_was_just_made_is_found(server, tmp_path, hidden, found):
    all_right(judge_of(server, tmp_path / "first", 10), items_of(3), mode="batch")
    server.batches["msgbatch_000000"]["hidden"] = hidden
    judge, start = judge_of(server, tmp_path / "l", 10, resume=["msgbatch_000000"], poll_seconds=30), time.monotonic()
    if found: all_right(judge, items_of(3))
    else:
        with pytest.raises(ValueError, match="404"): judge.fix_many(items_of(3))
    assert time.monotonic() - start < 15
    assert sum(usage_cost(json.loads(x)["result"]["message"]["usage"], "claude-opus-5-5", batch=True)
               for x in server.run("msgbatch_000000")) == judge_of(server, tmp_path / "first").ledger.totals()["spent"]
