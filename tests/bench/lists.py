"""Reading the product's lists in a process of its own: how many statements each takes, how long, and how PostgreSQL goes about them."""

import re
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import django

from tests.bench.program import obey

LINK = re.compile(r'href="([^"]*[?&]after=[^"]*)"')
API = "/api/v1"
SKIPPED = ("select set_config", "savepoint", "release savepoint", "begin", "commit")
Execute = Callable[[str, Any, bool, dict[str, Any]], Any]


class Explainer:
    """Counts the statements of a request and has PostgreSQL explain each that reads, in the same transaction."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.plans: list[str] = []
        self.explaining = False

    def __call__(self, execute: Execute, sql: str, parameters: Any, many: bool, context: dict[str, Any]) -> Any:
        if not self.explaining and not sql.lower().startswith(SKIPPED):
            self.statements.append(sql)
            if sql.startswith("SELECT") and "FOR " not in sql:
                self.explain(sql, parameters, context)
        return execute(sql, parameters, many, context)

    def explain(self, sql: str, parameters: Any, context: dict[str, Any]) -> None:
        """Have a statement explained."""
        self.explaining = True
        try:
            with context["connection"].cursor() as cursor:
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {sql}", parameters)
                self.plans.append(sql + "\n" + "\n".join(line for (line,) in cursor.fetchall()))
        finally:
            self.explaining = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Listen to every connection of this process."""
        from django.db import connections

        with connections["default"].execute_wrapper(self), connections["worker"].execute_wrapper(self):
            yield


class Reader:
    """A member and an agent who read lists."""

    def __init__(self) -> None:
        from django.conf import settings
        from django.test import Client

        from console.database import crossing_tenants
        from console.identity import administration
        from console.identity.models import Agent, Member
        from console.ledger.actors import Actor

        with crossing_tenants():
            ann = Member.objects.select_related("user").get(user__email="ann@bench.example")
            agent = Agent.objects.get()
            by = Actor(kind="system", id=None, name="command", tenant_id=agent.tenant_id, via="command")
            _, key = administration.issue_key(by, agent, lasts=timedelta(days=1), scopes=list(administration.SCOPES))
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(ann.user, backend=settings.AUTHENTICATION_BACKENDS[0])
        self.agent = {"Authorization": f"Bearer {key}"}

    def get(self, path: str) -> Any:
        """Read an address, as the agent if it is the API's. Raises RuntimeError."""
        answer = self.client.get(path, headers=self.agent if path.startswith(API) else None)
        if answer.status_code != 200:
            raise RuntimeError(f"GET {path}: {answer.status_code} {answer.content[:500]!r}")
        return answer

    def addresses(self) -> dict[str, Any]:
        """Give the addresses of the lists, each with a page further on where there is one."""
        run = self.get(f"{API}/runs").json()["items"][0]["id"]
        found = ["/", "/runs", "/runs?state=running", "/approvals", "/unknown", f"/runs/{run}"]
        found += ["/unknown?sort=consequence", "/unknown?owner=nobody"]
        found += [f"{API}/runs", f"{API}/runs?state=open", f"{API}/runs?state=failed", f"{API}/approvals"]
        found += [f"{API}/runs/{run}/effects", f"{API}/runs/{run}/history"]
        further = [then for path in found if (then := self.further(path))]
        return {"addresses": found + further}

    def further(self, path: str) -> str | None:
        """Give the address of the page after this one."""
        answer = self.get(path)
        if path.startswith(API):
            cursor = answer.json()["next_cursor"]
            return f"{path}{'&' if '?' in path else '?'}cursor={cursor}" if cursor else None
        link = LINK.search(answer.content.decode())
        return link[1].replace("&amp;", "&") if link else None

    def read(self, path: str, times: int) -> dict[str, Any]:
        """Read an address so many times and once more with every statement explained."""
        self.get(path)
        taken = []
        for _ in range(times):
            began = time.perf_counter()
            self.get(path)
            taken.append((time.perf_counter() - began) * 1000)
        explainer = Explainer()
        with explainer.watching():
            self.get(path)
        return {
            "queries": len(explainer.statements),
            "milliseconds": round(statistics.median(taken), 1),
            "plans": explainer.plans,
        }


if __name__ == "__main__":
    django.setup()
    reader = Reader()
    obey({"addresses": reader.addresses, "read": reader.read})
