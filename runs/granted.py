"""Effects that a standing approval covers: nobody is asked about them, and the record says by which it goes."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import cast
from uuid import UUID

from approvals.granting.covering import Intent, covering
from approvals.policies import Ruling
from approvals.policy_document import ASK
from console.exact import Object, decode
from console.identity.models import Agent
from runs.models import Effect


@dataclass(frozen=True, slots=True)
class Came:
    """An effect whose turn has come, with whose it is and what the policy says of it."""

    effect: Effect
    agent: Agent
    run_type: str
    ruling: Ruling


def granted(tenant_id: UUID, came: Iterable[Came], now: datetime) -> dict[UUID, UUID]:
    """Give the grant by which each of these effects goes that people would be asked about, and that one covers."""
    intents = [_intent(each) for each in came if _may_be_covered(each.ruling)]
    return covering(tenant_id, intents, now) if intents else {}


def _may_be_covered(ruling: Ruling) -> bool:
    return ruling.verdict == ASK and ruling.ask is not None and ruling.ask.grants is not None


def _intent(came: Came) -> Intent:
    effect, ask = came.effect, came.ruling.ask
    if ask is None:
        raise TypeError("nobody is asked")
    return Intent(
        subject=effect.pk, operation=effect.operation_name, agent_id=came.agent.pk, owner_id=came.agent.owner_id,
        run_type=came.run_type, target=effect.target, arguments=cast("Object", decode(effect.arguments.encode())), ask=ask,
        holds_unit=effect.holds_unit,
    )  # fmt: skip
