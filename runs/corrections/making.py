"""Making a correction: what contradicts it and has not begun is withdrawn; what is under way is not begun again (R-H1).

The run is locked, so that a claim comes wholly before or wholly after: what it took is under way, and what it did not take is withdrawn."""

from typing import Any, Final
from uuid import UUID

from django.db.models import Max
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import rows
from console.doorbell import ring_after_commit
from console.exact import Object, Value, canonical, decode
from console.http.refusals import Forbidden, InvalidContent, NotFound
from console.identity.models import Agent, Member
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs import driver, driving, record
from runs.corrections import news
from runs.corrections.contradicts import BadCorrection, checked, contradicts
from runs.models import Correction, Effect, OperationContract, Run
from runs.states import OPEN, RUN_OPEN, RUNNING, UNSTARTED, WITHDRAWN

LONGEST: Final = 4000
LONGEST_SOURCE: Final = 500
ROLES: Final = {"operator", "admin"}


class NotYoursToCorrect(Forbidden):
    """A run is corrected by an agent that may drive it, on a user's word, by whoever answers for it, an operator or an admin."""

    code = "not_yours_to_correct"


class CorrectionText(InvalidContent):
    """A correction says in 1 to 4,000 characters what is put right."""

    code = "correction_text"


class SourceMissing(InvalidContent):
    """An agent says in 1 to 500 characters where the user said so, such as the number of the message."""

    code = "source_missing"


@move("correct")
def correct(
    by: Actor, run_id: UUID, *, text: str, contradicts: Object | None = None, source: str = "", key: str, version: int | None = None
) -> dict[str, Any]:  # fmt: skip
    """Write a correction down, and withdraw what it contradicts and has not begun. It needs no token: it is the user's word.

    Raises NotFound, NotYoursToCorrect, RunEnded, StaleVersion, CorrectionText, SourceMissing, BadCorrection."""
    said = checked(contradicts)
    text, source = text.strip(), source.strip()
    if not text or len(text) > LONGEST:
        raise CorrectionText(path="/text")
    if (by.kind == "agent" and not source) or len(source) > LONGEST_SOURCE:
        raise SourceMissing(path="/source")
    asked: Object = {"run": str(run_id), "text": text, "contradicts": said, "source": source}
    return once(
        by, key, "correct", asked, lambda: _correct(by, run_id, text, said, source, version), about=run_id
    )  # fmt: skip


def _correct(by: Actor, run_id: UUID, text: str, said: Object, source: str, version: int | None) -> dict[str, Any]:
    run = Run.objects.select_for_update(no_key=True).filter(pk=run_id, tenant_id=by.tenant).first()
    if run is None:
        raise NotFound
    if not may_correct(by, run):
        raise NotYoursToCorrect
    driver.check_version(run, version)
    if run.state not in RUN_OPEN:
        raise driver.RunEnded(state=run.state, version=run.ledger_seq)
    named = said.get("operation")
    if named is not None and not OperationContract.objects.filter(tenant_id=by.tenant, name=named).exists():
        # A name that was mistyped would stop nothing, and whoever made the correction would think that it did.
        raise BadCorrection(path="/contradicts/operation")
    now = clock.now()
    unstarted, under_way = _contradicting(run, said)
    last = Correction.objects.filter(run=run).aggregate(last=Max("number"))["last"] or 0
    correction = Correction.objects.create(
        id=uuid7(), tenant_id=run.tenant_id, run=run, number=last + 1, made_at=now, made_by=str(by), source=source, text=text,
        contradicts=canonical(said) if said else "", invalidated=[effect.pk for effect in unstarted],
        under_way=[effect.pk for effect in under_way],
    )  # fmt: skip
    # It is looked at again whether somebody is there to take it into account (RES-06).
    Run.objects.filter(pk=run.pk).update(
        corrections_count=correction.number, watch_at=now if run.state == RUNNING else run.watch_at
    )
    record.write([(run.pk, "correction.made", told(correction))], by, now)
    if unstarted:
        driving.end_unstarted(by, unstarted, WITHDRAWN, otherwise(correction.number), now)
        rows("select runs_after_endings(%s::uuid[], %s, %s)", [[run.pk], str(by), now])
    news.corrected(by, run, correction)
    ring_after_commit(run.pk, *[effect.pk for effect in unstarted])
    return {
        "run": str(run.pk), "correction": str(correction.pk), "number": correction.number, "withdrawn": _ids(correction.invalidated),
        "under_way": _ids(correction.under_way), "state": run.state, "at": instant(now),
    }  # fmt: skip


def otherwise(number: int) -> str:
    """Say why what a correction contradicts is withdrawn."""
    return f"correction {number} says otherwise"


def may_correct(by: Actor, run: Run) -> bool:
    """Tell whether somebody may correct a run."""
    if by.kind == "agent":
        return driver.may_drive(by, run)
    if by.kind != "member":
        return False
    member = Member.objects.filter(pk=by.principal, tenant_id=by.tenant, active=True).first()
    return member is not None and member_may_correct(member, run.agent)


def member_may_correct(member: Member, agent: Agent) -> bool:
    """Tell whether a member may correct the runs of an agent."""
    return member.active and (bool(ROLES & set(member.roles)) or agent.owner_id == member.pk)


def told(correction: Correction) -> Object:
    """Tell a correction as it was made."""
    return {
        "correction": str(correction.pk), "number": correction.number, "made_by": correction.made_by, "source": correction.source,
        "text": correction.text, "contradicts": correction.contradicts, "invalidated": _ids(correction.invalidated),
        "under_way": _ids(correction.under_way),
    }  # fmt: skip


def _contradicting(run: Run, said: Object) -> tuple[list[Effect], list[Effect]]:
    """Lock what is open in the run and give what contradicts: what has not begun, and what is under way.

    What makes good for an effect is nothing that the agent set out to do, and is not called off by what a user says of that."""
    if not said:
        return [], []
    open_ones = Effect.objects.filter(run=run, state__in=OPEN, compensates=None).order_by("pk")
    effects = open_ones.select_for_update(no_key=True)
    found = [effect for effect in effects if contradicts(said, effect.operation_name, _arguments(effect))]
    return [effect for effect in found if effect.state in UNSTARTED], [
        effect for effect in found if effect.state not in UNSTARTED
    ]


def _arguments(effect: Effect) -> Object:
    arguments = decode(effect.arguments.encode())
    return arguments if isinstance(arguments, dict) else {}


def _ids(ids: list[UUID]) -> list[Value]:
    return [str(effect) for effect in ids]
