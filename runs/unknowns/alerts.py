"""Alerts about what is unknown, or done in part and not settled: as it ages its owner is told, once for each age, and at last others
take over (R-A4, R-F3, UNK-04).

Nothing here changes a state: an effect stays as it is until evidence, or a person, says otherwise."""

from datetime import datetime
from typing import Final

from console import clock
from console.clock import DatabaseNow, instant
from console.exact import Object
from console.ledger.actors import Actor
from console.notices import kinds
from console.notices.audience import owners
from console.notices.posting import post
from runs import catalogue, record
from runs.contracts.operation import UnknownRule
from runs.contracts.spans import in_words
from runs.models import Effect, Run
from runs.states import PARTIAL, UNKNOWN
from runs.unknowns.ages import Due, ages, due
from runs.unknowns.standing import since

MOST = 100  # posting takes a few statements each, and runs are held meanwhile
WHAT_TO_DO: Final = {
    UNKNOWN: "Nobody knows whether it happened. Find out what became of it, and say so with evidence.",
    PARTIAL: "Some of it happened, and some did not. Settle the rest, and say so with evidence.",
}
NOBODY: Final = {UNKNOWN: "nobody found out what became of it", PARTIAL: "nobody settled its rest"}
CHANGED = ("objective_at", "next_alert_at", "alerts", "escalated_at", "owner_group")


def alert_due(by: Actor, limit: int) -> int:
    """Tell of the effects to be settled that have come to an age; the first look at one says when that will be.

    Within the caller's transaction."""
    effects = _held(min(limit, MOST))
    if not effects:
        return 0
    now = clock.now()
    operations = catalogue.operations_by_id({effect.operation_id for effect in effects})
    entries: list[tuple[Effect, str, Object]] = []
    for effect in effects:
        rule = operations[effect.operation_id].document.unknown
        entries += [(effect, kind, says) for kind, says in _looked_at(effect, rule, now)]
    Effect.objects.bulk_update(effects, CHANGED, batch_size=100)
    if entries:
        record.write([(effect.run_id, kind, says) for effect, kind, says in entries], by, now)
    return len(effects)


def owner_name(effect: Effect, rule: UnknownRule) -> str:
    """Name the group that owns an effect, or `operators`; whoever claimed it comes before."""
    return effect.owner_group or rule.owner


def effect_path(effect: Effect) -> str:
    """Give the page of an effect."""
    return f"/effects/{effect.pk}"


def _held(limit: int) -> list[Effect]:
    """Lock the runs of what is due (those that somebody else holds wait for the next pass), then the effects, and look again."""
    wanted = Effect.objects.filter(state__in=[UNKNOWN, PARTIAL], reconciled_at=None, next_alert_at__lte=DatabaseNow())
    run_ids = set(wanted.order_by("next_alert_at").values_list("run_id", flat=True)[:limit])
    runs = Run.objects.filter(pk__in=run_ids).order_by("pk").select_for_update(no_key=True, skip_locked=True)
    found = wanted.filter(run_id__in=[run.pk for run in runs]).select_related("owner__user")
    return list(found.order_by("pk").select_for_update(no_key=True, of=("self",))[:limit])


def _looked_at(effect: Effect, rule: UnknownRule, now: datetime) -> list[tuple[str, Object]]:
    """Set on the effect what follows from its age, post what is to be told, and give the entries of it."""
    began = since(effect)
    if began is None:
        raise TypeError("what is to be settled has an age")
    found = due(rule, began, now, told_of=effect.alerts, escalated=effect.escalated_at is not None)
    entries: list[tuple[str, Object]] = []
    if found.age is not None:
        entries.append(("effect.alerted", _tell(effect, rule, found, found.age)))
    effect.objective_at, effect.next_alert_at, effect.alerts = found.objective_at, found.next_alert_at, found.told_of
    if found.escalates:
        entries.append(("effect.escalated", _escalate(effect, rule, now)))
    return entries


def _tell(effect: Effect, rule: UnknownRule, found: Due, age: int) -> Object:
    """Tell the owner: whoever claimed it, else the group or role that owns it."""
    group = owner_name(effect, rule)
    claimed = effect.owner is not None and effect.owner.active
    roles, groups = ((), ()) if claimed else owners(group)
    post(
        effect.tenant_id, _kind(effect, first=age == ages(rule)[0]), about=effect.pk, path=effect_path(effect),
        title=f"{_stands(effect)} for {in_words(age)}: {_in_a_line(effect.summary)}", text=f"{_since(effect)} {WHAT_TO_DO[effect.state]}",
        to_members=[effect.owner.pk] if claimed and effect.owner else (), to_roles=roles, to_groups=groups,
        key=f"{_key(effect)}:age:{age}",
    )  # fmt: skip
    return {
        "effect": str(effect.pk), "alerts": found.told_of, "age_seconds": age,
        "owner": str(effect.owner_id) if claimed else None, "group": group, **_told_of(effect),
    }  # fmt: skip


def _escalate(effect: Effect, rule: UnknownRule, now: datetime) -> Object:
    """Hand the effect to whom the contract escalates it; whoever claimed it stays named."""
    before, age = owner_name(effect, rule), rule.escalate_after_seconds or 0
    effect.escalated_at, effect.owner_group = now, rule.escalate_to
    roles, groups = owners(rule.escalate_to)
    claimed = f" {effect.owner.user.name} has claimed it." if effect.owner is not None else ""
    post(
        effect.tenant_id, kinds.ESCALATED, about=effect.pk, path=effect_path(effect),
        title=f"Yours now, {_stands(effect).lower()} for {in_words(age)}: {_in_a_line(effect.summary)}",
        text=f"{_since(effect)} It belonged to {before} and {NOBODY[effect.state]}.{claimed} It is yours to resolve.",
        to_roles=roles, to_groups=groups, key=f"{_key(effect)}:escalated",
    )  # fmt: skip
    return {"effect": str(effect.pk), "to": rule.escalate_to, "from": before, "age_seconds": age, **_told_of(effect)}


def _key(effect: Effect) -> str:
    """Name this spell of not being settled: an effect that was made ready again may become unknown once more."""
    return f"effect:{effect.pk}:{instant(since(effect))}"


def _kind(effect: Effect, *, first: bool) -> str:
    return kinds.IN_PART if effect.state == PARTIAL else kinds.OVERDUE if first else kinds.REMINDER


def _stands(effect: Effect) -> str:
    return "Done in part" if effect.state == PARTIAL else "Unknown"


def _told_of(effect: Effect) -> Object:
    """Name the state in the record where it is not the one that alerts are about unless told."""
    return {"state": PARTIAL} if effect.state == PARTIAL else {}


def _since(effect: Effect) -> str:
    began = since(effect)
    if began is None:
        return ""
    known = "It is known to be done in part" if effect.state == PARTIAL else "The outcome is unknown"
    return f"{known} since {began:%Y-%m-%d %H:%M} UTC."


def _in_a_line(text: str) -> str:
    return " ".join(text.split())
