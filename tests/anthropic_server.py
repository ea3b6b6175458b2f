"""A local stand-in for the Messages API: messages, streams, count_tokens, batches; a journal of every request; faults on demand.

In a test:   with Server() as server: server.url, server.journal, server.plan = lambda entry: "429" …
By itself:   python tests/anthropic_server.py [--port N] [--delay SECONDS]   (prints its address)

It is plain asyncio, so that a test can cut a connection where it wants, and checks requests as strictly as the service does.
A plan is asked once a request and answers None, the name of a fault, or a dict {"fault": name, …options}.
"""
import argparse
import asyncio
import json
import re
import socket
import struct
import threading
import time
from datetime import UTC, datetime, timedelta

KEYS = {"model", "max_tokens", "messages", "system", "output_config", "stream", "metadata", "thinking", "stop_sequences",
        "cache_control", "fallbacks", "service_tier", "tools", "tool_choice"}
BETA = "server-side-fallback-2026-07-01"
REASON = {200: "OK", 307: "Temporary Redirect"}
TYPES = {400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error", 404: "not_found_error",
         409: "conflict_error", 413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 504: "timeout_error", 529: "overloaded_error"}
BATCH = re.compile(r"/v1/messages/batches/([^/?]+)(/results|/cancel)?$")


class Refused(Exception):
    "A request the service would answer with an error status."
    def __init__(self, status, message, headers=(), code=None):
        self.status, self.message, self.headers, self.code = status, message, dict(headers), code


def texts_of(body):
    "The texts of the prompt by name: spoken, intended, draft."
    user = body["messages"][-1]["content"]
    if not isinstance(user, str): user = "".join(b.get("text", "") for b in user)
    return {m[1]: m[3] for m in re.finditer(r"<(\w+)-([0-9a-f]+)>\n(.*?)\n</\1-\2>", user, re.S)}


def copy_intended(body):
    "The default judge: the intended text, whatever the draft."
    return texts_of(body).get("intended", "")


def check_body(body, beta, batch=False):
    "What the service refuses."
    if not isinstance(body, dict): raise Refused(400, "expected a JSON object")
    unknown = set(body) - KEYS
    if unknown: raise Refused(400, f"{sorted(unknown)[0]}: Extra inputs are not permitted")
    for key, kind in (("model", str), ("max_tokens", int), ("messages", list)):
        if not isinstance(body.get(key), kind) or not body[key]: raise Refused(400, f"{key}: field required")
    form = body.get("output_config", {}).get("format")
    if form and form["schema"].get("additionalProperties") is not False: raise Refused(400, "schema: additionalProperties must be false")
    if batch and ("fallbacks" in body or "stream" in body): raise Refused(400, "stream and fallbacks are not allowed in a batch")
    if "fallbacks" in body and BETA not in beta: raise Refused(400, "fallbacks: Extra inputs are not permitted")
    if len(body.get("fallbacks", ())) > 3: raise Refused(400, "fallbacks: at most 3")
    if body["messages"][-1]["role"] != "user": raise Refused(400, "the last message must be the user's")


class Server:
    """The service. `judge(body) -> fixed`, `plan(entry) -> fault or None`, `delay` seconds before an answer begins.

    `journal` holds one dict a request, made when its body is there: n, method, path, body, fault, status, usage (what would
    be billed), model, done (the answer left whole). `batches` are kept by id, `results(id)` makes their lines."""
    def __init__(self, judge=copy_intended, plan=None, delay=0.0, batch_seconds=0.05, port=0, keep_bodies=True):
        self.judge, self.plan, self.delay = judge, plan or (lambda entry: None), delay
        self.batch_seconds, self.port = batch_seconds, port
        self.journal, self.batches, self.cached, self.keep_bodies = [], {}, set(), keep_bodies
        self.most_at_once = self.now = self.open = 0
        self.callers = set()        # the ports of all who ever connected
        self.late = self.slow = 0   # seconds between making a batch and saying so; seconds in the middle of its results
        self.item_plan, self.lines_plan, self.clock_skew = (lambda custom_id, params: None), (lambda lines: lines), timedelta(0)

    def __enter__(self):
        self.loop, ready = asyncio.new_event_loop(), threading.Event()

        def run():
            asyncio.set_event_loop(self.loop)
            self.server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", self.port, limit=2**26, backlog=512))
            self.port = self.server.sockets[0].getsockname()[1]
            ready.set()
            self.loop.run_forever()
        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        ready.wait(10)
        return self

    def __exit__(self, *_):
        def stop():
            self.server.close()
            for task in asyncio.all_tasks(self.loop): task.cancel()
            self.loop.call_later(0.05, self.loop.stop)
        self.loop.call_soon_threadsafe(stop)
        self.thread.join(5)
        if not self.loop.is_running(): self.loop.close()

    @property
    def url(self): return f"http://127.0.0.1:{self.port}"

    def sends(self, path="/v1/messages"):
        "The journal's entries that cost money: messages, or batches made with path='/v1/messages/batches'."
        return [e for e in self.journal if e["method"] == "POST" and e["path"] == path]

    def settle(self, seconds=20):
        """Wait until all that a dead client sent was read and answered: connections are taken in the order they were made, so once one of
        our own was taken its were too, and each ends when what lay in it has been served."""
        with socket.create_connection(("127.0.0.1", self.port)) as own: mine = own.getsockname()[1]
        end = time.monotonic() + seconds
        while mine not in self.callers or self.open:
            assert time.monotonic() < end, f"{self.open} connections are still open"
            time.sleep(0.002)

    # ---- HTTP
    async def serve(self, reader, writer):
        self.open += 1
        self.callers.add(writer.get_extra_info("peername")[1])
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                start, *lines = head.decode("latin-1").split("\r\n")
                method, target, _ = start.split(" ")
                headers = {k.lower(): v for k, _, v in (x.partition(": ") for x in lines if x)}
                data = await reader.readexactly(int(headers.get("content-length", 0)))
                await self.answer(method, target, headers, data, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError): pass
        finally:
            self.open -= 1
            writer.close()

    async def answer(self, method, target, headers, data, writer):
        entry = dict(n=len(self.journal), method=method, path=target.split("?")[0], at=time.time(), status=None, usage=None, model=None,
                     fault=None, done=False, retry=headers.get("x-stainless-retry-count"), attempt=headers.get("x-amend-attempt"),
                     authorised=bool(headers.get("authorization") or headers.get("x-api-key")), beta=headers.get("anthropic-beta", ""))
        self.journal.append(entry)
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        try:
            body = json.loads(data) if data else None
            if self.keep_bodies: entry["body"] = body
            planned = self.plan(entry if self.keep_bodies else {**entry, "body": body})
            fault = {"fault": planned} if isinstance(planned, str) else planned or {}
            entry["fault"] = fault.get("fault")
            if not entry["authorised"]: raise Refused(401, "x-api-key header is required")
            await self.route(method, target, headers, body, entry, fault, writer)
        except Refused as e: await self.refuse(writer, entry, e)
        except json.JSONDecodeError: await self.refuse(writer, entry, Refused(400, "not JSON"))
        finally: self.now -= 1

    async def refuse(self, writer, entry, e):
        detail = {"details": {"error_code": e.code}} if e.code else {}
        error = {"type": TYPES.get(e.status, "api_error"), "message": e.message, **detail}
        body = {"type": "error", "error": error, "request_id": f"req_{entry['n']}"}
        await self.send(writer, entry, json.dumps(body).encode(), e.status, headers=e.headers)

    async def send(self, writer, entry, data, status=200, kind="application/json", headers=()):
        entry["status"] = status
        extra = "".join(f"{k}: {v}\r\n" for k, v in dict(headers).items())
        writer.write(f"HTTP/1.1 {status} {REASON.get(status, 'Error')}\r\ncontent-type: {kind}\r\nrequest-id: req_{entry['n']}\r\n"
                     f"content-length: {len(data)}\r\n{extra}\r\n".encode() + data)
        await writer.drain()
        entry["done"] = True

    def reset(self, writer):
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
        raise ConnectionResetError

    async def route(self, method, target, headers, body, entry, fault, writer):
        path = entry["path"]
        if method == "POST" and path == "/v1/messages": return await self.message(headers, body, entry, fault, writer)
        if method == "POST" and path == "/v1/messages/count_tokens":
            if str(fault.get("fault")).isdigit(): raise Refused(int(fault["fault"]), fault.get("message", "planned"), fault.get("headers", {}))
            return await self.send(writer, entry, json.dumps({"input_tokens": self.tokens(body)}).encode())
        if path == "/v1/messages/batches" and method == "POST": return await self.create(headers, body, entry, fault, writer)
        if path == "/v1/messages/batches" and method == "GET": return await self.send(writer, entry, self.listed(target))
        m = BATCH.match(path)
        if m and m[1] in self.batches: return await self.batch(method, m[1], m[2], entry, fault, writer)
        raise Refused(404, f"{method} {path}: not found")

    # ---- messages
    def tokens(self, body): return max(1, len(json.dumps([body.get("system"), body.get("messages")], ensure_ascii=False).encode()) // 4)

    def usage(self, body, out, cached=True):
        "Tokens as they would be billed."
        total, system = self.tokens(body), body.get("system")
        marked = isinstance(system, list) and any("cache_control" in b for b in system)
        kept = len(json.dumps(system, ensure_ascii=False).encode()) // 4 if marked else 0
        use = {"input_tokens": total - kept if kept >= 512 else total, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
               "output_tokens": out, "service_tier": "standard"}
        if kept >= 512:
            tag = (body["model"], json.dumps(system))
            use["cache_read_input_tokens" if tag in self.cached else "cache_creation_input_tokens"] = kept
            self.cached.add(tag)
        return use

    def reply(self, body, fault):
        "The whole message that answers `body`."
        kind, model = fault.get("fault"), body["model"]
        text = json.dumps({"fixed": self.judge(body)}, ensure_ascii=False)
        if "text" in fault: text = fault["text"]
        if kind == "commentary": text = f"Here is the corrected draft:\n{text}\nI changed as little as possible."
        stop, out, content = "end_turn", 20 + len(text) // 4, [{"type": "thinking", "thinking": "", "signature": "c2ln"}]
        if kind == "refusal": stop, content, text = "refusal", [], None
        if kind == "refusal_late": stop, text = "refusal", text[:5]
        if kind == "max_tokens": stop, text, out = "max_tokens", text[:-3], body["max_tokens"]
        usage = self.usage(body, out)
        if kind == "fallback" and body.get("fallbacks"):   # without any, it answers itself
            other = body["fallbacks"][0]["model"]
            content.append({"type": "fallback", "from": {"model": model}, "to": {"model": other}})
            usage["iterations"] = [{"type": "message", "model": model, "input_tokens": usage["input_tokens"], "output_tokens": 0},
                                   {"type": "fallback_message", "model": other, **{k: v for k, v in usage.items() if k.endswith("tokens")}}]
            model = other
        if text is not None: content.append({"type": "text", "text": text})
        return {"id": f"msg_{len(self.journal)}", "type": "message", "role": "assistant", "model": model, "content": content,
                "stop_reason": fault.get("stop_reason", stop), "stop_sequence": None, "stop_details": None, "usage": usage}

    async def message(self, headers, body, entry, fault, writer):
        kind = fault.get("fault") or ""
        check_body(body, entry["beta"])
        if kind == "reset_before": self.reset(writer)
        if kind == "307": raise Refused(307, "elsewhere", {"location": self.url + "/v1/elsewhere"})
        if kind == "spend_cap": raise Refused(429, "the month's spend limit is reached", code="enforced_spend_limit_reached")
        if kind == "credit": raise Refused(400, "Your credit balance is too low to access the API")
        if kind.isdigit(): raise Refused(int(kind), fault.get("message", f"planned {kind}"), fault.get("headers", {}))
        if self.delay or "delay" in fault: await asyncio.sleep(fault.get("delay", self.delay))
        if kind == "html": return await self.send(writer, entry, b"<html><body>Sign in to the network</body></html>", kind="text/html")
        if kind == "broken_json": return await self.send(writer, entry, b'{"id": "msg_1", "type": "mess')
        if kind == "other_json": return await self.send(writer, entry, b'{"ok": true, "items": []}')
        message = self.reply(body, fault)
        entry["usage"], entry["model"] = message["usage"], message["model"]
        if not body.get("stream"): return await self.send(writer, entry, json.dumps(message).encode())
        await self.stream(message, entry, fault, writer)

    def events(self, message, kind):
        "The events of a stream, in order, as (name, data)."
        start = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
        start["usage"].pop("iterations", None)
        yield "message_start", {"message": start}
        yield "ping", {}
        for i, block in enumerate(message["content"]):
            yield "content_block_start", {"index": i, "content_block": {**block, **({"text": ""} if block["type"] == "text" else {})}}
            if block["type"] == "thinking": yield "content_block_delta", {"index": i, "delta": {"type": "signature_delta", "signature": "c2ln"}}
            if block["type"] == "text":
                for k in range(0, len(block["text"]), 40):
                    yield "content_block_delta", {"index": i, "delta": {"type": "text_delta", "text": block["text"][k:k + 40]}}
                    if kind == "error_event": yield "error", {"error": {"type": "overloaded_error", "message": "Overloaded"}}; return
            yield "content_block_stop", {"index": i}
        yield "message_delta", {"delta": {k: message[k] for k in ("stop_reason", "stop_sequence", "stop_details")}, "usage": message["usage"]}
        yield "message_stop", {}

    async def stream(self, message, entry, fault, writer):
        kind, entry["status"] = fault.get("fault"), 200
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nrequest-id: req_{entry['n']}\r\n"
                     "transfer-encoding: chunked\r\n\r\n".encode())
        events = [f"event: {name}\ndata: {json.dumps({'type': name, **data}, ensure_ascii=False)}\n\n".encode()
                  for name, data in self.events(message, kind)]
        at = fault.get("at", len(events) // 2)
        if kind == "early_end": events = events[:at]
        if kind == "end_before": events = []
        if kind == "broken_event": events[at] = events[at].replace(b"}\n\n", b"\n\n")
        slow = kind in ("drip", "stall", "reset_mid", "cut_mid") or "every" in fault
        for n, event in enumerate(events if slow else [b"".join(events)] if events else []):
            if n == at and kind in ("reset_mid", "cut_mid", "stall"):
                await writer.drain()
                await asyncio.sleep(fault.get("seconds", 30) if kind == "stall" else 0.01)
                if kind == "cut_mid": return writer.close()
                self.reset(writer)
            writer.write(f"{len(event):x}\r\n".encode() + event + b"\r\n")
            if slow: await writer.drain()
            if "every" in fault: await asyncio.sleep(fault["every"])
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        entry["done"] = kind not in ("early_end", "end_before", "error_event", "broken_event")

    # ---- batches
    async def create(self, headers, body, entry, fault, writer):
        kind = fault.get("fault") or ""
        if kind.isdigit(): raise Refused(int(kind), fault.get("message", f"planned {kind}"), fault.get("headers", {}))
        if kind == "reset_before": self.reset(writer)
        requests = (body or {}).get("requests")
        if not requests: raise Refused(400, "requests: field required")
        ids = [r["custom_id"] for r in requests]
        if len(set(ids)) < len(ids): raise Refused(400, "custom_id: must be unique")
        if not all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", i) for i in ids): raise Refused(400, "custom_id: String should match pattern")
        if "delay" in fault: await asyncio.sleep(fault["delay"])
        now, name = datetime.now(UTC) + self.clock_skew, f"msgbatch_{len(self.batches):06}"
        self.batches[name] = dict(requests=requests, ends=time.time() + fault.get("batch_seconds", self.batch_seconds), cancelled=None,
                                  hidden=fault.get("hidden", 0), created=now, lines=None)
        entry["batch"] = name
        if kind == "lost": self.reset(writer)
        if self.late: await asyncio.sleep(self.late)
        await self.send(writer, entry, json.dumps(self.view(name)).encode())

    def run(self, name):
        "The result lines of a batch, made once, when it has ended."
        batch = self.batches[name]
        if batch["lines"] is None:
            batch["lines"] = [json.dumps({"custom_id": r["custom_id"], "result": self.result(r)}, ensure_ascii=False) for r in batch["requests"]]
        return batch["lines"]

    def result(self, request):
        fault = self.item_plan(request["custom_id"], request["params"])
        fault = {"fault": fault} if isinstance(fault, str) else fault or {}
        kind = fault.get("fault")
        if kind in ("expired", "canceled"): return {"type": kind}
        try: check_body(request["params"], "", batch=True)
        except Refused as e: fault, kind = {"message": e.message}, "errored"
        if kind == "errored":
            return {"type": "errored", "error": {"type": "error", "error": {"type": fault.get("type", "invalid_request_error"),
                                                                            "message": fault.get("message", "planned")}}}
        message = self.reply(request["params"], fault)
        message["usage"]["service_tier"] = "batch"
        return {"type": "succeeded", "message": message}

    def view(self, name):
        batch, counts = self.batches[name], dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        ended = time.time() >= batch["ends"]
        if ended:
            for line in self.run(name): counts[json.loads(line)["result"]["type"]] += 1
        else: counts["processing"] = len(batch["requests"])
        def stamp(t): return t.isoformat().replace("+00:00", "Z")
        return {"id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress", "request_counts": counts,
                "created_at": stamp(batch["created"]), "expires_at": stamp(batch["created"] + timedelta(days=1)),
                "ended_at": stamp(datetime.now(UTC)) if ended else None, "cancel_initiated_at": batch["cancelled"], "archived_at": None,
                "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None}

    def listed(self, target):
        query = dict(part.partition("=")[::2] for part in target.partition("?")[2].split("&") if part)
        names = sorted(self.batches, reverse=True)
        if query.get("after_id") in names: names = names[names.index(query["after_id"]) + 1:]
        limit = int(query.get("limit", 20))
        page = [self.view(n) for n in names[:limit]]
        return json.dumps({"data": page, "has_more": len(names) > limit, "first_id": names[0] if page else None,
                           "last_id": page[-1]["id"] if page else None}).encode()

    async def batch(self, method, name, action, entry, fault, writer):
        batch, kind = self.batches[name], fault.get("fault") or ""
        if kind.isdigit(): raise Refused(int(kind), "planned", fault.get("headers", {}))
        if kind == "reset_before": self.reset(writer)
        if batch["hidden"] > 0: batch["hidden"] -= 1; raise Refused(404, "not found (yet)")
        if method == "POST" and action == "/cancel": batch["cancelled"] = True
        if action != "/results": return await self.send(writer, entry, json.dumps(self.view(name)).encode())
        if time.time() < batch["ends"]: raise Refused(404, "no results yet")
        lines = self.lines_plan(list(self.run(name)))
        data = "".join(line + "\n" for line in lines).encode()
        whole = data.rfind(b"\n", 0, len(data) // 2) + 1   # where the last whole line of the first half ends: 0 where there is none
        if kind == "cut_line": data = data[:whole]
        if kind == "cut_mid": data = data[:whole + 8]
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/x-jsonl\r\ntransfer-encoding: chunked\r\n\r\n")
        for k in range(0, len(data), 65_536):
            piece = data[k:k + 65_536]
            writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await writer.drain()
            if self.slow: await asyncio.sleep(self.slow)
        if kind == "reset_mid": await asyncio.sleep(0.02); self.reset(writer)
        writer.write(b"0\r\n\r\n")
        await writer.drain()
        entry["status"], entry["done"] = 200, not kind


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--delay", type=float, default=0.0)
    args = parser.parse_args()
    with Server(delay=args.delay, port=args.port, keep_bodies=False) as server:
        print(server.url, flush=True)
        threading.Event().wait()
