"""News about unknown effects that people make for each other. Each is posted in the transaction of the move that makes it so."""

from datetime import datetime

from console.clock import instant
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.audience import owners
from console.notices.posting import post
from runs import catalogue
from runs.contracts.operation import UnknownRule
from runs.models import Effect, Resolution
from runs.states import CANNOT_TELL
from runs.unknowns.alerts import effect_path, owner_name
from runs.unknowns.sentences import FOUND


def finding_waits(by: Actor, effect: Effect, resolution: Resolution) -> None:
    """Tell operators and the owning group, but not whoever made it, that a finding waits for a second person."""
    roles, groups = owners(owner_name(effect, _rule(effect)))
    post(
        effect.tenant_id, kinds.SECOND_PERSON, about=effect.pk, path=effect_path(effect),
        title=f"Confirm or decline: {_in_a_line(effect.summary)}",
        text=f"{by.name} found {FOUND[resolution.exit]}. It counts only when a second person confirms it.",
        to_roles={"operator", *roles}, to_groups=groups, but_not=[by.principal], key=f"resolution:{resolution.pk}:waits",
    )  # fmt: skip


def passed_on(by: Actor, effect: Effect, resolution: Resolution, now: datetime) -> None:
    """Tell those to whom an effect passes because nobody could tell what became of it."""
    if resolution.exit == CANNOT_TELL:
        handed_over(by, effect, resolution.reason, now)


def handed_over(by: Actor, effect: Effect, reason: str, now: datetime) -> None:
    """Tell whoever an effect now belongs to (its owner, else its group) that somebody handed it to them."""
    roles, groups = ((), ()) if effect.owner_id else owners(owner_name(effect, _rule(effect)))
    post(
        effect.tenant_id, kinds.HANDED_OVER, about=effect.pk, path=effect_path(effect),
        title=f"Handed to you: {_in_a_line(effect.summary)}",
        text=f"{by.name} handed it over{f', saying: {reason}' if reason else '.'}",
        to_members=[effect.owner_id] if effect.owner_id else (), to_roles=roles, to_groups=groups,
        but_not=[by.principal], key=f"effect:{effect.pk}:handed:{instant(now)}",
    )  # fmt: skip


def _rule(effect: Effect) -> UnknownRule:
    return catalogue.operations_by_id([effect.operation_id])[effect.operation_id].document.unknown


def _in_a_line(text: str) -> str:
    return " ".join(text.split())
