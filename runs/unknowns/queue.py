"""The queue of what is not confirmed, as pages and API read it: a constant number of queries, each along an index, however long it is.

An effect weighs as much as a mistake about it would cost: irreversible before consequential before the rest. One index for each filter
holds the four weights apart and each of them by age, so that both orders are merged from the beginnings of at most four lanes."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import F, Prefetch, Q

from approvals.models import Decision
from console import clock
from console.database import rows
from console.identity.groups import groups_of
from console.identity.models import Member
from runs.models import Attempt, Effect, EvidenceFile, Resolution
from runs.states import IN_FORCE, PARTIAL, RESOLUTION_PROPOSED, UNKNOWN
from runs.unknowns.standing import since

MINE, NOBODY, GROUP = "mine", "nobody", "group"
OWNERS: Final = ("", MINE, NOBODY, GROUP)
STATES: Final = (UNKNOWN, PARTIAL)
AGE, CONSEQUENCE = "age", "consequence"
SORTS: Final = (AGE, CONSEQUENCE)
WEIGHTS: Final = ((True, True), (True, False), (False, True), (False, False))
FEW_OVERDUE: Final = 500  # so many are sorted by themselves; of more there is one among a few in the queue's own order
LAST_ATTEMPTS: Final = 3
WAITING: Final = 50
OVERDUE = """select id from runs_effect where tenant_id = %s and state = 'unknown' and objective_at <= %s order by objective_at limit %s"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of the queue; what is empty is not asked. `owner` is mine, nobody, or group (handed to one of the member's)."""

    owner: str = ""
    operation: str = ""
    dependency: str = ""
    overdue: bool = False
    state: str = UNKNOWN
    sort: str = AGE


@dataclass(frozen=True, slots=True)
class Place:
    """Where in the queue an effect stands."""

    at: datetime
    id: UUID
    irreversible: bool = False
    consequential: bool = False


def place_of(effect: Effect) -> Place:
    """Give the place of an effect in the queue of its state."""
    return Place(since(effect) or effect.created_at, effect.pk, effect.irreversible, effect.consequential)


def unknowns(member: Member, wanted: Wanted, after: Place | None, limit: int) -> list[Effect]:
    """Give effects in the order asked for, each with its run, contract, owner, first attempt and last three."""
    ids = [row["id"] for row in rows(*_Walk(member, wanted).statement(after, limit))]
    few = Attempt.objects.filter(Q(number=1) | Q(number__gt=F("effect__attempts_count") - LAST_ATTEMPTS)).order_by(
        "number"
    )
    found = Effect.objects.select_related("run__agent", "operation", "request", "owner__user")
    by_id = found.prefetch_related(Prefetch("attempts", few)).in_bulk(ids)
    return [by_id[pk] for pk in ids if pk in by_id]


def count(member: Member, wanted: Wanted, most: int) -> int:
    """Count the effects asked for, up to `most`."""
    return len(rows(*_Walk(member, wanted).statement(None, most)))


def one(tenant_id: UUID, effect_id: UUID) -> Effect | None:
    """Give one effect, in whatever state, with everything that its page tells: run, contract, policy, request, owner and all attempts."""
    said = Prefetch("request__decisions", Decision.objects.select_related("member__user").order_by("at", "id"))
    found = Effect.objects.filter(tenant_id=tenant_id, pk=effect_id)
    found = found.select_related("run__agent", "run__run_type", "operation", "policy", "request__policy", "owner__user")
    return found.prefetch_related(Prefetch("attempts", Attempt.objects.order_by("number")), said).first()


def resolutions(effect_ids: Iterable[UUID]) -> dict[UUID, list[Resolution]]:
    """Give what was found of each effect, in order, with who found and who decided, and the files beside it (without their contents)."""
    listed: dict[UUID, list[Resolution]] = {}
    for found in _resolutions(Q(effect_id__in=list(effect_ids))).order_by("effect_id", "number"):
        listed.setdefault(found.effect_id, []).append(found)
    return listed


def resolutions_after(effect_id: UUID, number: int, limit: int) -> list[Resolution]:
    """Give what was found of one effect, in order, from the number after `number` on."""
    return list(_resolutions(Q(effect_id=effect_id, number__gt=number)).order_by("number")[:limit])


def waiting(effect_ids: Iterable[UUID]) -> dict[UUID, UUID]:
    """Give the finding that waits for a second person, for each of these effects that has one."""
    found = Resolution.objects.filter(effect_id__in=list(effect_ids), state=RESOLUTION_PROPOSED)
    return dict(found.values_list("effect_id", "pk"))


def resolution(tenant_id: UUID, resolution_id: UUID) -> Resolution | None:
    """Give one finding."""
    return _resolutions(Q(tenant_id=tenant_id, pk=resolution_id)).first()


def waiting_for_second(member: Member, limit: int = WAITING) -> list[Resolution]:
    """Give the findings of others that wait for a second person, the oldest first, with their effects."""
    found = _resolutions(Q(tenant_id=member.tenant_id, state=RESOLUTION_PROPOSED) & ~Q(proposed_by=member))
    return list(
        found.select_related("effect__run", "proposed_by__user", "decided_by__user").order_by("proposed_at", "pk")[
            :limit
        ]
    )


def to_be_undone(tenant_id: UUID, limit: int) -> list[Resolution]:
    """Give the findings that something happened and must be undone, which is planned for by compensation."""
    found = _resolutions(Q(tenant_id=tenant_id, exit="must_be_undone", state=IN_FORCE))
    return list(found.order_by("proposed_at", "pk")[:limit])


def _resolutions(which: Q) -> Any:
    files = EvidenceFile.objects.defer("content").order_by("uploaded_at", "pk")
    found = Resolution.objects.filter(which).select_related("proposed_by__user", "decided_by__user")
    return found.prefetch_related(Prefetch("files", files))


class _Walk:
    """The statement for one question to the queue, put together from constants; whatever was asked is a parameter."""

    def __init__(self, member: Member, wanted: Wanted) -> None:
        self.member, self.wanted = member, wanted
        self.at = "unknown_since" if wanted.state == UNKNOWN else "ended_at"
        open_ones = "state = 'unknown'" if wanted.state == UNKNOWN else "state = 'partial' and reconciled_at is null"
        self.among = f"tenant_id = %s and {open_ones}"
        self.now = clock.now() if wanted.overdue else None
        self.few = self._few_overdue()

    def statement(self, after: Place | None, limit: int) -> tuple[str, list[Any]]:
        """Give the statement for the next ids after a place, and its parameters."""
        texts, parameters = list[str](), list[Any]()
        for text, values in self._lanes(after):
            texts.append(f"({text} order by {self.at}, id limit %s)")
            parameters += [*values, limit]
        if not texts:
            return "select null::uuid as id where false", []
        heavy = "irreversible desc, consequential desc, " if self.wanted.sort == CONSEQUENCE else ""
        lanes = " union all ".join(texts)
        return f"select id from ({lanes}) lanes order by {heavy}{self.at}, id limit %s", [*parameters, limit]  # noqa: S608 - constants

    def _lanes(self, after: Place | None) -> Iterator[tuple[str, list[Any]]]:
        leads, others = self._leads()
        rest = "".join(f" and {text}" for text, _ in others)
        values = [value for _, each in others for value in each]
        columns = f"select id, irreversible, consequential, {self.at} from runs_effect where {self.among}"  # noqa: S608 - constants
        for lead, led in leads:
            by_age = self.wanted.sort == AGE and not lead
            for weight in [None] if by_age else WEIGHTS:
                text, before = self._lane(weight, after)
                if text is not None:
                    yield columns + lead + text + rest, [self.member.tenant_id, *led, *before, *values]

    def _lane(self, weight: tuple[bool, bool] | None, after: Place | None) -> tuple[str | None, list[Any]]:
        """Give the bounds of one lane beyond a place; none when the lane is behind it."""
        text, values = "", list[Any]()
        if weight is not None:
            text, values = " and irreversible = %s and consequential = %s", [*weight]
        if after is None:
            return text, values
        if weight is not None and self.wanted.sort == CONSEQUENCE:
            reached = (after.irreversible, after.consequential)
            if weight > reached:
                return None, []
            if weight < reached:
                return text, values
        return f"{text} and ({self.at}, id) > (%s, %s)", [*values, after.at, after.id]

    def _leads(self) -> tuple[list[tuple[str, list[Any]]], list[tuple[str, list[Any]]]]:
        """Choose the condition that leads, each of its values a lane of its own, and give the others, which are looked at row by row."""
        conditions = dict(self._conditions())
        if self.few is not None:
            return [(" and id = any (%s)", [self.few])], [
                each for name, each in conditions.items() if name != "overdue"
            ]
        if self.wanted.owner == GROUP:
            conditions.pop(GROUP)
            return [(" and owner_group = %s", [group]) for group in groups_of(self.member)], list(conditions.values())
        order = (MINE, "operation", "dependency", NOBODY)
        lead = next((name for name in order if name in conditions), None) if self.wanted.state == UNKNOWN else None
        if lead is None:
            return [("", [])], list(conditions.values())
        text, values = conditions.pop(lead)
        return [(f" and {text}", values)], list(conditions.values())

    def _conditions(self) -> Iterator[tuple[str, tuple[str, list[Any]]]]:
        wanted = self.wanted
        if wanted.owner == MINE:
            yield MINE, ("owner_id = %s", [self.member.pk])
        if wanted.owner == NOBODY:
            yield NOBODY, ("owner_id is null", [])
        if wanted.owner == GROUP:
            yield GROUP, ("owner_group = any (%s::text[])", [groups_of(self.member)])
        if wanted.operation:
            yield "operation", ("operation_name = %s", [wanted.operation])
        if wanted.dependency:
            yield "dependency", ("dependency_name = %s", [wanted.dependency])
        if wanted.overdue:
            yield "overdue", ("objective_at <= %s", [self.now])

    def _few_overdue(self) -> list[UUID] | None:
        """Give all that are overdue when they are few: in the queue's order they could stand far apart."""
        if not self.wanted.overdue or self.wanted.state != UNKNOWN:
            return None
        found = [row["id"] for row in rows(OVERDUE, [self.member.tenant_id, self.now, FEW_OVERDUE + 1])]
        return found if len(found) <= FEW_OVERDUE else None
