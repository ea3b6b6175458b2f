"""A second stand-in for the Messages API, written from the protocol alone and on other machinery than tests/anthropic_server.py.

It is `http.server` with a thread a connection, closes every connection, keeps no header of the caller's, sends no request-id, and takes
every liberty that the protocol leaves: events in odd pieces, with CRLF and comments between them, nulls in the closing usage, counts of a
batch that stay nought until its end, times that are always the same, pages of one, results in any order. What the judge needs of a
service must be there with it too.
"""
import json
import random
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KNOWN = re.compile(r"(POST) /v1/messages|(POST) /v1/messages/count_tokens|(GET|POST) /v1/messages/batches(\?\S*)?"
                   r"|(GET|DELETE) /v1/messages/batches/[\w-]+|(POST) /v1/messages/batches/[\w-]+/cancel|(GET) /v1/messages/batches/[\w-]+/results")


def intended(params):
    "What the judge is asked for: the intended text."
    user = params["messages"][-1]["content"]
    return re.search(r"<intended-(\w+)>\n(.*?)\n</intended-\1>", user, re.S)[2]


class PlainServer:
    "`journal`: (method, path, body) of every request; `strange`: requests the protocol does not list; `faults`: names, used up one a request."
    def __init__(self, faults=(), batch_seconds=0.1, delay=0.0, lies=True):
        self.journal, self.strange, self.batches, self.faults = [], [], {}, list(faults)
        self.batch_seconds, self.delay, self.lies, self.lock, self.chance = batch_seconds, delay, lies, threading.Lock(), random.Random(7)

    def __enter__(self):
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"app": self}))
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"
        return self

    def __exit__(self, *_): self.http.shutdown(); self.http.server_close()

    def asked(self, method, path): return [b for m, p, b in self.journal if m == method and p.split("?")[0] == path]

    def message(self, params, text=None, **more):
        text = json.dumps({"fixed": intended(params)}, ensure_ascii=self.chance.random() < 0.5) if text is None else text
        return {"id": "m", "type": "message", "role": "assistant", "model": params["model"], "stop_reason": "end_turn", "stop_sequence": None,
                "content": [{"type": "thinking", "thinking": "hm", "signature": "x"}, {"type": "text", "text": text}],
                "usage": {"input_tokens": 900, "output_tokens": 40, "cache_creation_input_tokens": None, "cache_read_input_tokens": None}, **more}

    def view(self, name):
        batch = self.batches[name]
        ended = time.time() > batch["ends"]
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        if ended: counts["succeeded"] = len(batch["requests"])
        elif not self.lies: counts["processing"] = len(batch["requests"])
        made = "2026-01-01T00:00:00Z" if self.lies else batch["made"]
        return {"id": name, "type": "message_batch", "processing_status": "ended" if ended else "in_progress", "request_counts": counts,
                "created_at": made, "expires_at": made, "ended_at": made if ended else None, "cancel_initiated_at": None, "archived_at": None,
                "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None}

    def results(self, name):
        lines = [json.dumps({"custom_id": r["custom_id"], "result": {"type": "succeeded", "message": self.message(r["params"])}}, ensure_ascii=False)
                 for r in self.batches[name]["requests"]]
        self.chance.shuffle(lines)
        return "\r\n".join(lines).encode()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *_): pass

    def reply(self, status, body, kind="application/json", headers=()):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in dict(headers).items(): self.send_header(name, value)
        self.end_headers()   # no length: the end of the connection is the end of the body
        self.wfile.write(data)

    def wrong(self, status, kind, message="no", headers=()):
        self.reply(status, {"type": "error", "error": {"type": kind, "message": message}}, headers=headers)

    def gone(self): self.wfile.flush(); self.connection.close(); raise ConnectionAbortedError

    def handle_one_request(self):
        try: super().handle_one_request()
        except (ConnectionError, ValueError): self.close_connection = True   # closed on purpose

    def do_GET(self): self.do("GET")
    def do_POST(self): self.do("POST")
    def do_DELETE(self): self.do("DELETE")

    def do(self, method):
        app, data = self.app, self.rfile.read(int(self.headers.get("Content-Length") or 0))
        body = json.loads(data) if data else None
        with app.lock:
            app.journal.append((method, self.path, body))
            if not KNOWN.fullmatch(f"{method} {self.path}"): app.strange.append(f"{method} {self.path}")
            fault = app.faults.pop(0) if app.faults and method == "POST" else None
        if not self.headers.get("Authorization") and not self.headers.get("X-Api-Key"): return self.wrong(401, "authentication_error")
        if fault == "429": return self.wrong(429, "rate_limit_error", headers={"Retry-After": "0"})
        if fault == "500": return self.wrong(500, "api_error")
        if fault == "gone": return self.gone()
        path = self.path.split("?")[0]
        if path == "/v1/messages": return self.stream(app.message(body), fault) if body.get("stream") else self.reply(200, app.message(body))
        if path.endswith("/count_tokens"): return self.reply(200, {"input_tokens": 812})
        self.batch(method, path, body, fault)

    def batch(self, method, path, body, fault):
        app, parts = self.app, path.split("/")[4:]
        if not parts and method == "POST":
            with app.lock:
                name = f"batch-{len(app.batches):03}"
                app.batches[name] = dict(requests=body["requests"], ends=time.time() + app.batch_seconds,
                                         made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
            if fault == "lost": return self.gone()
            return self.wrong(503, "api_error") if fault == "made, but 503" else self.reply(200, app.view(name))
        if not parts:
            names = sorted(app.batches, reverse=True)
            after = re.search(r"after_id=([\w-]+)", self.path)
            if after: names = names[names.index(after[1]) + 1:]
            return self.reply(200, {"data": [app.view(n) for n in names[:1]], "has_more": len(names) > 1,
                                    "first_id": names[0] if names else None, "last_id": names[0] if names else None})
        if parts[0] not in app.batches: return self.wrong(404, "not_found_error")
        if parts[1:] == ["results"]:
            if not app.view(parts[0])["results_url"]: return self.wrong(404, "not_found_error")
            return self.reply(200, app.results(parts[0]), "application/x-jsonl")
        self.reply(200, app.view(parts[0]))

    def stream(self, message, fault):
        app, text = self.app, message["content"][1]["text"]
        start = {**message, "content": [], "stop_reason": None, "usage": {**message["usage"], "output_tokens": 1}}
        events = [("message_start", {"message": start}), ("ping", {}),
                  ("content_block_start", {"index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
                  ("content_block_delta", {"index": 0, "delta": {"type": "thinking_delta", "thinking": 'say "text_delta" {"fixed": "no"}'}}),
                  ("content_block_stop", {"index": 0}), ("content_block_start", {"index": 1, "content_block": {"type": "text"}}),
                  *(("content_block_delta", {"index": 1, "delta": {"type": "text_delta", "text": c}}) for c in text),
                  ("content_block_stop", {"index": 1}), ("something_new", {"index": 9}),
                  ("message_delta", {"delta": {"stop_reason": "end_turn", "stop_sequence": None},
                                     "usage": {"input_tokens": None, "output_tokens": 40}}), ("message_stop", {})]
        data = b"".join(f": hello\r\nevent: {name}\r\ndata:{json.dumps({'type': name, **more}, ensure_ascii=False)}\r\n\r\n".encode()
                        for name, more in events)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.end_headers()
        time.sleep(app.delay)
        if fault == "half": self.wfile.write(data[:len(data) // 2]); self.gone()
        while data:
            n = app.chance.choice((1, 7, 1000))
            self.wfile.write(data[:n])
            data = data[n:]
