"""A stand-in for the product's REST API: just enough of it to show what the example agent does."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

ENDED = {"succeeded", "rejected", "failed", "denied", "expired", "lapsed", "withdrawn", "partial"}
EXECUTORS = {"letter": "agent", "call_customer": "human"}
RESULTS: dict[str, dict[str, Any]] = {
    "booking": {"booking": "hb_00001", "house": "Harbour House"},
    "exchange_rate": {"currency": "GBP", "rate": "1.15"},
}
ORDER = {"order": "A-1", "total": "80.10", "currency": "EUR", "customer": "Ana Lindqvist", "state": "delivered"}


class Desk:
    """Runs and effects by their keys; what becomes of an effect is a list of states, one for each look."""

    def __init__(self, letters: Path = Path("nowhere")) -> None:
        self.letters = letters  # where the agent keeps those that it writes
        self.runs: dict[str, dict[str, Any]] = {}
        self.effects: dict[str, dict[str, Any]] = {}
        self.course: dict[str, list[str]] = {}  # by operation
        self.refuse: dict[str, tuple[int, dict[str, Any]]] = {}  # by the path's last word
        self.drop: list[str] = []  # do it, and close the connection without a word: by the path's last word
        self.heard: list[tuple[str, str, str | None]] = []  # method, path, key
        self.ended_by: dict[str, str] = {}  # keys of endings: one agent's, whatever the run
        self.first: dict[str, str] = {}  # the state in which an effect is accepted, by operation
        self.permits: dict[str, dict[str, Any]] = {}
        self.reports: list[dict[str, Any]] = []
        self.beats = 0
        self.leaves_out: list[str] = []  # keys of effects that a brief has no room for
        self.decides: list[str] = []  # what resumes decide, one after the other; then: to go on
        self.url = ""

    def post(self, path: str, key: str, token: str | None, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        words = path.strip("/").split("/")[2:]
        if words[0] == "attempts":
            return self._attempted(words[1], words[2], token, body)
        if len(words) == 1:
            return self._made(self.runs, key, {**body, "epoch": 1, "version": 1, "state": "running", "ended_at": None})
        effect = next((effect for effect in self.effects.values() if effect["id"] == words[1]), None)
        run = next(run for run in self.runs.values() if run["id"] == (effect["run"] if effect else words[1]))
        if words[-1] == "resume":
            return self._resumed(run, body)
        if token != str(run["epoch"]):
            return 409, {"code": "stale_token", "detail": "Someone else drives this run."}
        if effect is not None:
            return self._begun(effect, key) if words[2] == "attempts" else self._withdrawn(effect)
        return self._driven(run, key, path, body)

    def _driven(self, run: dict[str, Any], key: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        deed = path.rpartition("/")[2]
        if deed == "renew":
            return 200, {"epoch": run["epoch"]}
        return self._proposed(run, key, body) if deed == "effects" else self._ended(run, key, path, body)

    def _resumed(self, run: dict[str, Any], body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        decision = self.decides.pop(0) if self.decides else "continue"
        run["epoch"] += 1
        run["holder"] = body["holder"]
        own = [
            effect
            for effect in self.effects.values()
            if effect["run"] == run["id"] and effect["key"] not in self.leaves_out
        ]
        done = [effect for effect in own if effect["state"] == "succeeded"]
        rest = [effect for effect in own if effect["state"] != "succeeded"]
        parts = {
            "known": {"done": {"first": done}, "not_done": {"first": []}},
            "uncertain": {name: {"first": []} for name in ("unknown", "in_flight", "partial")},
            "authorised": {"awaiting_approval": {"first": rest}, "not_begun": {"first": []}},
        }
        return 200, {"decision": decision, "reason": "So it stands.", "epoch": run["epoch"], "brief": parts}

    def _proposed(self, run: dict[str, Any], key: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        summary = f"{body['operation']} {body['arguments']}"
        made = {
            **body, "state": self.first.get(body["operation"], "ready"), "summary": summary, "approval": None, "result": None,
            "run": run["id"], "executor": EXECUTORS.get(body["operation"], "http"), "attempts": [],
        }  # fmt: skip
        status, effect = self._made(self.effects, f"{run['id']}|{key}", made)
        return status, {name: value for name, value in effect.items() if name != "attempts"}

    def _ended(self, run: dict[str, Any], key: str, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if self.ended_by.setdefault(key, path) != path:
            return 422, {"code": "key_reused", "detail": "This key was used for something else."}
        run |= {"state": path.rpartition("/")[2], "ended_at": "now", **body}
        return 200, run

    def get(self, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        words = path.strip("/").split("/")[2:]
        if words[0] == "runs" and len(words) > 1:
            return 200, next(run for run in self.runs.values() if run["id"] == words[1])
        if words[0] == "runs":
            wanted = [run for run in self.runs.values() if query.get("state") != ["open"] or not run["ended_at"]]
            newest = wanted[::-1]
            at = int(query.get("cursor", ["0"])[0])
            more = str(at + 2) if len(newest) > at + 2 else None
            return 200, {"items": newest[at : at + 2], "next_cursor": more}
        effect = next(effect for effect in self.effects.values() if effect["id"] == words[1])
        if effect["executor"] == "agent" and effect["state"] != "unknown":
            self._look_for_a_sign_of_life(effect)
            return 200, effect
        left = self.course.setdefault(effect["id"], list(self.course.get(effect["operation"], ["succeeded"])))
        effect["state"] = left.pop(0) if len(left) > 1 else left[0]
        if effect["state"] == "succeeded":
            effect["result"] = RESULTS.get(effect["operation"]) or {effect["operation"]: "done"}
        if effect["state"] == "partial":
            effect["result"] = {"page": "2026-10-01", "left_out": ["P01-1"]}
        if effect["state"] == "denied":
            effect["approval"] = {"state": "denied", "reason": "We do not refund kettles."}
        return 200, effect

    def _begun(self, effect: dict[str, Any], key: str) -> tuple[int, dict[str, Any]]:
        if key in self.permits:
            return 200, self.permits[key]
        if effect["state"] != "ready":
            return 409, {"code": "not_ready", "detail": "This cannot be begun as it stands."}
        number = len(effect["attempts"]) + 1
        effect["attempts"].append({"number": number, "state": "running"})
        effect["state"] = "dispatched"
        made = {"attempt": f"{effect['id']}.{number}", "fence": number, "arguments": effect["arguments"]}
        self.permits[key] = {**made, "effect_key": f"cf-{effect['id']}", "effect": effect["id"]}
        return 200, self.permits[key]

    def _attempted(
        self, attempt: str, deed: str, token: str | None, said: dict[str, Any]
    ) -> tuple[int, dict[str, Any]]:
        ident, _, number = attempt.rpartition(".")
        effect = next(effect for effect in self.effects.values() if effect["id"] == ident)
        if token != number or effect["state"] != "dispatched":
            return 409, {"code": "lease_lost", "detail": "The lease of this attempt has ended."}
        if deed == "heartbeat":
            self.beats += 1
            return 200, {}
        self.reports.append(said)
        effect["state"] = {"transient": "ready"}.get(said["outcome"], said["outcome"])
        effect["state_reason"], effect["result"] = said.get("reason", ""), said.get("result")
        return 200, {"state": effect["state"]}

    def _look_for_a_sign_of_life(self, effect: dict[str, Any]) -> None:
        """Whoever looks and does not work has let the lease run out by the third look."""
        effect["looks"] = effect.get("looks", 0) + 1 if effect["state"] == "dispatched" else 0
        if effect["looks"] > 2:
            effect["state"] = "unknown"

    def _withdrawn(self, effect: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.course[effect["id"]] = ["withdrawn"]
        effect["state"] = "withdrawn"
        return 200, effect

    def _made(self, kept: dict[str, Any], place: str, new: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        if place in kept:
            return 200, kept[place]
        key = place.partition("|")[2] or place
        kept[place] = {"id": f"id-{len(self.runs)}-{len(self.effects)}", "key": key, **new}
        return 201, kept[place]


RESULTS["lookup"] = ORDER


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
