"""What can be made good for in the shop: reservations, charges and notices with what undoes them, as tests call it.

reserve → release, then charge → refund (only once the reservations of the run are released); book → unbook, which looks first whether
the booking is still as it was made; notify has nothing that undoes it, people do; lend → fetch only when somebody asks, and a plan for it
is approved first; grant → revoke, whose own contract lets even that be made good for."""

from collections.abc import Sequence
from itertools import count
from typing import Any
from uuid import UUID

from compensation.models import Plan, WorkItem
from compensation.plans import planner
from console import clock
from console.exact import Value
from runs.models import Effect, Run
from tests.cast import inside
from tests.shop import Shop, draft, operation
from tests.work import Row, claim, settle

WHY = "The customer does not want it any more."
TAKES = """
arguments:
  type: object
  required: [{required}]
  properties:
    receipt: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal, exclusiveMinimum: "0"}}
    why: {{type: string, maxLength: 10000}}
key: {{scope: run, retention_seconds: 2592000, equivalence: "same operation, target and arguments"}}
"""
READ = """
  read:
    method: GET
    url: "{dependency.base_url}/orders/{receipt}"
    headers: {Authorization: "Bearer {secret.bank-token}"}
    attempt_timeout_seconds: 5
    max_age_seconds: 60
    outcomes:
      - {when: {path: status, op: eq, value: 200}, outcome: succeeded, result: {body: "{body}"}}
"""
SECTIONS = {
    "reserve": """
  operation: release
  arguments: {receipt: "{result.receipt}"}
  on: [cancelled, failed, expired]
  residue: [The hotel keeps its fee for booking.]
  deadline_seconds: 3600
""",
    "charge": """
  operation: refund
  arguments: {receipt: "{result.receipt}", amount: "{arguments.amount}", why: "{reason}"}
  on: [cancelled, failed, expired, partial]
  after: [reserve]
  authority: Finance, or whoever charged it.
  residue: [The charge and the refund stand in the customer's statement.]
  verification: The statement shows both.
  second_person: true
""",
    "book": """
  operation: unbook
  arguments: {receipt: "{result.receipt}"}
  on: [cancelled]
  unchanged:
    - {path: body.status, equals: confirmed}
    - {path: body.to, equals: "{arguments.to}"}
""",
    "notify": """
  operation: null
  why_none: What was read cannot be unread.
  on: [cancelled]
  need: allowed
  owner: support
  instructions: Call the customer and say what is not so any more.
  checklist: [Call., Write down what was said.]
""",
    "lend": """
  operation: fetch
  plan_first: true
  who: [operator, admin]
""",
    "grant": """
  operation: revoke
  arguments: {receipt: "{result.receipt}"}
  on: [cancelled]
""",
    "revoke": """
  operation: grant
  of_compensation: true
  arguments: {to: "{arguments.receipt}", amount: "1"}
""",
}
_keys = count(1)


def makes_good(name: str, required: str = "receipt", *, reads: bool = False) -> str:
    """Write the contract of an operation that takes a receipt, as those do that undo something."""
    written = operation(
        name, summary=name.capitalize() + " {receipt}", target="receipt:{receipt}", body='body: {receipt: "{receipt}"}'
    )
    before, _, rest = written.partition("arguments:\n")
    rest = rest[rest.index("http:\n") :]
    rest = rest.replace("retry:", READ.removeprefix("\n") + "retry:", 1) if reads else rest
    return before.rstrip() + TAKES.format(required=required) + rest + section(name)


def section(name: str) -> str:
    """Write what a contract says of making good for it; nothing, where this is nothing to be said of."""
    return f"compensation:{SECTIONS[name]}" if name in SECTIONS else ""


def undone_by(name: str, said: str, **terms: Any) -> str:
    """Write the contract of an operation that says this of making good for it (lines of YAML, two blanks deep)."""
    return operation(name, **terms) + f"compensation:\n{said}"


CONTRACTS = "\n---\n".join(
    [
        *(operation(name) + section(name) for name in ("reserve", "charge", "book", "notify", "lend", "fetch", "grant")),
        makes_good("release"), makes_good("refund", "receipt, amount"), makes_good("unbook", reads=True), makes_good("revoke"),
    ]
)  # fmt: skip


def with_undoing(shop: Shop) -> Shop:
    """Put all of that in force in the shop."""
    refused = [applied for applied in shop.apply(CONTRACTS) if applied.faults]
    assert not refused, "\n".join(map(str, refused))
    return shop


def key() -> str:
    """Give a key that was not used before."""
    return f"undo-{next(_keys)}"


def begun(shop: Shop, *operations: str, **run: Any) -> UUID:
    """Accept a run with one effect of each of these operations, whose key is its name (and its number, if named again)."""
    named: list[str] = []
    for name in operations:
        again = sum(each.partition("-")[0] == name for each in named)
        named.append(f"{name}-{again + 1}" if again else name)
    drafts = [draft(each, "20", each.partition("-")[0]) for each in named]
    return shop.accept(*drafts, **run)


def done(shop: Shop, *operations: str, **run: Any) -> UUID:
    """Have a run whose effects, one of each of these operations, were done; each gave the receipt r-<its key>."""
    accepted = begun(shop, *operations, **run)
    answer(claim())
    return accepted


def answer(claimed: Sequence[Row], outcome: str = "succeeded", **more: Any) -> None:
    """Answer each of these attempts alike, with a receipt."""
    for row in claimed:
        result: Value = {"receipt": f"r-{row['key']}"}
        settle(row, outcome, **{"result": result} | more)


def compensation_of(effect: Effect) -> Effect | None:
    """Read the last effect that makes good for this one."""
    with inside():
        return Effect.objects.filter(compensates=effect.pk).order_by("number").last()


def plans_of(run: UUID) -> list[Plan]:
    """Read the plans of a run, in order."""
    with inside():
        return list(Plan.objects.filter(run=run).order_by("number"))


def items_of(run: UUID) -> list[WorkItem]:
    """Read the work items of a run, in order."""
    with inside():
        return list(WorkItem.objects.filter(run=run).select_related("effect", "acting").order_by("number"))


def item_of(run: UUID, key: str) -> WorkItem:
    """Read the last work item of an effect, by the effect's key."""
    found = [each for each in items_of(run) if each.effect is not None and each.effect.key == key]
    return found[-1]


def planned(shop: Shop, run: UUID, *keys: str, cause: str = "asked", reason: str = WHY, **more: Any) -> Plan | None:
    """Plan for these effects of a run, or for all that the cause is for, as a step of the clock would."""
    with inside():
        held = Run.objects.select_for_update(no_key=True).get(pk=run)
        effects = list(Effect.objects.filter(run=run, key__in=keys).values_list("pk", flat=True)) if keys else None
        wish = planner.Wish(held, cause, reason, None if effects is None else frozenset(effects), **more)
        return planner.make_all(shop.office, [wish], clock.now()).get(run)
