"""How a run would be resumed, without acting: the nine checks, what was approved against what stands, versions then and now; and what
people decide about a run that does not go on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from console.exact import Value, decode
from console.http.refusals import NotFound, Refusal
from console.pages import sent
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs.contracts.run_type import PINNED, RunTypeDocument
from runs.history import actor_names, process_name
from runs.models import Resumption
from runs.resuming import loading, quarantine, queries, told
from runs.resuming.facts import Approved, Facts, Step
from runs.states import QUARANTINED, RUN_ENDED, RUN_GOING

PARTS = {"checks": "runs/_checks.html"}
SHOWN = 10
TITLES = {
    "schema": "Checkpoint", "ownership": "Ownership", "authoritative": "State", "effects": "In flight and unknown",
    "permissions": "Permission", "compatibility": "Versions", "news": "What came meanwhile", "context": "Brief", "decision": "Decision",
}  # fmt: skip
FOLLOWS = {"continue": "it goes on", "decide": "a person decides", "quarantine": "it is set aside"}


@dataclass(frozen=True, slots=True)
class Version:
    """One version: what was kept, what the last resume said, and what its pin says of a change."""

    name: str
    was: str
    said: str
    follows: str

    @property
    def changed(self) -> bool:
        """Tell whether the last resume said something else than what was kept."""
        return bool(self.was) and self.was != self.said


@dataclass(frozen=True, slots=True)
class Resumed:
    """One resume as a line."""

    row: Resumption
    who: str


@page("receipt")
def resume(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show how a resume would go, as things stand; nothing is changed by looking."""
    return part_or_page(
        request, "runs/resume.html", PARTS, _context(request, subject) | {"receipt": sent.told(request)}
    )


def _decided(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
    if not isinstance(became, Refusal):
        return sent.to(request, "resume", subject)
    context = _context(request, subject) | {"receipt": sent.said(became), "typed": request.POST.get("reason", "")}
    return whole(request, "runs/resume.html", context, became.status)


@deed(shown=_decided, on="resume")
def set_run_aside(request: MemberRequest, subject: UUID) -> Receipt:
    """Set the run aside until somebody releases it."""
    return quarantine.set_aside(request.by, subject, reason=_reason(request), key=sent.key(request))


@deed(shown=_decided, on="resume")
def release_run(request: MemberRequest, subject: UUID) -> Receipt:
    """Let a run that was set aside go on, once it has been resumed."""
    return quarantine.release(request.by, subject, reason=_reason(request), key=sent.key(request))


@deed(shown=_decided, on="resume")
def accept_run_versions(request: MemberRequest, subject: UUID) -> Receipt:
    """Accept the versions that the resume shown here came with."""
    named = _id(request.POST.get("resumption", ""))
    return quarantine.accept_versions(
        request.by, subject, resumption=named, reason=_reason(request), key=sent.key(request)
    )


def _context(request: MemberRequest, run_id: UUID) -> dict[str, Any]:
    run = loading.whole(run_id, request.member.tenant_id)
    if run is None:
        raise NotFound
    facts, judged = queries.preview(run)
    rows = queries.of_run(run.pk, SHOWN)
    last = rows[0] if rows else None
    may_decide = quarantine.may_decide(request.member, facts.contract)
    return {
        "run": run, "decision": judged.decision, "reason": judged.reason, "checks": _checks(judged.steps),
        "approvals": [_approved(each) for each in facts.approvals], "versions": _versions(facts, last),
        "resumes": _lines(run.tenant_id, rows), "ended": run.state in RUN_ENDED,
        "may_decide": may_decide, "may_accept": quarantine.to_accept(run, last), "last": last,
        "may_release": run.state == QUARANTINED, "may_set_aside": run.state in RUN_GOING,
        "path": facts.contract.quarantine_path, "group": facts.contract.quarantine_to,
        "brief_text": told.text(judged.brief.value), "brief_bytes": len(judged.brief.text.encode()), "form_key": str(uuid7()), "typed": "",
    }  # fmt: skip


def _checks(steps: Sequence[Step]) -> list[dict[str, str]]:
    return [
        {"name": step.step, "title": TITLES.get(step.step, step.step), "result": step.result, "detail": step.detail} for step in steps
    ]  # fmt: skip


def _approved(each: Approved) -> dict[str, Any]:
    """Put what was approved beside what stands now."""
    effect, request = each.effect, each.effect.request
    return {
        "effect": effect, "request": request, "same_arguments": each.same_arguments,
        "target_then": request.target if request else "", "target_now": effect.target,
        "policy_then": each.policy_then, "policy_now": each.policy_now, "same_policy": each.same_policy,
        "operation_then": each.operation_then, "operation_now": each.operation_now,
        "same_operation": each.operation_then == each.operation_now,
    }  # fmt: skip


def _versions(facts: Facts, last: Resumption | None) -> list[Version]:
    """Give each version that is kept or was said: a run's last resume said what stands in its row."""
    said = _object(last.versions) if last else {}
    kept = [
        _version(name, facts.before.get(name), said.get(name) if last else facts.before.get(name), facts.contract)
        for name in PINNED
        if facts.before.get(name) or said.get(name)
    ]
    for kind, (word, pinned) in {"operations": ("operation", "interface"), "policies": ("policy", "policy")}.items():
        before, now = facts.before.get(kind), facts.ours.get(kind)
        if isinstance(before, dict) and isinstance(now, dict):
            kept += [
                Version(f"{word} {name}", str(before[name]), str(now[name]), FOLLOWS[facts.contract.pins[pinned]])
                for name in sorted(before.keys() & now.keys())
            ]
    return kept


def _version(name: str, was: Value, said: Value, contract: RunTypeDocument) -> Version:
    return Version(name, str(was or ""), str(said or ""), FOLLOWS[contract.pins[name]])


def _lines(tenant_id: UUID, rows: list[Resumption]) -> list[Resumed]:
    names = actor_names(tenant_id, {row.resumed_by for row in rows})
    return [Resumed(row, names.get(row.resumed_by, process_name(row.resumed_by))) for row in rows]


def _object(text: str) -> dict[str, Value]:
    value = decode(text) if text else {}
    return value if isinstance(value, dict) else {}


def _reason(request: MemberRequest) -> str:
    return request.POST.get("reason", "").replace("\r\n", "\n")


def _id(written: str) -> UUID:
    """Read an id of a form. Raises NotFound."""
    try:
        return UUID(written)
    except ValueError:
        raise NotFound from None
