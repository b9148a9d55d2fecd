"""Contracts and policies: what is in force, and one document as sentences, with what it leaves open and how it changed."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.urls import reverse

from approvals.policy_document import ASK, PolicyDocument, policy_document
from console.exact.conditions import ALWAYS, sentence
from console.http.refusals import NotFound
from console.pages import address, pauses_panel
from console.pages.address import BadCursor, query
from console.pages.answers import part_or_page
from console.pages.counts import MOST, Count
from console.pages.pauses import SHELVES
from console.pages.room import MemberRequest, page
from runs import shelf
from runs.contracts import gaps, publishable
from runs.contracts.comparing import changes
from runs.contracts.recovery_told import does
from runs.contracts.resume_told import is_for
from runs.contracts.spans import in_words
from runs.contracts.telling import outcome_tables, told
from runs.policies.telling import asks
from runs.shelf import Applied

SHOWN = 50
LISTED = 200
NOUNS = {"operation": "Operations", "run-type": "Run types", "policy": "Policies", "dependency": "Dependencies"}
NOUN = {"operation": "Operation", "run-type": "Run type", "policy": "Policy", "dependency": "Dependency"}
LATER = {"rate_per_second": "rate per second", "recovery": "order and warm-up of recovery"}
PAUSED = {kind: scope for scope, kind in SHELVES.items()}
FOLLOWS = {"allow": "it is allowed", "deny": "it is denied"}


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule of a policy in words."""

    name: str
    when: str
    then: str
    reason: str


@page("kind", "after")
def contracts(request: MemberRequest) -> HttpResponse:
    """Show the documents of one kind that are in force, by name."""
    kind = address.chosen(request, "kind", frozenset(NOUNS)) or "operation"
    after = address.word(request, "after")
    if after and not after.replace("-", "").replace("_", "").isalnum():
        raise BadCursor
    tenant_id = request.member.tenant_id
    found = shelf.in_force(kind, tenant_id, after, SHOWN + 1)
    counted = shelf.counts(tenant_id, MOST + 1)
    context = {
        "kind": kind,
        "noun": NOUNS[kind],
        "kinds": [{"kind": each, "name": name, "count": Count(counted[each])} for each, name in NOUNS.items()],
        "contracts": found[:SHOWN],
        "more": query(kind=kind, after=found[SHOWN - 1].name) if len(found) > SHOWN else None,
        "first": not after,
    }
    return part_or_page(request, "contracts/list.html", {}, context)


@page("version", "compare")
def contract(request: MemberRequest, kind: str, name: str) -> HttpResponse:
    """Show one document: the version in force, or the one that is asked for, beside another where that is asked."""
    tenant_id = request.member.tenant_id
    if kind not in NOUNS:
        raise NotFound
    found = _found(request, kind, name, address.whole_number(request, "version") or None)
    asked = address.whole_number(request, "compare")
    other = _found(request, kind, name, asked) if asked else None
    context = {
        "contract": found,
        "kind": kind,
        "noun": NOUN[kind],
        "value": found.value,
        "text": found.text(),
        "versions": shelf.versions(kind, tenant_id, name),
        "compared": other,
        "changes": changes(other.ordered(), found.ordered()) if other else None,
        "here": reverse("contract", args=[kind, name]),
        "pauses": pauses_panel.of_contract(request, PAUSED[kind], name) if kind in PAUSED else None,
        **SAID[kind](request, found),
    }
    return part_or_page(request, "contracts/detail.html", {}, context)


def _found(request: MemberRequest, kind: str, name: str, version: int | None) -> Applied:
    found = shelf.one(kind, request.member.tenant_id, name, version)
    if found is None:
        raise NotFound
    return found


def _operation(request: MemberRequest, found: Applied) -> dict[str, Any]:
    tenant_id = request.member.tenant_id
    policy = shelf.governing(tenant_id, found.name)
    links = [
        {"name": "Run types that may use it", "kind": "run-type", "names": shelf.users(tenant_id, found.name, LISTED)}
    ]
    section: Any = found.value.get("compensation") or {}
    if section.get("operation") and shelf.one("operation", tenant_id, section["operation"], None):
        links.append({"name": "Put right by", "kind": "operation", "names": [section["operation"]]})
    return {
        "does": list(does(found.value)),
        "lines": told(found.document),
        "gaps": gaps(found.document),
        "publishable": publishable(found.document),
        "tables": outcome_tables(found.value),
        "policy": policy,
        "dependency": found.value.get("dependency"),
        "links": links,
    }


def _run_type(request: MemberRequest, found: Applied) -> dict[str, Any]:
    operations: Any = found.value["operations"]
    return {
        "does": list(is_for(found.value)),
        "lines": told(found.document),
        "gaps": gaps(found.document),
        "publishable": publishable(found.document),
        "links": [{"name": "Operations it may use", "kind": "operation", "names": [] if operations == "*" else operations}],
    }  # fmt: skip


def _policy(request: MemberRequest, found: Applied) -> dict[str, Any]:
    policy = policy_document(found.value)
    in_force = found.ended_at is None
    names = shelf.governed(request.member.tenant_id, found.name, policy.operations, LISTED) if in_force else []
    return {
        "does": [_covers(policy), "The first rule that holds decides."],
        "rules": _rules(policy),
        "otherwise": FOLLOWS[policy.otherwise],
        "links": [{"name": "Operations it governs now", "kind": "operation", "names": names}],
    }


def _covers(policy: PolicyDocument) -> str:
    if policy.governs("*"):
        return "It governs every operation that no other policy names."
    return f"It governs {', '.join(policy.operations)}."


def _rules(policy: PolicyDocument) -> list[ShownRule]:
    shown = []
    for rule in policy.rules:
        follows = FOLLOWS.get(rule.then, "")
        if rule.then == ASK and rule.ask is not None:
            follows = asks(rule.ask)
        when = "always" if rule.when == ALWAYS else sentence(rule.when)
        shown.append(ShownRule(rule.name, when, follows, rule.reason))
    return shown


def _dependency(request: MemberRequest, found: Applied) -> dict[str, Any]:
    value: Any = found.value
    says = [
        f"Every call begins with {value['base_url']}.",
        f"At most {value['concurrency']} calls are in flight at once.",
        f"One attempt takes at most {in_words(value['timeout_seconds'])}, whatever an operation says.",
        f"Late and doubled results: {value['late_results']}",
    ]
    if value.get("retry_budget"):
        says.append(f"Retries are at most {value['retry_budget']['share']} of first attempts; beyond that they wait.")
    if value.get("breaker"):
        terms = value["breaker"]
        says.append(
            f"After {terms['failures']} failures in a row within {in_words(terms['window_seconds'])} workers' calls are held back for "
            f"{in_words(terms['open_seconds'])}; then one at a time tries, until one is answered."
        )
    if value.get("degraded"):
        says += [
            f"While it is away: {value['degraded']['mode']}",
            f"What still holds: {value['degraded']['promise']}",
        ]
    if value.get("failover"):
        may = "may" if value["failover"]["eligible"] else "may not"
        says.append(f"Another provider {may} take over. {value['failover']['requirements']}")
    later = [words for name, words in LATER.items() if value.get(name)]
    if later:
        says.append(f"Written down, and not carried out by this version yet: {', '.join(later)}.")
    names = shelf.callers(request.member.tenant_id, found.name, LISTED)
    return {"does": says, "links": [{"name": "Operations that call it", "kind": "operation", "names": names}]}


SAID = {"operation": _operation, "run-type": _run_type, "policy": _policy, "dependency": _dependency}
