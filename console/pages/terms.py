"""The words that ask for runs, as the page reads and offers them: a line, a form that adds to it, chips that take away from it."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.http import HttpRequest

from console.database import rows
from console.pages import address
from console.pages.address import query
from runs import wanted
from runs.states import RUN_REACHED
from runs.wanted import BadTerm, Wanted

FIELDS = ("state", "type", "agent", "op", "dep", "sort")
OFFERED = 50
NAMES = """
(select 'type' as field, name from runs_runtypecontract where tenant_id = %s and retired_at is null order by name limit %s)
union all (select 'agent', name from identity_agent where tenant_id = %s order by name limit %s)
union all (select 'op', name from runs_operationcontract where tenant_id = %s and retired_at is null order by name limit %s)
union all (select 'dep', name from runs_dependency where tenant_id = %s and retired_at is null order by name limit %s)
"""
IN_STATES = ("open", "ended", "needs", "asking", "unknown")
WORDS = {
    "needs": "Stuck", "asking": "Waits for a decision", "unknown": "Not confirmed", "age": "Youngest first", "-age": "Oldest first",
}  # fmt: skip
LABELS = {"state": "State", "type": "Type", "agent": "Agent", "op": "Operation", "dep": "Dependency", "sort": "Order"}


@dataclass(frozen=True, slots=True)
class Chip:
    """One thing that is asked, and the address of the list without it."""

    text: str
    without: str


@dataclass(frozen=True, slots=True)
class Choice:
    """What the form offers for one field, what of it is asked already, and the lines that ask for each besides the rest."""

    field: str
    label: str
    asked: str
    options: list[tuple[str, str]]
    lines: list[str]


def read(request: HttpRequest) -> tuple[Wanted, list[BadTerm]]:
    """Read the line; what the form adds takes the place of the same word in the line. Raises BadFilter."""
    asked, faults = wanted.read(request.GET.get("q", "").strip())
    for field in FIELDS:
        value = address.word(request, field)
        if not value:
            continue
        added, wrong = wanted.read(f"{field}:{value}")
        if wrong or added.words:
            raise address.BadFilter
        name = "order" if field == "sort" else field
        asked = replace(asked, **{name: getattr(added, name)})
    return asked, faults


def chips(asked: Wanted) -> list[Chip]:
    """Give what is asked, each with the way to ask without it."""
    listed = wanted.terms(asked)
    texts = [text for _, text in listed]
    return [Chip(text, query(q=" ".join(texts[:place] + texts[place + 1 :]))) for place, text in enumerate(texts)]


def choices(tenant_id: UUID, asked: Wanted) -> list[Choice]:
    """Give what can be asked of each field: states, and the names that are in use."""
    named: dict[str, list[str]] = {"state": [*IN_STATES, *RUN_REACHED], "sort": list(wanted.SORTS)}
    for row in rows(NAMES, [value for _ in range(4) for value in (tenant_id, OFFERED)]):
        named.setdefault(row["field"], []).append(row["name"])
    return [_choice(field, named.get(field, []), asked) for field in FIELDS]


def _choice(field: str, names: list[str], asked: Wanted) -> Choice:
    own = "order" if field == "sort" else field
    changes: list[dict[str, Any]] = [{own: name} for name in names]
    lines = [wanted.line(replace(asked, **change)) for change in changes]
    options = [
        (name, WORDS.get(name, name.replace("_", " ").capitalize() if field == "state" else name)) for name in names
    ]
    return Choice(field, LABELS[field], getattr(asked, own), options, lines)
