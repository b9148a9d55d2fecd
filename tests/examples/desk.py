"""A stand-in for the product's REST API: just enough of it to show what the example agent does."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

ENDED = {"succeeded", "rejected", "failed", "denied", "expired", "lapsed"}
ORDER = {"order": "A-1", "total": "80.10", "currency": "EUR", "customer": "Ana Lindqvist", "state": "delivered"}


class Desk:
    """Runs and effects by their keys; what becomes of an effect is a list of states, one for each look."""

    def __init__(self) -> None:
        self.runs: dict[str, dict[str, Any]] = {}
        self.effects: dict[str, dict[str, Any]] = {}
        self.course: dict[str, list[str]] = {}  # by operation
        self.refuse: dict[str, tuple[int, dict[str, Any]]] = {}  # by the path's last word
        self.drop: list[str] = []  # do it, and close the connection without a word: by the path's last word
        self.heard: list[tuple[str, str, str | None]] = []  # method, path, key
        self.ended_by: dict[str, str] = {}  # keys of endings: one agent's, whatever the run
        self.url = ""

    def post(self, path: str, key: str, token: str | None, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        words = path.strip("/").split("/")[2:]
        if len(words) == 1:
            return self._made(self.runs, key, {**body, "epoch": 1, "state": "running", "ended_at": None})
        run = next(run for run in self.runs.values() if run["id"] == words[1])
        if token != str(run["epoch"]):
            return 409, {"code": "stale_token", "detail": "Someone else drives this run."}
        if words[2] == "effects":
            summary = f"{body['operation']} {body['arguments']}"
            made = {**body, "state": "ready", "summary": summary, "approval": None, "result": None, "run": run["id"]}
            return self._made(self.effects, f"{run['id']}|{key}", made)
        if self.ended_by.setdefault(key, path) != path:
            return 422, {"code": "key_reused", "detail": "This key was used for something else."}
        run |= {"state": words[2], "ended_at": "now", **body}
        return 200, run

    def get(self, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        words = path.strip("/").split("/")[2:]
        if words[0] == "runs":
            wanted = [run for run in self.runs.values() if query.get("state") != ["open"] or not run["ended_at"]]
            newest = wanted[::-1]
            at = int(query.get("cursor", ["0"])[0])
            more = str(at + 2) if len(newest) > at + 2 else None
            return 200, {"items": newest[at : at + 2], "next_cursor": more}
        effect = next(effect for effect in self.effects.values() if effect["id"] == words[1])
        left = self.course.setdefault(effect["id"], list(self.course.get(effect["operation"], ["succeeded"])))
        effect["state"] = left.pop(0) if len(left) > 1 else left[0]
        if effect["state"] == "succeeded":
            effect["result"] = ORDER if effect["operation"] == "lookup" else {effect["operation"]: "done"}
        if effect["state"] == "denied":
            effect["approval"] = {"state": "denied", "reason": "We do not refund kettles."}
        return 200, effect

    def _made(self, kept: dict[str, Any], place: str, new: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if place in kept:
            return 200, kept[place]
        key = place.partition("|")[2] or place
        kept[place] = {"id": f"id-{len(self.runs)}-{len(self.effects)}", "key": key, **new}
        return 201, kept[place]


@contextmanager
def opened(desk: Desk, port: int = 0) -> Iterator[Desk]:
    """Serve the desk."""

    class Door(BaseHTTPRequestHandler):
        def do_GET(self):
            self.answer()

        def do_POST(self):
            self.answer()

        def answer(self):
            where = urlsplit(self.path)
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            desk.heard.append((self.command, where.path, self.headers.get("Idempotency-Key")))
            last = where.path.rpartition("/")[2]
            if self.headers.get("Authorization") != "Bearer cf_key":
                status, answer = 401, {"detail": "No such key."}
            elif last in desk.refuse:
                status, answer = desk.refuse.pop(last)
            elif self.command == "POST":
                status, answer = desk.post(
                    where.path, self.headers["Idempotency-Key"], self.headers.get("Fencing-Token"), json.loads(raw)
                )
            else:
                status, answer = desk.get(where.path, parse_qs(where.query))
            if last in desk.drop:
                desk.drop.remove(last)
                self.close_connection = True
                return
            said = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *_):
            pass

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, *_):
            """Agents are killed in these tests; what they leave unread is nobody's fault."""

    with Quiet(("127.0.0.1", port), Door) as server:
        desk.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield desk
        server.shutdown()
        thread.join()
