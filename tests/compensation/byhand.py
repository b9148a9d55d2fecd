"""What people do by hand about work items, as tests call it."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from compensation.deeds import checklist, ending, escalating, filing, manual, owning, plans, seconding, trying
from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from console.http.evidence import Upload
from tests.cast import inside
from tests.compensation.undoing import key
from tests.shop import Shop

SEEN = "The bank's statement of 10:02 shows the refund."
WHY = "It has to be done today."
RULE = "The rule for small sums, paragraph 3."


def added(shop: Shop, run: UUID, by: str = "oscar", **given: Any) -> WorkItem:
    """Have a work item that somebody added by hand."""
    wanted = {"summary": "Call the hotel", "reason": WHY, "key": key(), **given}
    return stored(manual.add_manual(shop.actor(by), run, **wanted)["item"])


def stored(item: WorkItem | UUID | str) -> WorkItem:
    """Read a work item anew."""
    pk = item.pk if isinstance(item, WorkItem) else item
    with inside():
        return WorkItem.objects.select_related("plan", "acting", "effect").get(pk=pk)


def endings_of(item: WorkItem) -> list[Ending]:
    """Read what was said of how it ends, in order."""
    with inside():
        return list(Ending.objects.filter(item=item.pk).order_by("number"))


def files_of(item: WorkItem) -> list[EvidenceFile]:
    """Read the files beside it."""
    with inside():
        return list(EvidenceFile.objects.filter(item=item.pk).order_by("uploaded_at", "pk"))


def claim_it(shop: Shop, item: WorkItem, by: str = "oscar", **more: Any) -> dict[str, Any]:
    """Look after it."""
    return owning.claim(shop.actor(by), item.pk, **{"key": key(), **more})


def let_go(shop: Shop, item: WorkItem, by: str = "oscar", reason: str = WHY) -> dict[str, Any]:
    """Look after it no more."""
    return owning.release(shop.actor(by), item.pk, reason=reason, key=key())


def hand(shop: Shop, item: WorkItem, by: str = "oscar", reason: str = WHY, **to: Any) -> dict[str, Any]:
    """Hand it to somebody."""
    return owning.hand_over(shop.actor(by), item.pk, reason=reason, key=key(), **to)


def escalate(shop: Shop, item: WorkItem, by: str = "oscar", reason: str = WHY) -> dict[str, Any]:
    """Take it a rung up."""
    return escalating.escalate(shop.actor(by), item.pk, reason=reason, key=key())


def resolve(shop: Shop, item: WorkItem, by: str = "oscar", **said: Any) -> dict[str, Any]:
    """Say that it was resolved in another way."""
    return ending.resolve(shop.actor(by), item.pk, **{"evidence": SEEN, "key": key(), **said})


def waive(shop: Shop, item: WorkItem, by: str = "oscar", **said: Any) -> dict[str, Any]:
    """Say that it is let be."""
    return ending.waive(shop.actor(by), item.pk, **{"reason": WHY, "authority": RULE, "key": key(), **said})


def confirm(shop: Shop, said: dict[str, Any], by: str = "dora", **more: Any) -> dict[str, Any]:
    """Say the second word."""
    return seconding.confirm(shop.actor(by), UUID(said["ending"]), **{"key": key(), **more})


def decline(shop: Shop, said: dict[str, Any], by: str = "dora", reason: str = "It is another one.") -> dict[str, Any]:
    """Decline what somebody said."""
    return seconding.decline(shop.actor(by), UUID(said["ending"]), reason=reason, key=key())


def take_back(shop: Shop, said: dict[str, Any], by: str = "oscar") -> dict[str, Any]:
    """Take back what one said oneself."""
    return seconding.withdraw(shop.actor(by), UUID(said["ending"]), key=key())


def tick(shop: Shop, item: WorkItem, *places: int, done: bool = True, by: str = "oscar") -> list[dict[str, Any]]:
    """Tick these points off, or open them again."""
    return [checklist.tick(shop.actor(by), item.pk, place, done=done, key=key()) for place in places]


def retry(shop: Shop, item: WorkItem, by: str = "oscar", reason: str = WHY, **more: Any) -> dict[str, Any]:
    """Try it again."""
    return trying.retry(shop.actor(by), item.pk, **{"reason": reason, "key": key(), **more})


def run_now(shop: Shop, item: WorkItem, by: str = "oscar") -> dict[str, Any]:
    """Put it forward."""
    return trying.run_now(shop.actor(by), item.pk, key=key())


def accept(shop: Shop, item: WorkItem, by: str = "oscar", seen: str | None = None) -> dict[str, Any]:
    """Go on although the world is another, as it was seen."""
    digest = trying.difference_digest(stored(item)) if seen is None else seen
    return trying.accept_difference(shop.actor(by), item.pk, seen_digest=digest, reason=WHY, key=key())


def put(shop: Shop, item: WorkItem, *files: Upload, by: str = "oscar", **more: Any) -> list[dict[str, Any]]:
    """Put files beside it."""
    return [filing.add_file(shop.actor(by), item.pk, file, **{"key": key(), **more}) for file in files]


def approve(shop: Shop, plan: Plan, by: str = "oscar") -> dict[str, Any]:
    """Put a plan in force."""
    return plans.approve_plan(shop.actor(by), plan.pk, key=key())


def turn_down(shop: Shop, plan: Plan, by: str = "oscar", reason: str = "Let it be.") -> dict[str, Any]:
    """Decline a plan."""
    return plans.decline_plan(shop.actor(by), plan.pk, reason=reason, key=key())


def names(items: Sequence[WorkItem]) -> list[str]:
    """Name items by what they are to do."""
    return [item.summary for item in items]
