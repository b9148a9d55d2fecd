"""What news of effects means for the work items that they act for, read for a batch of them at once."""

from collections.abc import Sequence
from datetime import timedelta
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from compensation.models import WorkItem
from compensation.states import DONE, DROPPED, FOR_PAUSE, ITEM_OVER, RESOLVED, WAITING, WAIVED
from compensation.working.mirroring import Stand, in_part, stand
from compensation.working.moving import Moved
from console.exact import Value, canonical
from runs import catalogue
from runs.compensating.late import of_originals, of_tries
from runs.compensating.stopped import by_what
from runs.contracts.operation import OperationDocument
from runs.models import Effect, Resolution
from runs.states import HAPPENED, IN_FORCE, IN_VAIN, MUST_BE_UNDONE, PARTIAL, READY, SUCCEEDED, UNKNOWN

AS_WELL: Final = "Its operation did it as well: it may have been done twice."


class News:
    """The effects that changed, as far as they make good for others, and their work items."""

    def __init__(self, effects: Sequence[Effect]) -> None:
        self.heard = {effect.pk: effect for effect in effects if effect.compensates_id}
        self.in_vain = [effect.pk for effect in effects if effect.state in IN_VAIN and not effect.compensates_id]

    def moves(self) -> list[Moved]:
        """Give where each work item of them stands now; an item that is over is not changed, and says so where something came late."""
        moves = [self._over(item) if item.state in ITEM_OVER else self._open(item) for item in self.items]
        return [each for each in [*moves, *self._dropped()] if each is not None]

    def _dropped(self) -> list[Moved]:
        """Give the items that were dropped because their originals had not happened, where an answer came late that says otherwise."""
        late = of_originals(self.in_vain)
        items = WorkItem.objects.filter(effect__in=list(late), state=DROPPED).order_by("run", "number") if late else []
        return [Moved(item, Stand(DROPPED, "", late[item.effect_id])) for item in items if item.effect_id]

    def _open(self, item: WorkItem) -> Moved | None:
        effect = self.acting.get(item.acting_id) if item.acting_id else None
        if effect is None:
            return None
        held = self._held.get(effect.pk)
        to = Stand(WAITING, FOR_PAUSE, held) if held else stand(effect)
        reason = " ".join(each for each in (to.reason, self.late.get(effect.compensates_id, "")) if each)
        moved = Moved(item, Stand(to.state, to.waits_for, reason), self._columns(item, effect, to))
        if effect.state == UNKNOWN and effect.unknown_since is not None:
            moved.unknown_too_long_at = effect.unknown_since + self._patience(effect)
        return moved

    def _over(self, item: WorkItem) -> Moved | None:
        effect = self.acting.get(item.acting_id) if item.acting_id else None
        as_well = effect is not None and effect.state in {SUCCEEDED, PARTIAL} and item.state in {RESOLVED, WAIVED}
        said = self.late.get(item.effect_id, "") or (AS_WELL if as_well else "")
        return Moved(item, Stand(item.state, item.waits_for, said)) if said else None

    def _columns(self, item: WorkItem, effect: Effect, to: Stand) -> dict[str, Any]:
        if to.state == DONE:
            return {"verified_by": self._verified_by(effect), "left": item.residue}
        if effect.state == PARTIAL:
            parts: list[Value] = [*in_part(effect)]
            return {"left": canonical(parts)}
        if to.waits_for and effect.result and effect.outcome == "conflict":
            return {"difference": effect.result}
        return {}

    def _verified_by(self, effect: Effect) -> str:
        if effect.pk in self._found_by_people:
            return "person"
        return "world" if self._contracts[effect.operation_id].verify else "answer"

    def _patience(self, effect: Effect) -> timedelta:
        return timedelta(seconds=self._contracts[effect.operation_id].unknown.age_objective_seconds)

    @cached_property
    def items(self) -> list[WorkItem]:
        """The work items, by their originals: an earlier try may be answered late."""
        originals = [effect.compensates_id for effect in self.heard.values()]
        if not originals:
            return []
        return list(WorkItem.objects.filter(effect__in=originals).exclude(state=DROPPED).order_by("run", "number"))

    @cached_property
    def acting(self) -> dict[UUID, Effect]:
        """The last tries of these items."""
        missing = {item.acting_id for item in self.items if item.acting_id} - self.heard.keys()
        return self.heard | (Effect.objects.in_bulk(missing) if missing else {})

    @cached_property
    def _held(self) -> dict[UUID, str]:
        """The last tries that are ready and held by a pause, or because their run was set aside, and by what."""
        return by_what(
            [each.pk for each in self.acting.values() if each.state == READY and each.next_attempt_at is None]
        )

    @cached_property
    def late(self) -> dict[UUID | None, str]:
        """What came late and says that a try was done that had ended in vain, in words, by the original."""
        return of_tries(item.effect_id for item in self.items)

    @cached_property
    def _found_by_people(self) -> set[UUID]:
        said = Resolution.objects.filter(effect__in=list(self.heard), state=IN_FORCE)
        return set(said.filter(exit__in=[HAPPENED, MUST_BE_UNDONE]).values_list("effect_id", flat=True))

    @cached_property
    def _contracts(self) -> dict[UUID, OperationDocument]:
        wanted = {effect.operation_id for effect in self.acting.values()}
        return {pk: operation.document for pk, operation in catalogue.operations_by_id(wanted).items()}
