"""Claims whose answer was lost: the connection broke around the commit, so attempts may have been written that nobody will ever begin.

The shift made their ids and begins only what it was told of; so it knows that nothing was sent, and gives them back instead of leaving
writes to become unknown when their leases end."""

import logging
import time
from collections.abc import Iterable
from uuid import UUID

from console.exact import canonical
from runs.lines import Line
from runs.settling import Settlement, settle
from runs.states import ACT, READY

logger = logging.getLogger(__name__)
WRITTEN = """select t.id, t.fence, t.kind, e.state, e.next_step from runs_attempt t join runs_effect e on e.id = t.effect_id
             where t.id = any(%s) and t.worker = %s and t.state = 'running'"""
WHY = "The answer to the claim was lost; nothing was begun."


class Unheard:
    """The attempts that a shift asked for and was not told of. What a broken connection left may commit late; it is looked for a while."""

    def __init__(self, worker: str, lease_seconds: float) -> None:
        self.worker, self.lease_seconds = worker, lease_seconds
        self.until: dict[UUID, float] = {}

    def add(self, attempts: Iterable[UUID]) -> None:
        """Take note of attempts that may have been written."""
        limit = time.monotonic() + self.lease_seconds
        self.until.update(dict.fromkeys(attempts, limit))

    async def give_back(self, line: Line) -> None:
        """Give back what was written of them, as not sent. Costs nothing while there is nothing to look for."""
        if not self.until:
            return
        found = await line.ask(WRITTEN, [list(self.until), self.worker])
        if found:
            logger.warning("the answer to a claim was lost; %d attempts are given back", len(found))
            await settle(line, [_not_sent(**row) for row in found], self.worker)
        now = time.monotonic()
        back = {row["id"] for row in found}
        self.until = {attempt: limit for attempt, limit in self.until.items() if limit > now and attempt not in back}


def _not_sent(id: UUID, fence: int, kind: str, state: str, next_step: str) -> Settlement:  # noqa: A002 - as the column is called
    return Settlement(
        attempt_id=id, fence=fence, outcome="not_sent", state=READY if kind == ACT else state, delay=0.0, http_status=None, sent=False,
        reason=WHY, result=None, reference="", evidence=canonical({"error": WHY}), step="" if kind == ACT else next_step,
    )  # fmt: skip
