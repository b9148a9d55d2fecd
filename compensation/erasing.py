"""Erasing what plans, work items and endings say, with the run that they are about. What remains is told anew, so that the record holds."""

from collections.abc import Sequence
from datetime import datetime

from compensation import record
from compensation.fold import BOOK
from compensation.models import Ending, EvidenceFile, Plan, WorkItem
from compensation.states import ITEM_OPEN, RESOLVE, WAIVE
from compensation.writing import NAMES, Row
from console.ledger import erasing
from console.ledger.actors import Actor
from console.ledger.erasing import ERASED
from console.ledger.streams import Entries
from console.ledger.verification import Finding, check
from runs.erasing import Above, Gone
from runs.models import Run


def still_open(run: Run) -> list[str]:
    """Name what of a run is still to be made good for: its contents are kept until that is over."""
    return [
        str(pk) for pk in WorkItem.objects.filter(run=run, state__in=sorted(ITEM_OPEN)).values_list("pk", flat=True)
    ]


def findings(run: Run) -> list[Finding]:
    """Verify the streams of a run's plans, which are locked with that."""
    return check(BOOK, _plans(run))


def erase(by: Actor, run: Run, reason: str, now: datetime) -> Gone:
    """Erase what was said of a run's plans, items and endings, and the contents of files, within the caller's transaction."""
    plans = _plans(run)
    if not plans:
        return Gone(0, [])
    _empty(run, now)
    rows: list[Row] = [
        *Plan.objects.filter(run=run).order_by("number"),
        *WorkItem.objects.filter(run=run).order_by("number"),
    ]
    rows += [
        *Ending.objects.filter(plan__in=plans).order_by("pk"),
        *EvidenceFile.objects.filter(plan__in=plans).defer("content").order_by("pk"),
    ]
    record.write(_remains(rows, reason), by, now)
    below = [(plan.stream(), plan.ledger_seq + 1) for plan in plans]
    return Gone(erasing.erase(run.tenant_id, below, now), [row.pk for row in rows])


def _plans(run: Run) -> list[Plan]:
    return list(Plan.objects.filter(run=run).order_by("pk").select_for_update(no_key=True))


def _empty(run: Run, now: datetime) -> None:
    Plan.objects.filter(run=run).update(reason="", decided_reason="", erased_at=now)
    WorkItem.objects.filter(run=run).update(
        arguments="", summary=ERASED, target="", state_reason="", authority="", expects="", difference="", residue="", left="",
        verification="", instructions="", checklist="",
    )  # fmt: skip
    endings = Ending.objects.filter(item__run=run)
    endings.filter(ending=RESOLVE).update(evidence=ERASED, reason="", authority="")
    endings.filter(ending=WAIVE).update(evidence="", reason=ERASED, authority=ERASED)
    endings.update(link="", left="", decided_reason="")
    EvidenceFile.objects.filter(item__run=run).update(content=None, name=ERASED)


def _remains(rows: Sequence[Row], reason: str) -> Entries:
    """Tell each row as it is now, after which what was told before goes."""
    told: Entries = []
    for row in rows:
        noun, says = NAMES[type(row)], {"is": erasing.remains(row)}
        if isinstance(row, Plan):
            told.append((row.pk, "plan.erased", {"plan": str(row.pk), "reason": reason, **says}))
        else:
            told.append((row.plan_id, f"{noun}.remains", {noun: str(row.pk), **says}))
    return told


OPEN = ", ".join(f"'{state}'" for state in sorted(ITEM_OPEN))
KEEPS = f"exists (select from compensation_workitem i where i.run_id = r.id and i.state in ({OPEN}))"
OF_RUNS = Above(KEEPS, still_open, findings, erase)
