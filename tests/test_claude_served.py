"""Who served a verdict, what is said and checked before a text leaves, and secrets in every place a client may hold one: over real HTTP."""
import csv
import json
import os
import pickle
import re
import traceback
from pathlib import Path

import pandas as pd
import pytest
from anthropic_server import Refused, Server, texts_of
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from amend_nb import (
    ClaudeJudge,
    HumanJudge,
    Journal,
    Ledger,
    NoPrice,
    NotConfirmed,
    Study,
    Verdict,
    VerdictStore,
    amend_variants,
    answered_by,
    count_fixes,
    gold_agreement,
    judge_agreement,
    judge_noise,
    repeat_noise,
    score_dataframe,
    summary_table,
    verdict_rates,
)
from amend_nb.cli import main
from amend_nb.veil import _Veil

KEY = "sk-ant-test-0123456789"
OPUS, SONNET = "claude-opus-5-5", "claude-sonnet-5-5"


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(monkeypatch, tmp_path): monkeypatch.chdir(tmp_path)


@pytest.fixture
def server():
    with Server() as s: yield s


def judge_of(server, ledger="l", client=None, **options):
    import anthropic
    said = []
    client = client or anthropic.Anthropic(api_key=KEY, base_url=server.url, timeout=5)
    judge = ClaudeJudge(client=client, ledger=ledger, **{"say": said.append, "max_tokens": 1000, "poll_seconds": 0.03, **options})
    judge.said = said
    return judge


def items_of(n): return [(f"draft number {i} was wrong", f"Draft number {i} is right.", f"draft {i}") for i in range(n)]


def falls_back(*numbers, repeats=()):
    "A plan: the fallback answers about these drafts; with `repeats`, only the given ones in the order of asking."
    asked = {}
    def plan(entry):
        if not entry["path"].endswith("/messages"): return None
        n = int(re.search(r"number (\d+)", texts_of(entry["body"])["draft"])[1])
        asked[n] = asked.get(n, -1) + 1
        return "fallback" if n in numbers and (not repeats or asked[n] in repeats) else None
    return plan


def table_of(n): return pd.DataFrame(items_of(n), columns=["p", "intended_text", "spoken_text"])


def written(folder): return "".join(p.read_bytes().decode("latin-1") for p in Path(folder).rglob("*") if p.is_file())


# ---- who served


@pytest.mark.http
def test_a_scored_table_says_who_served(server):
    server.plan = falls_back(1)
    scored = score_dataframe(table_of(4), "p", judge=judge_of(server))
    assert scored["p_served"].tolist() == [OPUS, SONNET, OPUS, OPUS] and scored.attrs["served"] == {"p": {OPUS: 3, SONNET: 1}}
    for table in (summary_table(scored, "p"), amend_variants(scored, "p"), count_fixes(scored, "p")):
        assert table["served"].tolist() == [f"{OPUS}: 3, {SONNET}: 1"]
    server.plan = lambda entry: None
    plain = score_dataframe(table_of(4), "p", judge=judge_of(server, "other"))
    assert "p_served" not in plain and plain.attrs["served"] == {"p": {OPUS: 4}} and "served" not in summary_table(plain, "p")
    assert "served" not in amend_variants(plain, "p") and "served" not in count_fixes(plain, "p")
    with pytest.raises(ValueError, match="p_served"): score_dataframe(table_of(1).assign(p_served="x"), "p", judge="rules")


@pytest.mark.http
@pytest.mark.parametrize("numbers", [(), (1,), (0, 1, 2)])
def test_a_study_its_summary_and_its_report_say_who_served(server, numbers):
    server.plan = falls_back(*numbers)
    study = Study.from_wide(table_of(3), arms=["p"], reference="intended_text", spoken="spoken_text").judge(judge_of(server))
    assert study.verdicts["served"].tolist() == [SONNET if n in numbers else OPUS for n in range(3)]
    told = study.summary().get("served")
    page = study.report("r.html").read_text(encoding="utf-8")
    if not numbers: assert told is None and f"served by {OPUS}: 3" in page
    else:
        assert told.tolist() == [f"{OPUS}: 2, {SONNET}: 1" if len(numbers) == 1 else f"{SONNET}: 3"]
        assert f"{SONNET}: {len(numbers)}" in page and "another judge" in page


@pytest.mark.http
def test_the_command_line_says_who_served_and_splits_the_noise(server, monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    server.plan = falls_back(0, 1, repeats=(0, 1))
    table_of(6).to_csv("d.csv", index=False)
    words = ["score", "d.csv", "-p", "p", "--judge", "claude", "--ledger", "paid", "--max-tokens", "1000", "--repeats", "2", "--workers", "1"]
    with pytest.raises(SystemExit) as e: main([*words, "--yes", "-o", "o.csv", "--report", "o.html", "--json"])
    out, err = capsys.readouterr()
    assert e.value.code == 0, err
    assert f"served by {OPUS}: 4, {SONNET}: 2" in err and json.loads(out)[0]["served"] == f"{OPUS}: 4, {SONNET}: 2"
    assert f"noise of {OPUS} alone over 2 repeats: 100.0% of 4" in err and f"noise of {SONNET} alone over 2 repeats: 100.0% of 2" in err
    with open("o.csv", encoding="utf-8") as f: assert [r["p_served"] for r in csv.DictReader(f)] == [SONNET] * 2 + [OPUS] * 4
    assert f"{SONNET}: 2" in Path("o.html").read_text(encoding="utf-8")


@pytest.mark.http
@pytest.mark.parametrize("repeats", [(0,), (1,), (0, 1)])
def test_noise_never_pools_two_models(server, repeats):
    server.plan = falls_back(2, repeats=repeats)
    judge = judge_of(server, repeats=2, workers=1)
    with pytest.raises(ValueError, match=f"several judges.*{OPUS}.*{SONNET}.*served='{OPUS}'.*fallbacks"): judge_noise(judge, items_of(5), 2)
    sends = len(server.sends())
    noise = judge_noise(judge, items_of(5), 2, served=OPUS)
    assert (noise.drafts, noise.failed) == (4, 1) and set(noise.table["served"]) == {OPUS, SONNET} and len(server.sends()) == sends
    assert judge_noise(judge, items_of(5), 2, served=SONNET).drafts == (len(repeats) == 2)
    with pytest.raises(ValueError, match="served='claude-haiku'"): judge_noise(judge, items_of(5), 2, served="claude-haiku")


@pytest.mark.http
def test_a_table_of_scores_with_repeats_of_two_models_is_refused(server):
    server.plan = falls_back(1, repeats=(1,))
    study = Study.from_wide(table_of(3), arms=["p"], reference="intended_text", spoken="spoken_text")
    runs = judge_of(server, repeats=2, workers=1).fix_repeats(items_of(3))
    rows = [dict(clip=c, arm="p", judge=v.judge, repeat=v.repeat, fixed=v.fixed, outcome=v.outcome, flags=v.flags, key=v.key, served=v.served_model)
            for c, vs in zip(study.clips["clip"], runs, strict=True) for v in vs]
    mixed = study.with_verdicts(pd.DataFrame(rows))
    for scores in (mixed, mixed.scores("amend"), mixed.scores(["amend", "amend_blocks"])):
        with pytest.raises(ValueError, match=f"several models answered.*served by {SONNET}"): repeat_noise(scores)
    pure = mixed.with_verdicts(mixed.verdicts[mixed.verdicts["served"] == OPUS])
    assert repeat_noise(pure, "amend").get().clips == 2
    scores = mixed.scores("amend")
    assert repeat_noise(scores[scores["note"] == ""]).get().clips == 2
    with pytest.raises(ValueError, match="several judges or repeats"): verdict_rates(mixed)


@pytest.mark.http
def test_agreement_and_gold_name_one_model(server):
    server.plan = falls_back(1)
    judge, right = judge_of(server), [Verdict(i[1], judge="gold") for i in items_of(4)]
    with pytest.raises(ValueError, match=f"several judges.*first_served='{OPUS}'"): judge_agreement(items_of(4), judge, right)
    with pytest.raises(ValueError, match=f"second_served='{OPUS}'"): judge_agreement(items_of(4), right, judge.fix_many(items_of(4)))
    found = judge_agreement(items_of(4), judge, right, first_served=OPUS, resamples=20)
    assert (found.compared, found.failed, found.judges) == (3, 1, ({OPUS: 3}, {"gold": 3}))
    server.plan = lambda entry: "fallback" if entry["n"] % 7 == 3 else None
    golden = judge_of(server, "g")
    with pytest.raises(ValueError, match=f"several judges.*served='{OPUS}'"): gold_agreement(golden, "es")
    counts = answered_by(golden.fix_many([g.item for g in _gold("es")]))
    for model, n in counts.items(): assert gold_agreement(golden, "es", served=model).iloc[-1]["judged"] == n


def _gold(lang):
    from amend_nb import load_gold, normalize
    return [g for g in load_gold(lang) if normalize(g.draft) != normalize(g.intended)]


def test_lists_of_several_judges_are_refused_and_people_together_are_told(tmp_path):
    items = items_of(3)
    mixed = [Verdict(i[1], judge=name) for i, name in zip(items, ("a", "b", "a"), strict=True)]
    right = [Verdict(i[1], judge="gold") for i in items]
    with pytest.raises(ValueError, match="2 by a, 1 by b"): judge_agreement(items, mixed, right)
    store = VerdictStore(tmp_path / "people.jsonl")
    for item, who in zip(items, ("Ana", "Rui", "Ana"), strict=True): store.add(item, item[1], who=who)
    assert "the first is Ana (2), Rui (1)" in repr(judge_agreement(items, HumanJudge(store), right, resamples=20))


# ---- said and checked before a text leaves


@pytest.mark.http
def test_counting_tokens_is_announced_asked_and_checked_before_the_first_request(server):
    judge = judge_of(server)
    sent = []
    judge.say = lambda text: (judge.said.append(text), sent.append(len(server.journal)))
    judge.estimate(items_of(3), count_tokens=True)
    assert "draft, intended, spoken go to 127.0.0.1 (not the vendor's host)" in judge.said[0] and sent[0] == 0 and len(server.journal) == 3
    judge.confirm = lambda text: False
    with pytest.raises(NotConfirmed): judge.estimate(items_of(3), count_tokens=True)
    judge.confirm = None
    with pytest.raises(ValueError, match="API key"): judge.estimate([*items_of(2), (f"it is {KEY}", "It.", "")], count_tokens=True)
    assert len(server.journal) == 3
    with pytest.raises(NoPrice): judge_of(server, judge.ledger, model="claude-unheard-of").estimate(items_of(1), count_tokens=True)
    judge.fix_many(items_of(3))
    said, journal = len(judge.said), len(server.journal)
    with pytest.raises(ValueError, match="replay"): judge_of(server, judge.ledger, mode="replay").estimate(items_of(4), count_tokens=True)
    judge.estimate(items_of(3), count_tokens=True)
    assert (len(judge.said), len(server.journal)) == (said, journal), "what is paid is not sent to be counted"


# ---- secrets, in every place

ASCII = "zq-7Secret-b&\"81"


def client_with(place, server):
    "A client that holds a secret in this place, and the secret."
    import anthropic
    http, known, secret = None, dict(api_key=KEY), ASCII
    url = server.url
    if place in ("plain header", "nameless header"): known["default_headers"] = {"X-Auth-Token" if place == "plain header" else "X-Quux": secret}
    if place == "header with a scheme": known["default_headers"] = {"Proxy-Authorization": f"Bearer {secret}"}
    if place == "word": known["default_headers"], secret = {"X-Team": "harlequins"}, "harlequins"
    if place == "auth token": known = dict(auth_token=secret)
    if place == "query": known["default_query"] = {"code": secret}
    if place == "address query": url, secret = f"{url}/?key=abc-9x8y7z6w", "abc-9x8y7z6w"
    if place == "password": url, secret = url.replace("://", "://me:abc-9x8y7z6w@"), "abc-9x8y7z6w"
    if place == "user": url, secret = url.replace("://", "://abc-9x8y7z6w@"), "abc-9x8y7z6w"
    if place == "http client header": http = dict(headers={"X-Quux": secret})
    if place == "http client query": http = dict(params={"code": secret})
    if place == "cookie": http, secret = dict(cookies={"sid": "abc-9x8y7z6w"}), "abc-9x8y7z6w"
    if place == "http auth": http, secret = dict(auth=("me", "abc-9x8y7z6w")), "abc-9x8y7z6w"
    if http: known["http_client"] = anthropic.DefaultHttpxClient(**http)
    return anthropic.Anthropic(base_url=url, timeout=5, **known), secret


PLACES = ["plain header", "nameless header", "header with a scheme", "word", "auth token", "query", "address query", "password", "user",
          "http client header", "http client query", "cookie", "http auth"]


def spellings(secret, place):
    import base64
    import html
    from urllib.parse import quote
    basic = {base64.b64encode(f"me:{secret}".encode()).decode()} if place in ("password", "http auth") else set()
    return {secret, quote(secret, safe=""), html.escape(secret), json.dumps(secret)[1:-1]} | basic


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
@pytest.mark.parametrize("place", PLACES)
def test_no_place_gives_its_secret_away(server, place, mode, capsys, monkeypatch):
    client, secret = client_with(place, server)
    forms = spellings(secret, place)
    echo = " ".join(sorted(forms))
    def refuse(entry): raise Refused(400, echo, {"request-id": secret, "x-echo": secret})
    server.plan = refuse
    judge = judge_of(server, client=client, retries=0, say=print)
    verdicts = judge.fix_many(items_of(2), mode=mode)
    assert not any(v.ok for v in verdicts)
    seen = [repr(judge), repr(verdicts), pickle.dumps(judge).decode("latin-1"), judge.ledger.table().to_json(default_handler=str)]
    if place != "address query":   # (whose requests find nothing, as the SDK puts paths behind the query)
        server.plan = lambda e: {"fault": "other", "text": json.dumps({"fixed": "ok", "why": echo})} if e["path"].endswith("/messages") else None
        judge.fix_many(items_of(2), mode=mode)
        server.plan = lambda e: None
        assert all(v.ok for v in judge.fix_many(items_of(2), mode=mode))
        seen.append(repr(ClaudeJudge(mode="replay", ledger="l", max_tokens=1000).fix_many(items_of(2))))
    if place != "word":
        for ask in (judge.fix_many, lambda items: judge.estimate(items, count_tokens=True)):
            with pytest.raises(ValueError, match="nothing was sent") as e: ask([(f"it is {secret} ok", "It is.", "")])
            seen.append(str(e.value))
    server.plan = lambda e: {"fault": "400", "message": echo} if e["path"].endswith(("/messages", "/count_tokens")) else None
    monkeypatch.setattr("amend_nb.claude.book_reply", lambda *a: 1 / 0)
    monkeypatch.setattr("amend_nb.submission.book_results", lambda *a: 1 / 0)
    for ask in (lambda: judge.fix_many(items_of(3), mode=mode), lambda: judge.estimate(items_of(4), count_tokens=True)):
        if place == "address query" and mode == "batch": break   # no batch is made there, so there is nothing to book
        with pytest.raises((ZeroDivisionError, RuntimeError)) as e: ask()
        inner = e.value.with_traceback(e.value.__traceback__.tb_next.tb_next)   # without this test's own variables
        seen.append("".join(traceback.TracebackException.from_exception(inner, capture_locals=True).format()))
    out, err = capsys.readouterr()
    files = written("l")
    assert "[key]" in files
    for form in forms: assert form not in files + out + err + "".join(seen), (place, form)


@pytest.mark.http
def test_headers_of_the_environment_are_veiled_too(server, monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Quux: abc-9x8y7z6w\nX-Team: harlequins")
    server.plan = lambda e: {"fault": "400", "message": "abc-9x8y7z6w of harlequins"}
    said = []
    verdicts = ClaudeJudge(ledger="l", max_tokens=1000, retries=0, say=said.append).fix_many(items_of(1))
    assert not re.search("abc-9x8y7z6w|harlequins", written("l") + repr(verdicts) + "".join(said))


@pytest.mark.http
def test_a_plain_word_of_a_header_does_not_spoil_drafts_that_hold_it(server):
    import anthropic
    client = anthropic.Anthropic(api_key=KEY, base_url=server.url, timeout=5,
                                 default_headers={"X-Team": "number", "X-Model": OPUS, "Accept-Language": "message", "X-Api-Version": "2026-10-21"})
    verdicts = judge_of(server, client=client).fix_many(items_of(2))
    assert [v.fixed for v in verdicts] == [i[1] for i in items_of(2)] and verdicts[0].served_model == OPUS


def test_a_broken_address_in_the_environment_shows_no_key(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://me:abc-9x8y7z6w@127.0.0.1:port/")
    try: ClaudeJudge(ledger="l", max_tokens=1000, say=lambda t: None).fix_many(items_of(1))
    except ValueError as e: shown = "".join(traceback.TracebackException.from_exception(e, capture_locals=True).format())
    assert "ANTHROPIC_BASE_URL" in shown and KEY not in shown and "abc-9x8y7z6w" not in shown


# ---- a ledger stays where it was


@pytest.mark.http
def test_a_change_of_folder_does_not_split_a_ledger(server, tmp_path):
    judge = judge_of(server, "books/l")
    judge.fix_many(items_of(1))
    (tmp_path / "else").mkdir()
    os.chdir("else")
    judge.fix_many(items_of(2))
    assert not list(Path().iterdir()) and len(server.sends()) == 2
    assert repr(judge.ledger) == "Ledger('books/l', cap_usd=None)" and judge.ledger.path == tmp_path / "books/l"
    again = pickle.loads(pickle.dumps(judge.ledger))
    assert again.path == judge.ledger.path and repr(again) == repr(judge.ledger) and again.totals()["attempts"] == 2
    assert Ledger(tmp_path / "books/l").totals()["attempts"] == 2


@pytest.mark.parametrize("kind, write", [(Journal, lambda j: j.append({"a": 1})), (VerdictStore, lambda s: s.add(("a", "b", "c"), "a", who="Ana"))])
def test_no_file_that_grows_is_split_by_a_change_of_folder(kind, write, tmp_path):
    store = kind("f.jsonl")
    write(store)
    (tmp_path / "else").mkdir()
    os.chdir("else")
    write(store)
    assert not list(Path().iterdir()) and len((tmp_path / "f.jsonl").read_text().splitlines()) == 2
    assert repr(store) == f"{kind.__name__}('f.jsonl')" == repr(pickle.loads(pickle.dumps(store)))


# ---- one consent for all


class Stream:
    "Standard input: a terminal with this answer, a pipe, or a closed one."
    def __init__(self, answer=None, closed=False): self.answer, self.closed = answer, closed
    def isatty(self):
        if self.closed: raise ValueError("I/O operation on closed file")
        return self.answer is not None
    def readline(self): return self.answer


@pytest.mark.http
@pytest.mark.parametrize("mode", ["sync", "batch"])
@pytest.mark.parametrize("how, stdin, yes, sends", [("yes typed", Stream(), True, True), ("answered y", Stream("y\n"), False, True),
    ("answered n", Stream("n\n"), False, False), ("end of input", Stream(""), False, False), ("a pipe", Stream(), False, False),
    ("closed", Stream(closed=True), False, False), ("none", None, False, False)])
def test_the_command_line_asks_once_and_sends_nothing_unasked(server, monkeypatch, capsys, how, stdin, yes, sends, mode):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("sys.stdin", stdin)
    table_of(2).to_csv("d.csv", index=False)
    words = ["score", "d.csv", "-p", "p", "--judge", "claude", "--ledger", "paid", "--max-tokens", "1000", "-o", "o.csv", "-m", mode,
             "--poll-seconds", "0.05", *["--yes"] * yes]
    with pytest.raises(SystemExit) as e: main(words)
    out, err = capsys.readouterr()
    assert e.value.code == (0 if sends else 2), err
    assert bool(server.journal) == Path("o.csv").exists() == Path("paid").exists() == sends
    assert err.count("p, intended_text, spoken_text go to 127.0.0.1 (not the vendor's host)") == 1 and "likely $" in err and "at most $" in err
    if how in ("a pipe", "closed", "none"): assert "--yes" in err and "nothing was sent" in err and "[y/N]" not in err
    else: assert err.count("[y/N]") == (not yes)
    if not sends: assert out == "" and "nothing was sent" in err


@pytest.mark.http
def test_collecting_what_was_submitted_needs_no_consent_and_sending_the_rest_does(server, monkeypatch, capsys):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setattr("sys.stdin", Stream())
    judge = judge_of(server, "a", columns=("p", "intended_text", "spoken_text"))
    judge.fix_many(items_of(2), mode="batch")
    table_of(3).to_csv("d.csv", index=False)
    words = ["score", "d.csv", "-p", "p", "--judge", "claude", "--ledger", "b", "--max-tokens", "1000", "--poll-seconds", "0.05"]
    with pytest.raises(SystemExit) as e: main([*words, "--resume", next(iter(server.batches)), "--limit", "2", "-o", "o.csv"])
    assert e.value.code == 0 and Path("o.csv").exists() and len(server.batches) == 1 and not server.sends(), capsys.readouterr().err
    with pytest.raises(SystemExit) as e: main([*words, "-o", "p.csv"])
    assert e.value.code == 2 and not server.sends() and "1 questions still to ask, 2 judged already" in capsys.readouterr().err


# ---- laws of the veil


@settings(max_examples=600, deadline=None)
@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters=",;="), min_size=8, max_size=40),
       st.integers(0, 6), st.binary(max_size=30), st.sampled_from(["header", "query", "password", "key"]))
def test_no_spelling_of_a_secret_survives_and_all_else_does(secret, how, around, place):
    import html
    from types import SimpleNamespace
    from urllib.parse import quote
    assume(not secret.isalpha() and not secret.isdigit() and "%" not in secret)
    client = SimpleNamespace(api_key=secret if place == "key" else KEY, base_url="http://127.0.0.1/", _custom_headers={}, _custom_query={})
    if place == "header": client._custom_headers = {"X-Quux": secret}
    if place == "query": client._custom_query = {"code": [secret]}
    if place == "password": client.base_url = f"http://me:{quote(secret, safe='')}@127.0.0.1/"
    spelt = [secret, quote(secret, safe=""), quote(secret), html.escape(secret), json.dumps(secret)[1:-1],
             json.dumps(secret, ensure_ascii=False)[1:-1], json.dumps(secret)[1:-1].replace("/", "\\/")][how].encode()
    veil = _Veil(client)
    data = around + b"<" + spelt + b">" + around
    assert spelt not in veil.bytes(data) and b"[key]" in veil.bytes(data) and repr(veil) == "<veil>"
    assert spelt in around or secret.encode() in around or veil.bytes(around) == around
    with pytest.raises(ValueError, match="nothing was sent") as e: veil.check(["fine", f"a {secret} b"])
    assert secret not in str(e.value)
    veil.check(["fine", secret[:5]])
