"""Beginning what a plan says, as its turn comes: each work item by an effect of its own, or by people where no operation does it (R-J2).

The caller has locked the runs. What one contract refuses fails that item, in words, and stops no other."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from compensation.alerts import telling
from compensation.models import WorkItem
from compensation.states import FAILED, FOR_PERSON, WAITING
from compensation.working import moving, turns
from compensation.working.drafting import CannotBegin, Drafter
from compensation.working.mirroring import Stand, may_have_happened, stand
from compensation.working.moving import AGAIN, Moved
from compensation.working.turns import Turns
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from runs.compensating import proposing
from runs.compensating.watching import watch
from runs.drafts import EffectDraft
from runs.models import Effect, Run

Ready = tuple[Run, WorkItem, EffectDraft]


class MayHaveHappened(Refusal):
    """The last try was done, may be done yet, or was done in part; it is not simply done again."""

    code = "compensation_may_have_happened"


class NobodyTries(Refusal):
    """People do this: there is no operation that could be tried again."""

    code = "compensation_by_people"


def begin_due(by: Actor, run: Run, now: datetime) -> list[WorkItem]:
    """Begin what is due in one locked run; gives the items that changed."""
    return begin_all(by, [run], now)


def begin_all(by: Actor, runs: Sequence[Run], now: datetime) -> list[WorkItem]:
    """Begin in locked runs the items whose turn has come, and let the others say what they wait for; gives the items that changed."""
    found = turns.of(runs)
    moves = found.held_back()
    wanted, refused = _drafted(found, runs)
    changed = moving.move(by, [*moves, *refused, *_begun(by, wanted, now)], now)
    watch([effect.pk for effect in found.unknown])
    telling.to_approve(found.proposed)
    return changed


def try_again(by: Actor, run: Run, item: WorkItem, now: datetime, expects: str | None = None) -> WorkItem:
    """Try a work item of a locked run again, by a new effect in the place of the last. `expects`: what a person accepted to be so instead.

    Raises MayHaveHappened unless the last try ended in vain, and NobodyTries where there is no operation."""
    if not item.operation or item.effect_id is None:
        raise NobodyTries(item=str(item.pk), state=item.state)
    last = Effect.objects.get(pk=item.acting_id) if item.acting_id else None
    if last is not None and may_have_happened(last):
        raise MayHaveHappened(item=str(item.pk), state=item.state, effect=str(last.pk), effect_state=last.state)
    try:
        draft = Drafter([item]).draft(item, supersedes=last, expects=expects)
        moves = _begun(by, [(run, item, draft)], now)
    except CannotBegin as why:
        moves = [_failed(item, str(why))]
    for each in moves:
        each.kind = AGAIN if "acting_id" in each.columns else ""
    moving.move(by, moves, now)
    return item


def _drafted(found: Turns, runs: Iterable[Run]) -> tuple[list[Ready], list[Moved]]:
    """Draft what is due; what cannot be drafted has failed."""
    held, due = {run.pk: run for run in runs}, found.due()
    drafter = Drafter(due)
    ready: list[Ready] = []
    refused: list[Moved] = []
    for item in due:
        try:
            ready.append((held[item.run_id], item, drafter.draft(item)))
        except CannotBegin as why:
            refused.append(_failed(item, str(why)))
    return ready, refused


def _begun(by: Actor, wanted: Sequence[Ready], now: datetime) -> list[Moved]:
    """Propose the effects, tenant by tenant, and give where each item stands with that."""
    moves: list[Moved] = []
    for tenant_id in dict.fromkeys(run.tenant_id for run, _, _ in wanted):
        mine = [each for each in wanted if each[0].tenant_id == tenant_id]
        made = proposing.propose_each(by, [(run, draft) for run, _, draft in mine], now)
        moves += [_stands(item, each) for (_, item, _), each in zip(mine, made, strict=True)]
    return moves


def _stands(item: WorkItem, made: Effect | Refusal) -> Moved:
    if isinstance(made, Refusal):
        return _failed(item, f"It could not be begun: {_where(made)}{made.detail}")
    columns = {
        "acting_id": made.pk, "tries": item.tries + 1, "arguments": made.arguments, "summary": made.summary, "target": made.target,
        "expects": made.expects, "difference": "",
    }  # fmt: skip
    return Moved(item, stand(made), columns)


def _failed(item: WorkItem, why: str) -> Moved:
    """Let an item fail before anything was tried; one that waits for a person already goes on waiting, and says why."""
    if item.state == WAITING and item.waits_for == FOR_PERSON:
        return Moved(item, Stand(WAITING, FOR_PERSON, why))
    return Moved(item, Stand(FAILED, reason=why))


def _where(refused: Refusal) -> str:
    place = refused.facts.get("path")
    return f"{place}: " if place else ""
