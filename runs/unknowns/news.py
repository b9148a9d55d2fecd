"""Whether anything about an effect is new to somebody who saw its run at a version: nobody resolves what changed meanwhile.

The version is the run's, which rises with everything that happens in the run. What other effects do is no news here, and neither is a
question that was asked again and answered as the one before: else an effect that is asked every few seconds could never be resolved."""

from collections.abc import Mapping
from typing import Any, Final

from console.exact import decode
from console.http.refusals import StaleVersion
from console.ledger.models import Entry
from runs.models import Attempt
from runs.states import LOOKS
from runs.unknowns.standing import Held

READ: Final = 1000  # entries since the version; more are news, whatever they say


def check(held: Held, version: int) -> None:
    """Refuse a version since which something about the effect is new. Raises StaleVersion."""
    run = held.run
    if version == run.ledger_seq:
        return
    if version > run.ledger_seq or run.ledger_seq - version > READ or _is_news(held, version):
        raise StaleVersion(**held.standing)


def _is_news(held: Held, version: int) -> bool:
    since = Entry.objects.filter(stream=held.run.stream(), seq__gt=version).select_related("payload").order_by("seq")
    told = [(entry.kind, _said(entry)) for entry in since]
    mine = [(kind, facts) for kind, facts in told if facts is None or facts.get("effect") == str(held.effect.pk)]
    looks = {str(attempt.pk): attempt for attempt in held.attempts if attempt.kind in LOOKS}
    answered = {str(facts["attempt"]) for kind, facts in mine if facts and kind == "attempt.settled"}
    before = [look for pk, look in looks.items() if pk not in answered and look.outcome]
    known = _answer(before[-1]) if before else None
    return any(facts is None or not _is_stale_news(kind, facts, looks, known) for kind, facts in mine)


def _is_stale_news(
    kind: str, facts: Mapping[str, Any], looks: Mapping[str, Attempt], known: tuple[object, ...] | None
) -> bool:
    """Tell whether an entry says nothing that was not known: a look that began, one that was answered as the one before, an alert."""
    if kind in {"unknown.asked", "effect.alerted"}:
        return True
    look = looks.get(str(facts.get("attempt")))
    if look is None:
        return False
    if kind == "attempt.dispatched":
        return True
    return kind == "attempt.settled" and _answer(look) == known


def _answer(look: Attempt) -> tuple[object, ...]:
    return look.outcome, look.http_status, look.reason


def _said(entry: Entry) -> Mapping[str, Any] | None:
    body = entry.payload.body
    found = None if body is None else decode(body)
    return found if isinstance(found, dict) else None
