"""Runs below runs: a driver makes a run under its own, with its own token, and the record of both says so."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from console.database import rows
from console.exact import Object
from console.http.refusals import InvalidContent, MissingToken
from console.ledger.actors import Actor
from runs import driver
from runs.corrections.seen import check_seen
from runs.drafts import RunDraft
from runs.limits.intake import check_children
from runs.models import Run

DEEPEST = 8  # generations, the first included
DEPTH = """
with recursive upwards as (
    select id, parent_id, 1 as depth from runs_run where id = %s
    union all
    select r.id, r.parent_id, u.depth + 1 from runs_run r join upwards u on r.id = u.parent_id where u.depth <= %s)
select max(depth) as depth from upwards
"""


class UnknownParent(InvalidContent):
    """There is no such run that you drive."""

    code = "unknown_parent"


class TooManyGenerations(InvalidContent):
    """Runs stand below each other at most eight deep."""

    code = "too_many_generations"


def locked(drafts: Sequence[RunDraft]) -> dict[UUID, Run]:
    """Lock the runs that these drafts name as their parents, in the order of their ids; whether they may be is judged later."""
    named = {draft.parent for draft in drafts if draft.parent is not None}
    if not named:
        return {}
    found = Run.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk")
    return {run.pk: run for run in found}


def of(
    by: Actor, draft: RunDraft, parents: Mapping[UUID, Run], below: Mapping[UUID | None, int], now: datetime
) -> Run | None:
    """Give the run that a draft comes under, held by the token that came with it; None for one that stands alone.

    `below` says how many runs come under each with the same request. Raises UnknownParent, MissingToken, StaleToken, TooManyGenerations,
    LimitReached and what keeps the parent from going on."""
    if draft.parent is None:
        return None
    parent = parents.get(draft.parent)
    if parent is None or not driver.may_drive(by, parent):
        raise UnknownParent(path="/parent")
    if draft.parent_epoch is None:
        raise MissingToken("Send the parent's epoch as Parent-Token.")
    driver.check_held(by, parent, draft.parent_epoch)
    driver.check_going_on(parent, now)
    check_seen(parent)
    if parent.limits:
        check_children(parent, below.get(parent.pk, 0) + 1)
    if rows(DEPTH, [parent.pk, DEEPEST])[0]["depth"] >= DEEPEST:
        raise TooManyGenerations(path="/parent", most=DEEPEST)
    return parent


def facts(child: Run) -> tuple[UUID, str, Object] | None:
    """Give what a new run adds to the record of its parent."""
    if child.parent_id is None:
        return None
    return child.parent_id, "child.accepted", {"child": str(child.pk), "key": child.key}
