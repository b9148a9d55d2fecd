"""The inbox with thousands pending, in a process of its own: the page, a decision as the form sends it, and the use of an approval."""

import statistics
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import django

from tests.bench.lists import Explainer
from tests.bench.program import obey

AT_ONCE = 500


class Inbox:
    """A shop in which very many payments wait for one approval."""

    def open(self, pending: int) -> dict[str, Any]:
        """Have so many wait."""
        from django.conf import settings
        from django.test import Client

        from tests.shop import draft, open_shop

        self.shop = open_shop(f"inbox-{pending}")
        for first in range(0, pending, AT_ONCE):
            self.shop.accept(*[draft(f"e-{n}", "250") for n in range(first, min(first + AT_ONCE, pending))])
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(self.shop.members["ann"].user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return {"pending": pending}

    def page(self, times: int) -> dict[str, Any]:
        """Read the inbox."""
        return measured(lambda: self._get("/approvals"), times)

    def decision(self, times: int) -> dict[str, Any]:
        """Approve one request after the other by the card's form."""
        from approvals.models import Request
        from tests.cast import inside

        with inside():
            found = list(Request.objects.filter(tenant_id=self.shop.tenant.pk, state="pending")[: times + 2])
        waiting = iter(found)

        def decide() -> None:
            request = next(waiting)
            form = {
                "verdict": "approve", "shown_digest": request.subject_digest.hex(), "reason": "", "idempotency_key": str(request.pk),
                "has_read": "1",
            }  # fmt: skip
            answer = self.client.post(f"/approvals/{request.pk}/decide", form)
            if answer.status_code != 303:
                raise RuntimeError(f"{answer.status_code} {answer.content[:300]!r}")

        return measured(decide, times)

    def use(self, times: int) -> dict[str, Any]:
        """Use one approval after the other of what an agent does by itself."""
        from runs.pausing import alone
        from tests.approvals.test_alone import PAY, stored

        waiting = []
        for number in range(times + 2):
            request = stored(UUID(alone.ask_alone(self.shop.bot, PAY, key=f"alone-{number}")["approval"]))
            self.shop.approve(request)
            waiting.append(request)
        left = iter(waiting)

        def use() -> None:
            request = next(left)
            alone.consume(self.shop.bot, request.pk, digest=request.subject_digest.hex(), key=f"use-{request.pk}")

        return measured(use, times)

    def _get(self, path: str) -> None:
        answer = self.client.get(path)
        if answer.status_code != 200:
            raise RuntimeError(f"GET {path}: {answer.status_code} {answer.content[:500]!r}")


def measured(act: Callable[[], None], times: int) -> dict[str, Any]:
    """Do it so many times, and once more with every statement that reads explained."""
    act()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append((time.perf_counter() - began) * 1000)
    explainer = Explainer()
    with explainer.watching():
        act()
    return {
        "milliseconds": round(statistics.median(taken), 1), "queries": len(explainer.statements), "plans": explainer.plans,
    }  # fmt: skip


if __name__ == "__main__":
    django.setup()
    inbox = Inbox()
    obey({"open": inbox.open, "page": inbox.page, "decision": inbox.decision, "use": inbox.use})
