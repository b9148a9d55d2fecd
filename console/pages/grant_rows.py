"""A standing approval as a line: what it says, and what is left of each of its units, as a number and as a bar."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from approvals.granting.sentences import said, span
from approvals.models import Grant, GrantUse
from console.exact import number_text
from console.exact.visible import visible
from runs import queries as runs
from runs.models import Effect


@dataclass(frozen=True, slots=True)
class Unit:
    """What is left of one bound; `taken` and `most` are the meter's."""

    name: str
    left: str
    of: str
    taken: str
    most: str


@dataclass(frozen=True, slots=True)
class Line:
    """A grant as lists and its own page show it."""

    grant: Grant
    sentence: str
    units: list[Unit]
    pace: str


@dataclass(frozen=True, slots=True)
class Use:
    """One use, with the effect that it is of; None where that is not here any more."""

    use: GrantUse
    effect: Effect | None

    @property
    def amount(self) -> str:
        """Write its amount, without the places that it does not have."""
        return "none" if self.use.amount is None else number_text(self.use.amount)


def line(grant: Grant) -> Line:
    """Show a grant."""
    pace = f"{grant.rate_most:,} in {span(grant.rate_seconds)}" if grant.rate_most and grant.rate_seconds else ""
    return Line(grant, said(grant), _units(grant), pace)


def uses(found: Sequence[GrantUse]) -> list[Use]:
    """Show uses with their effects."""
    effects = runs.subjects([each.subject for each in found])
    return [Use(each, effects.get(each.subject)) for each in found]


def _units(grant: Grant) -> list[Unit]:
    units = [_unit("uses", Decimal(grant.uses_taken), Decimal(grant.uses_most))]
    if grant.amount_most is not None:
        name = visible(grant.amount_path.removeprefix("arguments.").replace("_", " "))
        units.append(_unit(name, grant.amount_taken, grant.amount_most))
    return units


def _unit(name: str, taken: Decimal, most: Decimal) -> Unit:
    return Unit(name, number_text(most - taken), number_text(most), number_text(taken), number_text(most))
