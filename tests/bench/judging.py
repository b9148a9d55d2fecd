"""Judging in a process of its own: what 200 rules take for one intent, and how long a new version takes for all that is pending."""

import statistics
import time
from typing import Any

import django

from tests.bench.program import obey

RULE = """  - name: rule-{n}
    when: {{all: [{{path: agent, op: eq, value: bot-{n}}}, {{path: arguments.amount, op: gt, value: {n}}}]}}
    then: deny"""
LAST = """  - name: rest
    when: {{path: arguments.amount, op: gt, value: {above}}}
    then: ask
    ask: {{groups: [finance], quorum: {quorum}, decide_within_seconds: 86400, use_within_seconds: 900}}
"""
MONEY = """apiVersion: counterfoil/v1
kind: Policy
name: money
version: {version}
operations: [pay, wire]
rules:
{rules}
"""
RUNS = 200  # in one request, while the pending ones are made


def money(version: int, rules: int, quorum: int = 1, above: int = 0) -> str:
    """Write a policy with so many rules, of which the last one asks."""
    others = [RULE.format(n=number) for number in range(1, rules)]
    return MONEY.format(version=version, rules="\n".join([*others, LAST.format(quorum=quorum, above=above)]))


def evaluated(rules: int, times: int) -> dict[str, Any]:
    """Judge one intent that only the last rule speaks of."""
    from approvals.policy_checks import normalise
    from approvals.policy_document import judge, policy_document
    from console.documents import load

    (document,) = load(money(2, rules))
    policy = policy_document(normalise(document).value)
    facts: dict[str, Any] = {
        "operation": "pay", "target": "payee:bob", "arguments": {"to": "bob", "amount": "250", "currency": "EUR"}, "agent": "errand-bot",
        "run_type": "errand", "owner": "Ben Osei", "tier": "normal", "irreversible": False,
    }  # fmt: skip
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        verdict = judge(policy, facts).verdict
        taken.append((time.perf_counter() - began) * 1000)
        if verdict != "ask":
            raise RuntimeError(verdict)
    return {"milliseconds": round(statistics.median(taken), 3), "worst": round(max(taken), 3)}


def opened(pending: int) -> dict[str, Any]:
    """Have a shop in which so many runs each wait for one approval."""
    from runs import intake
    from tests.shop import draft, open_shop

    shop = open_shop("judging")
    shop.apply(money(2, 3))
    for first in range(0, pending, RUNS):
        drafts = [shop.draft(draft("dear", "250")) for _ in range(min(RUNS, pending - first))]
        intake.accept(shop.bot, drafts)
    return {"tenant": str(shop.tenant.pk)}


def judged(tenant: str, version: int, quorum: int, above: int = 0) -> dict[str, Any]:
    """Publish a version, and pass the clock until nothing stands on an earlier one; the pause between passes is left out."""
    from uuid import UUID

    from approvals.publishing import publish
    from console.database import crossing_tenants
    from console.documents import load
    from console.ledger.actors import Actor
    from runs.sweep import sweep

    by = Actor("system", None, "bench", UUID(tenant), "command")
    with crossing_tenants():
        (document,) = load(money(version, 3, quorum, above))
        began = time.perf_counter()
        if publish(by, document).faults:
            raise RuntimeError("it was refused")
        published = time.perf_counter() - began
        passes = []
        while True:
            began = time.perf_counter()
            found = sweep()["effects judged again"]
            if not found:
                break
            passes.append(time.perf_counter() - began)
    return {
        "published_seconds": round(published, 3), "seconds": round(sum(passes), 2), "passes": len(passes),
        "longest_pass": round(max(passes), 2),
    }  # fmt: skip


if __name__ == "__main__":
    django.setup()
    obey({"evaluated": evaluated, "opened": opened, "judged": judged})
