"""The real workshop, without a shift around it: attempts that were claimed are made, and what came back is written down."""

import asyncio
from collections.abc import Sequence

from runs.lines import Line
from runs.settling import Settlement, settle
from runs.workshop import ContractWorkshop
from tests import databases
from tests.work import WORKER, Row, claimed


def work(rows: Sequence[Row]) -> list[Settlement | None]:
    """Make these attempts and write down what came back."""
    return asyncio.run(_work(rows))


async def _work(rows: Sequence[Row]) -> list[Settlement | None]:
    url = databases.variables()["DATABASE_WORKER_URL"]
    async with ContractWorkshop() as workshop, Line(url, WORKER) as line:
        await workshop.prepare(line, list(rows))
        answers = await asyncio.gather(*(workshop.perform(row) for row in rows))
        found = [answer for answer in answers if answer is not None]
        if found:
            await settle(line, found, WORKER)
        return list(answers)


def once() -> Settlement:
    """Claim what is due, and make that one attempt."""
    answer = work([claimed()])[0]
    assert answer is not None
    return answer
