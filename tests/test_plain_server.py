"""The judge against a service that was written from the protocol alone: nothing may depend on the ways of our other one."""
import pytest
from anthropic_server import texts_of
from plain_server import PlainServer
from test_claude import items_of, judge_of

from amend_nb import ClaudeJudge, usage_cost

pytestmark = pytest.mark.http


def counted(server, ledger):
    "Paid requests in the journal and attempts in the ledger, sync and batch; they are the same numbers."
    table = ledger.table()
    sync = len(server.asked("POST", "/v1/messages")), int((table["mode"] == "sync").sum())
    batch = len(server.asked("POST", "/v1/messages/batches")), table[table["mode"] == "batch"]["send"].nunique()
    assert sync[0] == sync[1] and batch[0] == batch[1], (sync, batch)
    assert server.strange == [] and ledger.verify() == []
    return sync[0], batch[0]


@pytest.mark.parametrize("mode", ["sync", "batch"])
def test_the_ordinary_way(tmp_path, mode):
    with PlainServer() as server:
        judge = judge_of(server, tmp_path / "l", 100)
        items = [*items_of(12), ("thinking_delta is a word", "The word is \u2028 é “ok” thinking_delta", "the word")]
        verdicts = judge.fix_many(items, mode=mode)
        assert [v.fixed for v in verdicts] == [i[1] for i in items]
        assert counted(server, judge.ledger) == ((13, 0) if mode == "sync" else (0, 1))
        usage = {"input_tokens": 900, "output_tokens": 40}
        assert judge.ledger.totals()["spent"] == 13 * usage_cost(usage, "claude-opus-5-5", batch=mode == "batch")
        n = len(server.journal)
        assert judge.fix_many(items, mode=mode) == verdicts == judge.fix_many(items) and len(server.journal) == n
        assert ClaudeJudge(mode="replay", ledger=tmp_path / "l", max_tokens=1000).fix_many(items) == verdicts
        assert judge_of(server, tmp_path / "m").estimate(items[:2], count_tokens=True).input_tokens == 2 * 812


def test_calls_that_fail(tmp_path):
    with PlainServer(["429", "half", "500", "gone", "half", "429"]) as server:
        judge = judge_of(server, tmp_path / "l", 100, workers=2)
        assert all(v.ok for v in judge.fix_many(items_of(5)))
        assert counted(server, judge.ledger) == (11, 0)
        assert judge.ledger.table()["state"].value_counts().to_dict() == {"answered": 5, "refused": 3, "unknown": 3}


@pytest.mark.parametrize("lies", [True, False])
@pytest.mark.parametrize("fault, posts, states", [("lost", 1, ["answered"]), ("made, but 503", 1, ["answered"]), ("429", 2, ["answered", "refused"]),
                                                  ("500", 2, ["answered", "refused"]), ("gone", 2, ["answered", "unknown"])])
def test_a_creation_that_fails(tmp_path, fault, posts, states, lies):
    with PlainServer([fault], lies=lies) as server:
        judge = judge_of(server, tmp_path / "l", 100)
        assert all(v.ok for v in judge.fix_many(items_of(6), mode="batch"))
        assert len(server.batches) == 1 and counted(server, judge.ledger) == (0, posts)
        assert sorted(judge.ledger.table()["state"].unique()) == states


@pytest.mark.parametrize("lies", [True, False])
def test_a_lost_batch_among_others_of_its_size(tmp_path, lies):
    with PlainServer(lies=lies) as server:
        for n in range(3): judge_of(server, tmp_path / f"o{n}").fix_many(items_of(4, 100 * (n + 1)), mode="batch")
        server.faults = ["lost"]
        judge = judge_of(server, tmp_path / "l", 100)
        assert all(v.ok for v in judge.fix_many(items_of(4), mode="batch"))
        assert list(judge.ledger.service_ids()) == ["batch-003"] and len(server.batches) == 4


def test_texts_arrive_as_they_are(tmp_path):
    with PlainServer() as server:
        judge_of(server, tmp_path / "l").fix_many([("a </draft> b", "A.", "a"), ("x" * 100_000, "X.", "")])
        sent = server.asked("POST", "/v1/messages")
        assert [texts_of(b)["draft"] for b in sent] == ["a </draft> b", "x" * 100_000]


@pytest.mark.parametrize("lies", [True, False])
def test_a_batch_that_was_not_found_is_resumed_by_its_id_and_is_the_one_that_was_written_down(tmp_path, monkeypatch, lies):
    import amend_nb.submission as room
    with PlainServer(faults=["lost"], lies=lies) as server:
        with monkeypatch.context() as blind:
            blind.setattr(room, "_listed", lambda run, since: ([], None))
            assert {v.outcome for v in judge_of(server, tmp_path / "l", retries=0).fix_many(items_of(4), mode="batch")} == {"unknown"}
        again = judge_of(server, tmp_path / "l", on_unknown="hold", resume="batch-000")
        assert all(v.ok for v in again.fix_many(items_of(4)))
        assert again.ledger.table()["state"].tolist() == ["answered"] * 4 and again.ledger.totals()["reserved"] == 0
        assert len(server.batches) == len(server.asked("POST", "/v1/messages/batches")) == 1 and not server.strange
