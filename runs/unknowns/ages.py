"""At which ages an unknown effect is told of, and what is due of that now. Pure.

Each age is told of once. Several ages that passed while nobody looked are told of as one, the last; who takes over is told apart."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from runs.contracts.operation import UnknownRule


@dataclass(frozen=True, slots=True)
class Due:
    """What to do now: `told_of` ages lie behind; `age` is to be told of, or None; `escalates`; and when to look again, or None."""

    objective_at: datetime
    told_of: int
    age: int | None
    escalates: bool
    next_alert_at: datetime | None


def ages(rule: UnknownRule) -> list[int]:
    """Give the ages at which the owner is told, in seconds: the objective, and every reminder after it."""
    first = rule.age_objective_seconds
    return [first, *sorted({age for age in rule.reminders_seconds if age > first})]


def due(rule: UnknownRule, since: datetime, now: datetime, *, told_of: int, escalated: bool) -> Due:
    """Say what is due for an effect that is unknown since then, of which so many ages were told of before."""
    instants = [since + timedelta(seconds=age) for age in ages(rule)]
    passed = sum(at <= now for at in instants)
    escalation = None if escalated else _escalation(rule, since)
    escalates = escalation is not None and escalation <= now
    to_come = instants[passed:] + ([escalation] if escalation is not None and not escalates else [])
    return Due(
        objective_at=instants[0],
        told_of=max(passed, told_of),
        age=ages(rule)[passed - 1] if passed > told_of else None,
        escalates=escalates,
        next_alert_at=min(to_come, default=None),
    )


def _escalation(rule: UnknownRule, since: datetime) -> datetime | None:
    if rule.escalate_after_seconds is None or not rule.escalate_to:
        return None
    return since + timedelta(seconds=rule.escalate_after_seconds)
