"""Work items, plans and what a run makes good for as the API shows them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from compensation.numbers import Numbers, Outcomes
from compensation.queries import seen
from compensation.queries.desk import Counts
from compensation.queries.items import Chain
from compensation.queries.of_run import OfRun
from compensation.sentences import standing
from console.clock import instant
from console.exact import Object, Value, number_text
from runs.api import present, unknown_present
from runs.models import Effect


def item(found: seen.Item, now: datetime) -> Object:
    """Show a work item by itself."""
    return {
        "id": str(found.id),
        "plan": str(found.plan),
        "cause": found.cause,
        "run": str(found.run),
        "run_state": found.run_state,
        "number": found.number,
        "kind": found.kind,
        "effect": _effect(found.effect),
        "acting": _effect(found.acting),
        "tries": found.tries,
        "operation": found.operation or None,
        "arguments": found.arguments,
        "summary": found.summary,
        "target": found.target or None,
        "need": found.need,
        "weight": found.weight,
        "state": found.state,
        "waits_for": found.waits_for or None,
        "state_reason": found.state_reason or None,
        "says": standing(found.state, found.waits_for),
        "after": _ids(found.after),
        "after_count": found.after_count,
        "authority": found.authority or None,
        "deadline_at": instant(found.deadline_at),
        "overdue": found.is_overdue(now),
        "expects": [*found.expects],
        "difference": [*found.difference],
        "difference_digest": found.difference_digest or None,
        "residue": [*found.residue],
        "left": [*found.left],
        "verification": found.verification or None,
        "verified_by": found.verified_by or None,
        "instructions": found.instructions or None,
        "checklist": [*found.checklist],
        "needs_second": found.needs_second,
        "ladder": [*found.ladder],
        "level": found.level,
        "escalated_at": instant(found.escalated_at),
        "owner": _person(found.owner),
        "owner_group": found.owner_group or None,
        "owned_at": instant(found.owned_at),
        "created_at": instant(found.created_at),
        "started_at": instant(found.started_at),
        "ended_at": instant(found.ended_at),
        "erased_at": instant(found.erased_at),
        "version": found.version,
    }


def chain(found: Chain, effects: Mapping[UUID, Effect], now: datetime) -> Object:
    """Show a work item from the original intent to what remains; `effects` are its effects as the API reads them."""
    original = found.original
    return {
        **item(found.item, now),
        "run_ended_at": instant(found.run_ended_at),
        "of_plan": plan(found.plan),
        "original": None if original is None else _tried(effects[original.pk], original),
        "found": [unknown_present.resolution(each) for each in found.found],
        "tried": [_tried(effects[each.pk], each) for each in found.tries],
        "before": _ids(each.id for each in found.before),
        "behind": _ids(each.id for each in found.behind),
        "behind_count": found.behind_count,
        "endings": [ending(each) for each in found.endings],
        "files": [file(each) for each in found.files],
    }


def plan(found: seen.Plan) -> Object:
    """Show a plan without its items."""
    return {
        "id": str(found.id),
        "run": str(found.run),
        "number": found.number,
        "cause": found.cause,
        "reason": found.reason or None,
        "state": found.state,
        "version": found.version,
        "asked_by": found.asked_by,
        "asked_by_name": found.asked_by_name,
        "asked_at": instant(found.asked_at),
        "decided_by": _person(found.decided_by),
        "decided_at": instant(found.decided_at),
        "decided_reason": found.decided_reason or None,
        "erased_at": instant(found.erased_at),
    }


def plan_with_items(found: seen.Plan, now: datetime) -> Object:
    """Show a plan with its items, in order."""
    return {**plan(found), "items": [item(each, now) for each in found.items]}


def of_run(found: OfRun, unresolved: Iterable[UUID], next_cursor: str | None, now: datetime) -> Object:
    """Show where a run stands with its compensation, and a page of its items."""
    return {
        "run": str(found.run.pk),
        "run_state": found.run.state,
        "run_version": found.run.ledger_seq,
        "compensation": found.compensation or None,
        "total": found.tally.total,
        "over": found.tally.over,
        "needs_somebody": found.tally.needing,
        "residue": [*found.residue],
        "unresolved": _ids(unresolved),
        "unresolved_total": found.tally.unresolved,
        "plans": [plan_with_items(each, now) for each in found.plans],
        "next_cursor": next_cursor,
    }


def ending(found: seen.Ending) -> Object:
    """Show what somebody said ends a work item."""
    return {
        "id": str(found.id), "number": found.number, "ending": found.ending, "evidence": found.evidence or None,
        "link": found.link or None, "reason": found.reason or None, "authority": found.authority or None, "left": [*found.left],
        "needs_second": found.needs_second, "state": found.state, "proposed_by": _person(found.proposed_by),
        "proposed_at": instant(found.proposed_at), "decided_by": _person(found.decided_by), "decided_at": instant(found.decided_at),
        "decided_reason": found.decided_reason or None,
    }  # fmt: skip


def file(found: seen.File) -> Object:
    """Show a file, without its bytes."""
    return {
        "id": str(found.id), "name": found.name, "media_type": found.media_type, "size": found.size, "digest": found.digest,
        "uploaded_by": _person(found.uploaded_by), "uploaded_at": instant(found.uploaded_at),
    }  # fmt: skip


def counts(found: Counts) -> Object:
    """Show how many open items each filter of the desk holds."""
    names = ("open", "needs_somebody", "waiting", "at_work", "mine", "group", "nobody", "required", "overdue")
    return {name: getattr(found, name) for name in names}


def _tried(effect: Effect, with_attempts: Effect) -> Object:
    return {
        **present.effect(effect),
        "attempts": [present.attempt(tried) for tried in with_attempts.attempts.all()],
    }


def _effect(found: seen.Named | None) -> Object | None:
    if found is None:
        return None
    return {
        "id": str(found.id), "number": found.number, "operation": found.operation, "summary": found.summary, "state": found.state,
        "state_reason": found.state_reason or None,
    }  # fmt: skip


def _person(found: seen.Person | None) -> Object | None:
    return None if found is None else {"id": str(found.id), "name": found.name}


def _ids(ids: Iterable[UUID]) -> list[Value]:
    return [str(one) for one in ids]


def numbers(found: Numbers) -> Object:
    """Show how compensation does; shares are fractions of one, and null of nothing."""
    backlog = found.backlog
    return {
        "as_of": instant(found.now),
        "since": instant(found.since),
        "by": found.by,
        "zone": found.zone,
        "counted_all": not found.cut,
        "backlog": {
            "open": backlog.open, "needs_somebody": backlog.needs_somebody, "overdue": backlog.overdue,
            "oldest_seconds": _seconds(backlog.oldest_seconds), "by_state": dict(backlog.by_state),
        },
        "whole": _outcomes(found.whole),
        "periods": [{"from": day.isoformat(), **_outcomes(each)} for day, each in found.periods],
        "operations": [
            {"operation": each.name or None, "open": each.open, **_outcomes(each.outcomes)} for each in found.operations
        ],
        "remains": [{"text": each.text, "counted": each.counted} for each in found.remains],
        "fees": [
            {"currency": each.currency or None, "amount": number_text(each.amount), "counted": each.counted} for each in found.fees
        ],
    }  # fmt: skip


def _outcomes(found: Outcomes) -> Object:
    return {
        "ended": found.ended, "done": found.done, "resolved": found.resolved, "waived": found.waived, "dropped": found.dropped,
        "escalated": found.escalated, "success_rate": _share(found.success_rate), "escalation_rate": _share(found.escalation_rate),
        "median_seconds": _seconds(found.median_seconds), "p95_seconds": _seconds(found.p95_seconds),
    }  # fmt: skip


def _share(found: float | None) -> Value:
    return None if found is None else Decimal(f"{found:.4f}")


def _seconds(found: float | None) -> Value:
    return None if found is None else Decimal(f"{found:.3f}")
