"""What is not confirmed as the API shows it: owners, ways out, findings."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from console.clock import instant
from console.exact import Object, decode
from console.identity.models import Member
from runs.api import present
from runs.models import Effect, EvidenceFile, Resolution
from runs.unknowns.exits import Exit


def unknown(effect: Effect, group: str, waiting: Mapping[UUID, UUID], now: datetime) -> Object:
    """Show an effect with who looks after it; `group` is the one that does, `waiting` the findings that wait, by effect."""
    objective = effect.objective_at
    return {
        **present.effect(effect),
        "owner": person(effect.owner),
        "owner_group": group,
        "owned_at": instant(effect.owned_at),
        "objective_at": instant(objective),
        "overdue": objective is not None and objective <= now,
        "alerts": effect.alerts,
        "escalated_at": instant(effect.escalated_at),
        "attempts_granted": effect.attempts_granted,
        "next_step": effect.next_step or None,
        "waiting_finding": _id(waiting.get(effect.pk)),
    }


def way(found: Exit) -> Object:
    """Show a way out."""
    return {
        "exit": found.name, "then": found.then, "title": found.title, "next": found.next, "allowed": found.allowed,
        "why_not": found.why_not, "needs_second": found.needs_second, "attempts_left": found.attempts_left,
        "needs_extra": found.needs_extra,
    }  # fmt: skip


def resolution(found: Resolution) -> Object:
    """Show a finding, with the files beside it."""
    return {
        "id": str(found.pk), "effect": str(found.effect_id), "number": found.number, "exit": found.exit, "then": found.then,
        "evidence": found.evidence, "link": found.link or None, "files": [file(each) for each in found.files.all()],
        "reason": found.reason or None, "result": None if found.result is None else decode(found.result, 128),
        "reference": found.reference or None, "look_again_at": instant(found.look_again_at), "extra_attempts": found.extra_attempts,
        "to_group": found.to_group or None, "needs_second": found.needs_second, "state": found.state,
        "proposed_by": person(found.proposed_by), "proposed_at": instant(found.proposed_at), "decided_by": person(found.decided_by),
        "decided_at": instant(found.decided_at), "decided_reason": found.decided_reason or None,
    }  # fmt: skip


def file(found: EvidenceFile) -> Object:
    """Show what a file is, without its bytes."""
    return {
        "id": str(found.pk), "name": found.name, "media_type": found.media_type, "size": found.size, "digest": found.digest.hex(),
    }  # fmt: skip


def person(member: Member | None) -> Object | None:
    """Show a member; the user is read with it."""
    return None if member is None else {"id": str(member.pk), "name": member.user.name}


def _id(found: UUID | None) -> str | None:
    return None if found is None else str(found)
