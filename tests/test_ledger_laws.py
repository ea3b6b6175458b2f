"""Laws of the rooms around the ledger, each with mutants of its subject that the law must catch."""
import itertools
import json
import os
import tempfile
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutants import breaks, mutant
from texts import TEXTS, examples

import amend_nb.answers as answers
import amend_nb.batches as batches
import amend_nb.books as books
import amend_nb.budget as budget
import amend_nb.calls as calls
import amend_nb.journal as journal
import amend_nb.prices as prices
from amend_nb import Ledger, Prompt

MODELS = ["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5"]


FOLDER, COUNT = tempfile.TemporaryDirectory(prefix="laws-"), itertools.count()   # removed when the tests end


def fresh():
    "The path of a file in a folder of its own."
    path = Path(FOLDER.name) / str(next(COUNT))
    path.mkdir()
    return path / "x.jsonl"


def law_prices(room):
    "The sum of each category at its rate, half in a batch; never above the worst case of as many bytes and tokens."
    counts = st.integers(0, 150_000)

    @examples(500)
    @given(counts, counts, counts, counts, st.integers(0, 64_000), st.sampled_from(MODELS), st.booleans(), st.data())
    def holds(plain, read, m5, h1, out, model, batch, data):
        usage = {"input_tokens": plain, "cache_read_input_tokens": read, "cache_creation_input_tokens": m5 + h1, "output_tokens": out,
                 "cache_creation": {"ephemeral_5m_input_tokens": m5, "ephemeral_1h_input_tokens": h1}}
        rates, tokens = prices.rates_of(model, "2026-11-01"), plain + read + m5 + h1
        if "above" in rates and tokens > rates["above"]: rates = {k: Decimal(str(v)) for k, v in rates["long"].items()}
        by_hand = (plain * rates["input"] + read * rates["cache_read"] + m5 * rates["cache_write_5m"] + h1 * rates["cache_write_1h"]
                   + out * rates["output"]) / 10**6 / (2 if batch else 1)
        assert room.usage_cost(usage, model, "2026-11-01", batch) == by_hand
        n_bytes = max(0, tokens - 2000 + data.draw(st.integers(0, 3000)))
        assert by_hand <= room.worst_cost(n_bytes, out, model, "2026-11-01", batch)
        parts = [{"type": "message", "model": "claude-opus-5-5", "input_tokens": plain, "output_tokens": data.draw(st.integers(0, 3))},
                 {**usage, "model": model}]
        first = prices.usage_cost(parts[0], "claude-opus-5-5", "2026-11-01", batch) if parts[0]["output_tokens"] else 0
        assert room.usage_cost({**usage, "iterations": parts}, "nobody", "2026-11-01", batch) == by_hand + first
    holds()


def law_journal(room):
    "Whatever is torn, records come back whole, the damage is told, and no record can be changed or cut out of the middle unseen."
    TEARS = [b"", b"\xff", b"{", b'{"n":', b"[1]", b"7", b'"\xc3']

    @examples(500)
    @given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(TEARS), st.booleans()), min_size=1, max_size=5), st.data())
    def holds(steps, data):
        path, n, torn = fresh(), 0, 0
        log = room.Journal(path)
        for many, tear, other in steps:
            if other: log = room.Journal(path)
            log.append(*({"n": n + i} for i in range(many)))
            n += many
            with open(path, "ab") as f: f.write(tear)
            torn += bool(tear)
            assert room.Journal(path).unended == tear.decode("utf-8", "replace")
        log.append({"n": n})
        again, late, seen, stop = room.Journal(path), room.Journal(path.parent / "none"), [0], data.draw(st.integers(0, n + torn + 2))

        def stopping(line, accept=late._accept):
            seen[0] += 1
            if seen[0] == stop: raise KeyboardInterrupt
            accept(line)
        late.path, late._accept = path, stopping
        try: late.refresh()
        except KeyboardInterrupt: pass
        del late._accept
        late.refresh()
        for j in (log, again, late):
            assert [r["n"] for r in j.records() if "at" in r] == list(range(n + 1)) and j.unended == ""
            assert j.damaged == again.damaged and j.breaks == [] and len(j.damaged) == len(j.verify()) == torn and j.head == again.head
        lines = path.read_bytes().split(b"\n")[:-1]
        for at, _ in again.damaged:   # not even a torn line can be taken away unseen
            path.write_bytes(b"\n".join([*lines[:at - 1], *lines[at:]]) + b"\n")
            assert room.Journal(path).breaks
        whole = [k for k, line in enumerate(lines[:-1]) if b'"prev"' in line]
        if not whole: return
        k, before = data.draw(st.sampled_from(whole)), again.verify()
        for new in ([*lines[:k], *lines[k + 1:]], [*lines[:k], lines[k].replace(b'"n":', b'"m":'), *lines[k + 1:]]):
            path.write_bytes(b"\n".join(new) + b"\n")
            assert room.Journal(path).verify() not in ([], before)
    holds()


def law_books(room):
    "The sums are what a slow fold of the records gives; an interrupted reading is made good."
    STATES = ["answered", "refused", "unknown"]

    @examples(500)
    @given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from([*STATES, "clear", "reserve", "reserve"]), st.integers(0, 9)), max_size=12),
           st.integers(0, 30))
    def holds(steps, stop):
        book, worst, state, paid, cleared = room._Book(fresh()), {}, {}, {}, set()
        for n, what, usd in steps:
            name = f"a{n}"
            if what == "reserve" and name not in worst:
                book.append(dict(kind="reserve", attempt=name, key="k", mode="sync", usd=str(usd), owner="me"))
                worst[name], state[name] = usd, "open"
            elif what == "clear":
                book.append(dict(kind="clear", key="k", why="x", attempts=[name]))
                if name in worst:
                    cleared.add(name)
                    if state[name] == "open": state[name] = "unknown"
            elif what in STATES:
                book.append(dict(kind="outcome", attempt=name, state=what, outcome=what, usd=str(usd)))
                if state.get(name) in ("open", "unknown") and not (state[name] == what == "unknown"):
                    state[name] = what
                    if what == "answered": cleared.discard(name)   # it was not lost: it is there, and paid for
                    if what == "answered": paid[name] = usd
        again, accept = room._Book(book.path), room._Book._accept
        seen = [0]

        def stopping(line):
            seen[0] += 1
            if seen[0] == stop: raise KeyboardInterrupt
            accept(late, line)
        late = room._Book(book.path.parent / "none")
        late.path, late._accept = book.path, stopping
        try: late.refresh()
        except KeyboardInterrupt: pass
        late.refresh()
        for b in (book.refresh(), again, late):
            assert {a.id: a.state for a in b.attempts.values()} == state
            assert {a.id for a in b.attempts.values() if a.cleared} == cleared
            assert b.spent == sum(paid.values())
            assert b.unknown == sum(worst[a] for a, s in state.items() if s == "unknown" and a not in cleared)
            assert {a for calls in b.open.values() for a in calls} == {a for a, s in state.items() if s == "open"}
            held = sum(a.holds for a in b.attempts.values())
            assert held == b.spent + b.unknown + sum(worst[a] for a, s in state.items() if s == "open")
    holds()


def stream(text, pieces, usage=None, close=True, stop="end_turn"):
    start = {"model": "m", "content": [], "stop_reason": None, "usage": {"input_tokens": 7, "output_tokens": 1}}
    cut = [text[k * len(text) // pieces:(k + 1) * len(text) // pieces] for k in range(pieces)]
    events = [("message_start", {"message": start}), ("content_block_start", {"index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
              ("content_block_delta", {"index": 0, "delta": {"type": "thinking_delta", "thinking": text}}),
              ("content_block_start", {"index": 1, "content_block": {"type": "text", "text": ""}}),
              *(("content_block_delta", {"index": 1, "delta": {"type": "text_delta", "text": c}}) for c in cut),
              ("message_delta", {"delta": {"stop_reason": stop}, "usage": {"output_tokens": 9, "input_tokens": None}}),
              *([("message_stop", {})] if close else [])]
    return [f"event: {n}\ndata: {json.dumps({'type': n, **e}, ensure_ascii=False)}\n\n".encode() for n, e in events]


def law_answers(room):
    "A streamed text is what was written; no part of a stream is the whole; only the asked JSON at the ordinary end is a verdict."
    WORDS = st.one_of(TEXTS, st.lists(st.sampled_from(["thinking_delta", '"type": "thinking_delta"', "data: {", "\n\n", "message_stop", "\\", '"']),
                                      max_size=6).map("".join))

    @examples(500)
    @given(WORDS, st.integers(1, 4), st.sampled_from(["end_turn", "max_tokens", "refusal", "tool_use", "stop_sequence"]), st.data())
    def holds(text, pieces, stop, data):
        said = json.dumps({"fixed": text}, ensure_ascii=data.draw(st.booleans()))
        events = stream(said, pieces, stop=stop)
        answer = room.read_answer(b"".join(events))
        assert answer.complete and answer.text == said and answer.usage == {"input_tokens": 7, "output_tokens": 9}
        outcome, fixed, _ = room.verdict_of_answer(answer)
        assert (outcome, fixed) == ("judged", text.strip()) if stop == "end_turn" else (outcome != "judged" and fixed is None)
        body = b"".join(events)
        part = room.read_answer(body[:data.draw(st.integers(0, len(body) - len(events[-1]) + 20))])
        assert not part.complete and room.verdict_of_answer(part)[1] is None
        around = data.draw(st.sampled_from(["x", "```", "{}", "[", '{"fixed": "a"}', "\u200b"]))
        for odd in (around + said, said + around, said[:-1], json.dumps({"fixed": 1}), json.dumps({"fixed": text, "why": "x"}), "[" + said + "]"):
            assert room.verdict_of_answer(answers.ModelAnswer(True, odd, "end_turn", "m", "m"))[:2] == ("unparsed", None)
    holds()


def law_batches(room):
    "However a download is cut, shuffled, doubled and mixed, each line is found once, at its place, and what is missing is known."
    KEYS = [calls.call_key(Prompt("s", str(n), "v1"), calls.JudgeSettings("m", None, 1)) for n in range(6)]

    @examples(500)
    @given(st.integers(1, 6), st.data())
    def holds(n, data):
        keys = KEYS[:n]
        rows = [json.dumps({"custom_id": k, "result": {"type": "succeeded", "text": data.draw(TEXTS)}}, ensure_ascii=False).encode() for k in keys]
        foreign = data.draw(st.lists(st.sampled_from(KEYS[n:] + ["row-1"]), max_size=2, unique=True))
        strange = [json.dumps({"custom_id": k, "result": {"type": "expired"}}).encode() for k in foreign]
        found, files, sent = room.BatchResults(frozenset(keys)), {}, set()
        for file in range(data.draw(st.integers(1, 3))):
            lines = data.draw(st.permutations(rows + strange + data.draw(st.lists(st.sampled_from(rows), max_size=2))))
            body = b"".join(line + data.draw(st.sampled_from([b"\n", b"\r\n", b"\n\n"])) for line in lines)
            body = body[:data.draw(st.integers(0, len(body)))]
            files[str(file)] = body
            room.read_results(found, body, str(file))
            sent |= {k for k, row in zip(keys, rows, strict=True) if any(line.rstrip(b"\r") == row for line in body.split(b"\n"))}
        assert set(found.lines) == sent and found.missing == set(keys) - sent and set(found.foreign) <= set(foreign)
        for k, row in zip(keys, rows, strict=True):
            if k in found.lines:
                file, at, size, result = found.lines[k]
                assert files[file][at:at + size].strip() == row and result == json.loads(row)["result"]
        counts = {"succeeded": n, "expired": len(foreign)}
        every = len(found.lines) + len(found.foreign) >= n + len(foreign)
        assert room.results_whole(found, {"request_counts": counts}) == (not found.missing or every)
        sizes = data.draw(st.lists(st.integers(1, 9), max_size=12))
        parts = list(room.split_calls([(str(k), size) for k, size in enumerate(sizes)], 3, 12))
        assert [k for part in parts for k in part] == [str(k) for k in range(len(sizes))]
        assert all(len(p) <= 3 and (len(p) == 1 or sum(sizes[int(k)] for k in p) <= 12) for p in parts)
    holds()


def law_calls(room):
    "Equal questions have one key, different ones different keys; each item is led to its own."
    @examples(500)
    @given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=6), st.integers(1, 3), st.integers(1, 9), st.sampled_from([None, "low", "max"]))
    def holds(items, repeats, max_tokens, effort):
        settings = room.JudgeSettings("claude-opus-5-5", effort, max_tokens)
        planned, keys = room.plan_calls([*items, *items[::-1]], settings, "v1", repeats)
        assert keys[:len(items)] == keys[len(items):][::-1]
        due = {i for i, k in zip(items, keys, strict=False) if k}
        assert len({k for ks in keys for k in ks}) == len(planned) == repeats * len(due)
        for item, ks in zip(items, keys, strict=False):
            assert all(c.item == item for c in planned if c.key in ks) and len(ks) in (0, repeats)
        other = {c.key for c in room.plan_calls(items, room.JudgeSettings("claude-opus-5-5", effort, max_tokens + 1), "v1", repeats)[0]}
        assert not other & {c.key for c in planned}
        for c in planned[:1]:
            assert room.foreign_because(c.key, other) == "asked with another model, effort or max_tokens"
            sent = room.body_size(room.message_body(c.prompt, settings, True, ["claude-sonnet-5-5"], True))
            assert room.worst_of(c, settings, ["claude-sonnet-5-5"]) == prices.worst_cost(sent, max_tokens, ["claude-opus-5-5", "claude-sonnet-5-5"])
    holds()


def law_budget(room):
    "What fits, fits; the largest max_tokens at which all would fit is the largest."
    empty = Ledger(fresh().parent)

    @examples(500)
    @given(cap=st.decimals("0.01", "40", places=3), n=st.integers(1, 5), long=st.booleans(), max_tokens=st.integers(1, 64000),
           model=st.sampled_from(MODELS[::2]), fallbacks=st.sampled_from([(), ("claude-sonnet-5-5",)]))
    def holds(cap, n, long, max_tokens, model, fallbacks):
        empty.cap = cap
        items = [(f"draft {k} " + "x" * (98_000 * (k % 2) if long else 0), "Intended.", "") for k in range(n)]
        def made(tokens): return room.estimate_cost(items, calls.JudgeSettings(model, None, tokens), empty, fallbacks=fallbacks)
        found = made(max_tokens)
        worst = [[calls.worst_of(c, calls.JudgeSettings(model, None, max_tokens), () if half else fallbacks, half)
                  for c in calls.plan_calls(items, calls.JudgeSettings(model, None, max_tokens))[0]] for half in (False, True)]
        for mode, each in zip(("sync", "batch"), worst, strict=True):
            fits, fit = found.fits[mode], found.max_tokens_that_fits[mode]
            assert found.most[mode] == sum(each) and sum(each[:fits]) <= cap and (fits == n or sum(each[:fits + 1]) > cap)
            if fits == n: assert fit is None
            elif fit is None: assert made(1).most[mode] > cap
            else: assert made(fit).most[mode] <= cap < made(fit + 1).most[mode]
    holds()


LAWS = [(law_prices, prices), (law_journal, journal), (law_books, books), (law_answers, answers), (law_batches, batches), (law_calls, calls),
        (law_budget, budget)]


@pytest.mark.parametrize("law, room", LAWS)
def test_law(law, room): law(room)


MUTANTS = [
    (law_prices, prices, 'prompt_tokens > above', 'prompt_tokens >= above + 1_000_000'),
    (law_prices, prices, "_ROOM = 2_000", "_ROOM = 1_000"),
    (law_prices, prices, '* Decimal(_table()["batch"]) if batch else cost', "if batch else cost"),
    (law_prices, prices, "short = max(written - hour,", "short = max(written,"),
    (law_prices, prices, "max(rates[name] for name", "min(rates[name] for name"),
    (law_prices, prices, 'not last and not _count(part, "output_tokens")', "not last"),
    (law_journal, journal, '**({"torn": torn} if torn else {})', "**{}"),
    (law_journal, journal, "if self._amid: self._start()", "if False: pass"),
    (law_journal, journal, "self._amid, self.unended = False,", "self._amid, _ = False,"),
    (law_journal, journal, '(b"\\n" if self.rest else b"")', 'b""'),
    (law_journal, journal, 'if record.get("prev", "") != self._last:', "if False:"),
    (law_journal, journal, "self._fragment = _digest(line)", "pass"),
    (law_books, books, "if a.state == \"unknown\" and not a.cleared: self.unknown -= a.worst\n    a.state", "a.state"),
    (law_books, books, 'a.state not in ("open", "unknown") or', "False or"),
    (law_books, books, "a.cleared = True", "pass"),
    (law_books, books, 'a.cleared = a.cleared and a.state != "answered"', "pass"),
    (law_books, books, 'if a.state == "unknown": self.unknown -= a.worst\n', "pass\n"),
    (law_books, books, "elif a.state == \"unknown\": self.unknown += a.worst", "elif False: pass"),
    (law_answers, answers, "if v is not None", ""),
    (law_answers, answers, "_THOUGHT.search(lines[0], 0, 200)", 'b"thinking_delta" in lines[0][:200]'),
    (law_answers, answers, "if stop and closed else", "if stop or closed else"),
    (law_answers, answers, 'set(found) != {"fixed"}', '"fixed" not in found'),
    (law_answers, answers, 'if answer.stop_reason != "end_turn":', 'if answer.stop_reason == "refusal":'),
    (law_batches, batches, 'data.split(b"\\n")', "data.splitlines()"),
    (law_batches, batches, "start + len(line) + 1", "start + len(line)"),
    (law_batches, batches, "not found.missing or len(found.lines)", "len(found.lines)"),
    (law_batches, batches, "size + n > most_bytes", "size > most_bytes"),
    (law_calls, calls, "-r{repeat:02}", "-r00"),
    (law_calls, calls, "self.effort, self.max_tokens, _SCHEMA", "self.effort, _SCHEMA"),
    (law_calls, calls, "prompt.digest[:28]", "prompt.digest[:1]"),
    (law_calls, calls, "chain = [settings.model, *(() if batch else fallbacks)]", "chain = [settings.model]"),
    (law_budget, budget, "n + digits, most", "n + 9, most"),
    (law_budget, budget, "if w > available: return n", "if w >= available * 2: return n"),
]


@pytest.mark.parametrize("law, room, old, new", MUTANTS)
def test_a_mutant_breaks_its_law(law, room, old, new): assert breaks(law, mutant(room, (old, new)))


def test_no_law_leaves_anything_in_the_working_folder(): assert not [p for p in os.listdir(".") if p.endswith(".jsonl")]
