"""The few calls of the REST API that an agent needs.

Every POST carries an Idempotency-Key, so whenever an answer is lost the same request can simply be sent again: the server
does it once and tells again what became of it. That is why this may try for ever and never does anything twice."""

import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from socket import gethostname
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

Document = dict[str, Any]
LONG_POLL = (
    "20s"  # after each the agent says that it is alive: three times in a lease of a minute, so that one may come late
)
VERSIONS = {
    "workflow": "1",
    "code": "1",
}  # what this agent is; the contract's pins say what a change of it does to a resume
PATIENCE_SECONDS = 45  # longer than a long poll
PAUSES = (0.5, 1, 2, 4, 5)
COME_AGAIN = frozenset({429, 500, 502, 503, 504})


class Refused(Exception):
    """The server refused, and said why in a problem document."""

    def __init__(self, status: int, problem: Document) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"HTTP {status}")
        self.status = status
        self.code = str(problem.get("code", ""))
        self.problem = problem


class Api:
    """Calls to one server under one agent's key."""

    def __init__(self, url: str, key: str, tell: Callable[[str], None] = print) -> None:
        self.holder = f"{gethostname()[:60]}/{uuid4().hex[:12]}"  # this process, by a name that no other has
        self._where = urlsplit(url)
        self._key = key
        self._tell = tell
        self._away = False  # whether the server was last found not answering

    def open_run(self, key: str, run_type: str, goal: str) -> Document:
        """Say what you set out to do. The answer's `epoch` is your token if its `holder` is you: then you drive this run."""
        return self._call("POST", "/api/v1/runs", {"run_type": run_type, "goal": goal, "holder": self.holder}, key=key)

    def resume(self, run: Document, attempt: int) -> Document:
        """Take over a run that another process began. The answer decides whether to go on, and its brief says from where."""
        key, body = f"{run['key']}/resume/{self.holder}/{attempt}", {"holder": self.holder, "versions": VERSIONS}
        return self._call("POST", f"/api/v1/runs/{run['id']}/resume", body, key=key)

    def renew(self, run: Document) -> Document:
        """Say that you still drive the run; without such signs another process may take it over."""
        return self._call("POST", f"/api/v1/runs/{run['id']}/renew", {}, token=run["epoch"])

    def await_run(self, run: Document) -> Document:
        """Wait until the run has changed, or a while has passed."""
        return self._call("GET", f"/api/v1/runs/{run['id']}?wait={LONG_POLL}&known={run['version']}")

    def read_run(self, run: Document) -> Document:
        """Read the run as it stands."""
        return self._call("GET", f"/api/v1/runs/{run['id']}")

    def runs(self, **filters: str) -> Iterator[Document]:
        """Give your own runs, newest first, page by page."""
        cursor: str | None = ""
        while cursor is not None:
            query = {"mine": "true", **filters, **({"cursor": cursor} if cursor else {})}
            page = self._call("GET", "/api/v1/runs?" + urlencode(query))
            yield from page["items"]
            cursor = page.get("next_cursor")

    def propose(
        self, run: Document, key: str, operation: str, arguments: Document, reason: str, within: int | None = None
    ) -> Document:
        """Propose an effect. It is done at once, asked about, or denied, as the policy has it; `within` seconds, or not at all."""
        body: Document = {"operation": operation, "arguments": arguments, "reason": reason}
        if within is not None:
            body["deadline_seconds"] = within
        return self._call("POST", f"/api/v1/runs/{run['id']}/effects", body, key=key, token=run["epoch"])

    def look(self, effect: Document) -> Document:
        """Read an effect as it stands, with its attempts."""
        return self._call("GET", f"/api/v1/effects/{effect['id']}")

    def await_news(self, effect: Document) -> Document:
        """Wait until the effect's state is another one, or a while has passed."""
        return self._call("GET", f"/api/v1/effects/{effect['id']}?wait={LONG_POLL}&known={effect['state']}")

    def begin(self, run: Document, effect: Document, attempt: int) -> Document:
        """Begin an effect that you do yourself. The permit says what, and its `fence` is your token for this attempt."""
        key = f"{run['key']}/{effect['key']}/begin-{attempt}"
        return self._call("POST", f"/api/v1/effects/{effect['id']}/attempts", {}, key=key, token=run["epoch"])

    def heartbeat(self, permit: Document) -> Document:
        """Say that you are still at it; without such signs the permit ends, and what you did is unknown."""
        return self._call("POST", f"/api/v1/attempts/{permit['attempt']}/heartbeat", {}, token=permit["fence"])

    def report(self, permit: Document, outcome: str, **said: object) -> Document:
        """Say what came of it: result, reason, reference, evidence."""
        path, body = f"/api/v1/attempts/{permit['attempt']}/report", {"outcome": outcome, **said}
        return self._call("POST", path, body, key=f"{permit['attempt']}/report", token=permit["fence"])

    def withdraw(self, run: Document, effect: Document, reason: str) -> Document:
        """Take back an effect that has not begun."""
        key = f"{run['key']}/{effect['key']}/withdraw"
        body = {"reason": reason}
        return self._call("POST", f"/api/v1/effects/{effect['id']}/withdraw", body, key=key, token=run["epoch"])

    def complete(self, run: Document, result: Document, unresolved: list[str] | None = None) -> Document:
        """End the run with a result; refused while something it needs is not known to be done and is not named here."""
        return self._end(run, "complete", {"result": result, "accept_unresolved": unresolved or []})

    def fail(self, run: Document, reason: str) -> Document:
        """Give the run up, and say why."""
        return self._end(run, "fail", {"reason": reason})

    def _end(self, run: Document, how: str, body: Document) -> Document:
        key = f"{run['key']}/{how}"  # such a key is the agent's, not the run's, so it says which run it ends
        return self._call("POST", f"/api/v1/runs/{run['id']}/{how}", body, key=key, token=run["epoch"])

    def _call(
        self, method: str, path: str, body: Document | None = None, *, key: str | None = None, token: int | None = None
    ) -> Document:
        """Send the request until it is answered; Refused when the answer is no."""
        headers = {"Authorization": f"Bearer {self._key}", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        if token is not None:
            headers["Fencing-Token"] = str(token)
        tries = 0
        while True:
            status, answer, wait = self._send(method, path, body, headers)
            self._notice(status)
            if status < 400:
                return answer
            if status not in COME_AGAIN:
                raise Refused(status, answer)
            time.sleep(wait or PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1

    def _notice(self, status: int) -> None:
        """Say when the server stops answering and when it answers again, once each."""
        away = status in COME_AGAIN
        if away != self._away:
            self._away = away
            self._tell("The server does not answer; waiting for it." if away else "The server answers.")

    def _send(
        self, method: str, path: str, body: Document | None, headers: dict[str, str]
    ) -> tuple[int, Document, float]:
        """Send once: the status, the document, and how long the server asks to wait. Nobody there counts as 503."""
        kind = HTTPSConnection if self._where.scheme == "https" else HTTPConnection
        connection = kind(self._where.netloc, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            raw = answer.read()
            wait = answer.headers.get("Retry-After", "")
            return answer.status, json.loads(raw or b"{}"), float(wait) if wait.isdigit() else 0
        except (OSError, HTTPException, ValueError):
            return 503, {}, 0
        finally:
            connection.close()
