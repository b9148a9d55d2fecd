"""Policies: what each says and whom it asks, how far publishing has come, and a draft that is tried before it is in force."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from uuid_utils.compat import uuid7

from approvals.policies import document_of
from approvals.policy_asks import Ask
from approvals.policy_document import ASK, PolicyDocument
from approvals.policy_people import Person
from approvals.publishing import people_of
from console.database import transaction
from console.exact.conditions import ALWAYS, sentence
from console.http.refusals import NotFound, Refusal
from console.pages import address, sent
from console.pages.address import BadCursor, query
from console.pages.answers import part_or_page, whole
from console.pages.room import MemberRequest, Receipt, deed, page
from runs import shelf
from runs.contracts.spans import in_words
from runs.policies import drafting, queries
from runs.policies.telling import asks, terms
from runs.policies.trial import trial

SHOWN = 50
CHANGED = 50
NAMED = 20  # people of a panel, by name
FOLLOWS = {"allow": "it is allowed", "deny": "it is denied"}


@dataclass(frozen=True, slots=True)
class PanelShown:
    """A panel with who of today's members could speak for it."""

    asks: str
    people: list[str]
    more: int


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A rule in words."""

    name: str
    when: str
    then: str
    reason: str
    terms: list[str]
    panels: list[PanelShown]


@page("after")
def policies(request: MemberRequest) -> HttpResponse:
    """Show the policies in force, with what stands on each."""
    after = address.word(request, "after")
    if after and not after.replace("-", "").replace("_", "").isalnum():
        raise BadCursor
    found = queries.in_force(request.member.tenant_id, after, SHOWN + 1)
    stands = queries.standings(found)
    context = {
        "policies": [{"policy": each, "document": document_of(each), "standing": stands[each.pk]} for each in found[:SHOWN]],
        "more": query(after=found[SHOWN - 1].name) if len(found) > SHOWN else None,
        "first": not after,
        "may_publish": _may_publish(request),
    }  # fmt: skip
    return part_or_page(request, "policies/list.html", {}, context)


@page("receipt")
def policy(request: MemberRequest, name: str) -> HttpResponse:
    """Show a policy: its rules, whom each asks and who that is today, its versions, and how far publishing has come."""
    tenant_id = request.member.tenant_id
    found = queries.one(tenant_id, name)
    if found is None:
        raise NotFound
    document = document_of(found)
    context = {
        "policy": found,
        "document": document,
        "standing": queries.standing(found),
        "rules": rules_shown(document, people_of(tenant_id)),
        "otherwise": FOLLOWS[document.otherwise],
        "windows": [
            f"spent.{each.name} adds up {each.path} over {in_words(each.within_seconds)}, for each {each.per}"
            if each.per != "tenant" else f"spent.{each.name} adds up {each.path} over {in_words(each.within_seconds)}, for all together"
            for each in document.spend
        ],
        "governed": shelf.governed(tenant_id, found.name, document.operations, SHOWN),
        "versions": shelf.versions("policy", tenant_id, name),
        "may_publish": _may_publish(request),
        "receipt": sent.told(request),
    }  # fmt: skip
    return part_or_page(request, "policies/detail.html", {}, context)


@page("name")
def draft_policy(request: MemberRequest) -> HttpResponse:
    """Show the form for a draft, with the text of the version in force where one is named."""
    name = address.word(request, "name")
    found = shelf.one("policy", request.member.tenant_id, name, None) if name else None
    return part_or_page(request, "policies/draft.html", {}, _draft(request, found.text() if found else ""))


def _tried(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if isinstance(became, Refusal):
        context = _draft(request, request.POST.get("text", "")) | {"receipt": sent.said(became)}
        return whole(request, "policies/draft.html", context, became.status)
    context = _draft(request, str(became["text"])) | {"draft": became["draft"], "trial": became["trial"]}
    if found := context["trial"]:
        context |= {
            "changed": found.changed(CHANGED),
            "changed_in_all": sum(each.number for each in found.pending_counts if each.change != "same"),
        }
    return whole(request, "policies/draft.html", context, 422 if became["draft"].faults else 200)  # type: ignore[attr-defined]


@deed(shown=_tried, on="draft_policy")
def try_policy(request: MemberRequest) -> Receipt:
    """Read a draft, and say what it would change; nothing is written."""
    text = _text(request)
    with transaction(request.member.tenant_id):
        read = drafting.read(request.member.tenant_id, text)
        found = trial(request.member.tenant_id, read.policy) if read.policy and not read.faults else None
    return {"text": text, "draft": read, "trial": found}


def _published(request: MemberRequest, became: Receipt | Refusal) -> HttpResponse:
    if isinstance(became, Refusal):
        text = _text(request)
        context = _draft(request, text) | {
            "receipt": sent.said(became), "draft": drafting.read(request.member.tenant_id, text)
        }  # fmt: skip
        return whole(request, "policies/draft.html", context, became.status)
    return sent.to(request, "policy", str(became["policy"]))


@deed(shown=_published, on="draft_policy")
def publish_policy(request: MemberRequest) -> Receipt:
    """Put a draft in force."""
    return drafting.publish_text(request.by, _text(request), key=sent.key(request))


def rules_shown(document: PolicyDocument, people: list[Person]) -> list[RuleShown]:
    """Say each rule in words, with who of these people could satisfy it."""
    return [
        RuleShown(
            rule.name,
            "always" if rule.when == ALWAYS else sentence(rule.when),
            asks(rule.ask) if rule.then == ASK and rule.ask else FOLLOWS.get(rule.then, ""),
            rule.reason,
            terms(rule.ask) if rule.ask else [],
            _panels(rule.ask, people) if rule.ask else [],
        )
        for rule in document.rules
    ]


def _panels(ask: Ask, people: list[Person]) -> list[PanelShown]:
    shown = []
    for panel in ask.panels:
        able = [person.name for person in people if person.may_speak_for(panel)]
        shown.append(PanelShown(" or ".join(panel.groups), able[:NAMED], max(len(able) - NAMED, 0)))
    return shown


def _draft(request: MemberRequest, text: str) -> dict[str, Any]:
    return {
        "text": text, "draft": None, "trial": None, "receipt": None, "may_publish": _may_publish(request), "form_key": str(uuid7()),
    }  # fmt: skip


def _may_publish(request: MemberRequest) -> bool:
    return "admin" in request.member.roles


def _text(request: MemberRequest) -> str:
    """Give the text that was pasted, or the file that was chosen instead."""
    chosen = request.FILES.get("file")
    if chosen is not None:
        return chosen.read().decode("utf-8", "replace")
    return request.POST.get("text", "").replace("\r\n", "\n")
