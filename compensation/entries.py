"""The entries of a plan's stream that are about one work item, and those of them that are new to somebody who saw the plan at a version.

A version is the plan's, which rises with every change of any of its items. What became of other items is no news of this one, and neither
is that the clock told the next on its ladder: else nobody could finish writing down what they found."""

from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from compensation.models import Ending, EvidenceFile, Plan
from console.exact import canonical
from console.http.refusals import StaleVersion
from console.ledger.models import Entry

ON_THE_LADDER: Final = ("item.told", "item.escalated")  # by the clock, where nothing else is said


def of_item(item_id: UUID) -> Q:
    """Say which entries are about an item, its endings and its files; those of others that only name it are theirs."""
    endings = Ending.objects.filter(item=item_id).values_list("pk", flat=True)
    files = EvidenceFile.objects.filter(item=item_id).values_list("pk", flat=True)
    named = _says("item", item_id) | _says("item_id", item_id)
    for ending in endings:
        named |= _says("ending", ending)
    for file in files:
        named |= _says("file", file)
    return named


def since(plan_id: UUID, version: int, item_id: UUID | None = None, *, ladder: bool = False) -> "QuerySet[Entry]":
    """Give what is new of a plan, or of one item of it, since a version, in order; `ladder`: that somebody was told of it is news too."""
    found = Entry.objects.filter(stream=f"plan:{plan_id}", seq__gt=version).order_by("seq")
    if item_id is not None:
        found = found.filter(of_item(item_id))
    if ladder:
        return found
    told = Q(kind__in=ON_THE_LADDER, actor__startswith="system:") & ~Q(payload__body__contains='"state_reason":')
    return found.exclude(told)


def check_seen(
    plan: Plan, version: int | None, standing: dict[str, Any], item_id: UUID | None = None, *, ladder: bool = False
) -> None:
    """Refuse a deed of somebody who saw a locked plan, or an item of it, before something about it was new; None: whichever version.

    Raises StaleVersion."""
    if version is None or version == plan.ledger_seq:
        return
    if version > plan.ledger_seq or since(plan.pk, version, item_id, ladder=ladder).exists():
        raise StaleVersion(**standing)


def _says(member: str, found: UUID) -> Q:
    """Say that an entry has this member: what it says is kept as canonical JSON, in which that stands in exactly these words."""
    return Q(payload__body__contains=canonical({member: str(found)})[1:-1])
