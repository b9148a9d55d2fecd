"""All invariants of a history, those that need the other side's ledger too: for the model, the crash tests and whoever breaks them by hand.

`check()` asks this process's database; `at_the_bank(entries, ask)` compares a bank's ledger with any database that `ask` can query."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from console.clock import instant
from console.database import crossing_tenants
from console.exact import decode
from console.ledger.verification import Finding
from examples.bank.book import body_digest
from runs import invariants
from runs.contracts.operation import read_operation
from runs.contracts.request import Surroundings, render
from runs.effect_keys import effect_key
from tests.cast import inside
from tests.record import findings
from tests.superuser import hand

Entry = dict[str, Any]  # a line of the bank's ledger
ONCE = "1. The bank has at most one entry per effect key."
MEANT = "2. Every bank entry maps to a recorded intent with the same digest."
INTENDED = """
select e.id, e.run_id, e.arguments, e.deadline_at, e.operation_reference, o.document,
       array(select t.fence from runs_attempt t where t.effect_id = e.id and t.kind in ('act', 'resend')) as fences
from runs_effect e join runs_operationcontract o on o.id = e.operation_id where o.executor = 'http' and e.arguments <> ''
"""
Ask = Callable[[str], list[tuple[Any, ...]]]


def broken() -> list[Finding]:
    """Give what breaks the invariants that `verify` asks of a live database."""
    with crossing_tenants():
        return list(invariants.broken())


def check(entries: Iterable[Entry] = ()) -> None:
    """Demand that everything holds: chains, folds, the sentences, and (with the bank's ledger) that nothing happened twice or unmeant."""
    named = [*map(str, findings()), *map(str, broken()), *at_the_bank(entries, here)]
    assert not named, "\n".join(named)


def at_the_bank(entries: Iterable[Entry], ask: Ask) -> list[str]:
    """Compare a bank's ledger with what is recorded; gives the sentences that do not hold, each with the key it is about."""
    done = list(entries)
    times = Counter(str(entry["key"]) for entry in done)
    twice = [f"{ONCE} {key} has {number}." for key, number in sorted(times.items()) if number > 1]
    intended = {effect_key(row[0]): row for row in ask(INTENDED)}
    unmeant = [f"{MEANT} {entry['key']}: {why}" for entry in done if (why := _why_unmeant(entry, intended))]
    return twice + unmeant


def _why_unmeant(entry: Entry, intended: Mapping[str, Sequence[Any]]) -> str:
    if entry["key"] not in intended:
        return "nobody meant it"
    effect, run, arguments, deadline_at, reference, document, fences = intended[entry["key"]]
    act = read_operation(document).http.act  # type: ignore[union-attr]
    secrets = {path[1]: "x" for _, value in act.headers for path in value.paths if path[0] == "secret"}
    if entry["fence"] is not None and entry["fence"] not in fences:
        return f"run {run} has no attempt with fence {entry['fence']}"
    around = Surroundings(
        base_url="", effect_key=entry["key"], effect_id=str(effect), fence=entry["fence"] or 0, deadline=instant(deadline_at) or "",
        secrets=secrets, operation_id=reference or None,
    )  # fmt: skip
    asked = render(act, decode(arguments.encode()), around)  # type: ignore[arg-type]
    if body_digest(asked.url.partition("?")[0], asked.body or b"") != entry["body_digest"]:
        return f"run {run} means something else by it"
    return ""


def here(sql: str) -> list[tuple[Any, ...]]:
    """Ask this process's database, past every rule."""
    return hand().execute(sql.encode()).fetchall()


def count_effects() -> int:
    """Count the effects, so that a healthy database is known not to be an empty one."""
    with inside():
        return len(here("select id from runs_effect"))
