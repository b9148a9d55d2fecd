"""One effect by itself: what exactly, by whose leave, what was tried, what is known of it, and what hangs on it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from approvals.models import Request
from approvals.policies import document_of as policy_of
from compensation.queries import items
from console.exact.conditions import sentence
from console.http.refusals import NotFound
from console.pages import address, effects
from console.pages.answers import part_or_page
from console.pages.findings import finding
from console.pages.questions import number_of, votes
from console.pages.room import MemberRequest, page
from runs import history, neighbours
from runs.contracts.operation import read_operation
from runs.effect_keys import effect_key
from runs.models import Effect
from runs.unknowns import queue

PARTS = {"effect": "runs/_whole_effect.html"}
ENTRIES = 500


@page()
def effect(request: MemberRequest, subject: UUID, number: int) -> HttpResponse:
    """Show one effect of a run."""
    found = neighbours.effect(request.member.tenant_id, subject, number)
    if found is None:
        raise NotFound
    return part_or_page(request, "runs/effect.html", PARTS, _context(request, found))


@page()
def effect_by_id(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Lead to an effect's page, known by its id alone."""
    place = neighbours.place(request.member.tenant_id, subject)
    if place is None:
        raise NotFound
    return HttpResponseRedirect(reverse("effect", args=place))


def _context(request: MemberRequest, found: Effect) -> dict[str, object]:
    contract = read_operation(found.operation.document)
    around = neighbours.neighbours(found)
    story = history.story(found.run, None, ENTRIES)
    findings = queue.resolutions([found.pk]).get(found.pk, [])
    return {
        "run": found.run,
        "findings": [finding(each, request.member) for each in findings],
        "effect": effects.alone(
            found, {before.pk: before.number for before in around.before}, request.member, request.now
        ),
        "open": found.ended_at is None,
        "deadline_at": found.deadline_at,
        "sent_as": effect_key(found.pk) if contract.http else "",
        "digest_hex": bytes(found.effect_digest).hex(),
        "contract": contract,
        "permission": _permission(found),
        "asked": _asked(found.request) if found.request else None,
        "neighbours": around,
        "mended": items.about(found.tenant_id, found.pk),
        "entries": [
            {"line": line, "before": address.query(before=address.written(line.place))}
            for line in story.once()
            if line.effect == str(found.pk)
        ],
        "entries_of": ENTRIES if story.earlier else None,
    }


def _permission(found: Effect) -> dict[str, Any]:
    """Say which policy and rule judged it, and the rule's condition as a sentence."""
    if found.policy is None:
        return {"verdict": found.verdict}
    rules = policy_of(found.policy).rules
    rule = next((rule for rule in rules if rule.name == found.rule), None)
    return {
        "verdict": found.verdict, "policy": found.policy, "rule": found.rule,
        "when": sentence(rule.when) if rule else "", "reason": rule.reason if rule else "",
    }  # fmt: skip


def _asked(request: Request) -> dict[str, Any]:
    return {"request": request, "number": number_of(request.pk), "votes": votes(request)}
