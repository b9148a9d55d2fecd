"""Who may look after what is not confirmed, and the effect held still while they do."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from console import clock
from console.clock import instant
from console.http.refusals import Forbidden, NotFound, Refusal
from console.identity.groups import belongs
from console.identity.models import Member
from console.ledger.actors import Actor
from runs import catalogue
from runs.contracts.operation import OperationDocument
from runs.models import Attempt, Effect, Resolution, Run
from runs.states import DENIED, EXPIRED, FAILED, IN_FORCE, LAPSED, OPEN, PARTIAL, REJECTED, UNKNOWN, WITHDRAWN

CAME_TO_NOTHING: Final = (REJECTED, FAILED, DENIED, LAPSED, EXPIRED, WITHDRAWN)


class NotAnOperator(Forbidden):
    """Operators and the members of the group that looks after it act on what is not confirmed."""

    code = "not_an_operator"


class NotUnknown(Refusal):
    """This is settled; there is nothing to find out any more."""

    code = "not_unknown"


@dataclass(frozen=True, slots=True)
class Held:
    """An effect and its run, locked, with everything that was tried, and the member who wants to do something about it."""

    run: Run
    effect: Effect
    attempts: list[Attempt]
    document: OperationDocument
    member: Member
    now: datetime

    @property
    def standing(self) -> dict[str, Any]:
        """Say how it stands: state and version."""
        return {"state": self.effect.state, "version": self.run.ledger_seq}


def hold(by: Actor, effect_id: UUID) -> Held:
    """Lock an effect and its run for a member who may act on it. Raises NotFound, NotAnOperator."""
    run_id = Effect.objects.filter(pk=effect_id, tenant_id=by.tenant).values_list("run_id", flat=True).first()
    if run_id is None:
        raise NotFound
    run = Run.objects.select_for_update(no_key=True).get(pk=run_id)
    effect = Effect.objects.select_for_update(no_key=True).get(pk=effect_id)
    effect.run = run
    document = document_of(effect)
    member = _member(by)
    if member is None or not may_act(member, effect, document):
        raise NotAnOperator(group=group_of(effect, document))
    return Held(run, effect, list(effect.attempts.order_by("number")), document, member, clock.now())


def document_of(effect: Effect) -> OperationDocument:
    """Give the contract that an effect was accepted under."""
    return catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document


def group_of(effect: Effect, document: OperationDocument) -> str:
    """Name the group that looks after an effect: the one that it was handed to, else the contract's."""
    return effect.owner_group or document.unknown.owner


def may_act(member: Member, effect: Effect, document: OperationDocument) -> bool:
    """Tell whether a member may act on an effect: an operator, or one of the group that looks after it."""
    return member.active and ("operator" in member.roles or belongs(member, group_of(effect, document)))


def may_confirm(member: Member, document: OperationDocument) -> bool:
    """Tell whether a member may say the second word: an operator, or one of the contract's own groups, so that the first chooses nobody."""
    groups = {document.unknown.owner, document.unknown.escalate_to or document.unknown.owner}
    return member.active and ("operator" in member.roles or any(belongs(member, group) for group in groups))


def is_replaced(effect: Effect) -> bool:
    """Tell whether another effect took its place that was done or may yet be; then it is not done after all (R-B3)."""
    return Effect.objects.filter(supersedes_id=effect.pk).exclude(state__in=CAME_TO_NOTHING).exists()


def is_unconfirmed(effect: Effect) -> bool:
    """Tell whether an effect is unknown, or done in part and its rest not settled."""
    return effect.state == UNKNOWN or (effect.state == PARTIAL and effect.reconciled_at is None)


def since(effect: Effect) -> datetime | None:
    """Give since when an effect waits to be settled: since it is unknown, or since it is known that it was done in part."""
    return effect.ended_at if effect.state == PARTIAL else effect.unknown_since


def check_unconfirmed(held: Held, states: Collection[str] = (UNKNOWN, PARTIAL)) -> None:
    """Refuse what is settled, saying what became of it and who found that out, and what was erased. Raises NotUnknown."""
    effect = held.effect
    if held.run.erased_at is not None:
        raise NotUnknown(
            "The contents of its run were erased; nothing more is written about it.",
            erased_at=instant(held.run.erased_at), **held.standing,
        )  # fmt: skip
    if is_unconfirmed(effect) and effect.state in states:
        return
    if effect.state in OPEN:
        raise NotUnknown("This is not unknown: it is under way, or waits for its turn.", **held.standing)
    found = Resolution.objects.filter(effect=effect, state=IN_FORCE).select_related("proposed_by__user")
    last = found.order_by("-number").first()
    raise NotUnknown(
        reason=effect.state_reason, ended_at=instant(effect.ended_at or effect.reconciled_at), exit=last.exit if last else None,
        by=last.proposed_by.user.name if last else None, **held.standing,
    )  # fmt: skip


def version_of(run: Run) -> int:
    """Read a run's version anew, after something was recorded."""
    return Run.objects.values_list("ledger_seq", flat=True).get(pk=run.pk)


def _member(by: Actor) -> Member | None:
    if by.kind != "member":
        return None
    return Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).select_related("user").first()
