"""What came late and says that an effect was done that had ended in vain: answers and signed messages. They are evidence and settle nothing
(R-A6), so that nobody knows then what is so: nothing is done by itself, and a person finds out (R-F2)."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Q, QuerySet

from runs.models import Attempt, Callback, Effect
from runs.states import ACTS, LATE, LOOKS, SUCCEEDED

SAYS_DONE: Final = ("succeeded", "partial", "accepted")
TELLS: Final = (*ACTS, *LOOKS)  # attempts whose answers tell whether it was done
FIND_OUT: Final = "Find out what is so before anything else is tried."
Said = tuple[datetime, Effect, str]


def of_originals(effects: Collection[UUID]) -> dict[UUID, str]:
    """Give what came after the end of these effects, which ended in vain, and says that they were done: in words, the last of each.

    What came before the end was known to whoever ended it, or was followed by newer evidence."""
    if not effects:
        return {}
    found = _said(Q(effect__in=[*effects]))
    return {effect.pk: words for at, effect, words in found if effect.ended_at is not None and at >= effect.ended_at}


def of_tries(originals: Iterable[UUID | None]) -> dict[UUID | None, str]:
    """Give what came late and says that a try to make good for these effects was done that had ended in vain, in words, by the original."""
    return {effect.compensates_id: words for _, effect, words in _said(_tries([*originals]))}


def is_said_of_tries(original: UUID) -> bool:
    """Tell whether something came late that says so of a try to make good for this effect."""
    return _answers(_tries([original])).exists() or _messages(_tries([original])).exists()


def _tries(originals: list[UUID | None]) -> Q:
    return Q(effect__compensates__in=originals) & ~Q(effect__state=SUCCEEDED)


def _said(of: Q) -> list[Said]:
    """Give what came late of effects, in the order of its coming."""
    answers = ((each.late_at, each.effect, _answer(each)) for each in _answers(of).select_related("effect"))
    messages = ((each.settled_at, each.effect, _message(each)) for each in _messages(of).select_related("effect"))
    found = [
        (at, effect, words) for at, effect, words in (*answers, *messages) if at is not None and effect is not None
    ]
    return sorted(found, key=lambda each: (each[0], each[1].pk))


def _answers(of: Q) -> QuerySet[Attempt]:
    return Attempt.objects.filter(of, late_outcome__in=SAYS_DONE, kind__in=TELLS)


def _messages(of: Q) -> QuerySet[Callback]:
    return Callback.objects.filter(of, state=LATE, outcome__in=SAYS_DONE)


def _answer(attempt: Attempt) -> str:
    return (
        f"An answer came late: attempt {attempt.number} of effect {attempt.effect.number} was given up, and its answer says "
        f"{attempt.late_outcome}. {FIND_OUT}"
    )


def _message(callback: Callback) -> str:
    number = callback.effect.number if callback.effect else ""
    return (
        f"A message came late: effect {number} had ended, and the other side says {callback.outcome} of it. {FIND_OUT}"
    )
