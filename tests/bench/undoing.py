"""Planning and the desk in a process of its own: how planning grows with the effects, and the desk with very many work items."""

import statistics
import time
from typing import Any
from uuid import UUID, uuid4

import django

from tests.bench.inbox import measured
from tests.bench.program import obey

AT_ONCE = 500
DESK = "/compensation"


class Undoing:
    """A shop in which very much is to be made good for."""

    def planned(self, effects: int, times: int, operations: int = 10) -> dict[str, Any]:
        """Plan a run of so many effects of so many operations, each after the next one, purely, so many times."""
        from compensation.plans.planning import plan

        known, case = _facts(effects, operations)
        taken = []
        for _ in range(times):
            began = time.perf_counter()
            made = plan(known, case)
            taken.append((time.perf_counter() - began) * 1000)
        if len(made.items) != effects:
            raise RuntimeError(f"{len(made.items)} items of {effects} effects")
        return {"milliseconds": round(statistics.median(taken), 3)}

    def open(self, items: int, within: float) -> dict[str, Any]:
        """Have so many work items open, in runs that are being cancelled: what makes good for each is due, and nobody works."""
        from django.conf import settings
        from django.test import Client

        from tests.compensation.undoing import answer, begun, with_undoing
        from tests.shop import open_shop
        from tests.work import claim, sweep

        shop = with_undoing(open_shop(f"desk-{items}"))
        runs = [begun(shop, *["book"] * min(AT_ONCE, items - first)) for first in range(0, items, AT_ONCE)]
        while rows := claim(500):
            answer(rows)
        for run in runs:
            shop_cancels(shop, run)
        until = time.monotonic() + within
        while self._open_items() < items and time.monotonic() < until:
            sweep()
        self.client = Client(SERVER_NAME="localhost")
        self.client.force_login(shop.members["oscar"].user, backend=settings.AUTHENTICATION_BACKENDS[0])
        return {"items": self._open_items()}

    def page(self, times: int) -> dict[str, Any]:
        """Read the desk."""

        def look() -> None:
            answer = self.client.get(DESK)
            if answer.status_code != 200:
                raise RuntimeError(f"GET {DESK}: {answer.status_code} {answer.content[:500]!r}")

        return measured(look, times)

    def _open_items(self) -> int:
        from compensation.models import WorkItem
        from compensation.states import ITEM_OPEN
        from tests.cast import inside

        with inside():
            return WorkItem.objects.filter(state__in=ITEM_OPEN).count()


def shop_cancels(shop: Any, run: UUID) -> None:
    """Cancel a run as the shop's operator."""
    from tests.cancels import cancel

    cancel(shop, run)


def _facts(effects: int, operations: int) -> tuple[list[Any], Any]:
    from datetime import UTC, datetime

    from compensation.plans.planning import Case, Known
    from runs.contracts.undoing import undoing

    chain = {f"op-{n}": [f"op-{n + 1}"] if n < operations - 1 else [] for n in range(operations)}
    read = {
        name: undoing({"operation": "undo", "on": ["cancelled"], "after": after, "arguments": {"what": "{result.id}"}}, consequential=True)
        for name, after in chain.items()
    }  # fmt: skip
    known = [
        Known(
            id=uuid4(), number=number, operation=f"op-{number % operations}", undoing=read[f"op-{number % operations}"], state="succeeded",
            key=f"e-{number}", summary=f"Do {number}", arguments={"to": "bob"}, result={"id": f"r-{number}"},
        )
        for number in range(1, effects + 1)
    ]  # fmt: skip
    case = Case(cause="cancelled", reason="It is off.", now=datetime.now(UTC), takes={"undo": {"what"}})
    return known, case


if __name__ == "__main__":
    django.setup()
    undoing = Undoing()
    obey({"planned": undoing.planned, "open": undoing.open, "page": undoing.page})
