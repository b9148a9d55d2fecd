"""What a run may use, and what it has used: agreed when it is accepted, reckoned by the database (runs/sql/limits.sql) ever after."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

from console.database import rows
from console.exact import Object, canonical, decode, number_text
from console.exact.decimals import decimal_string
from console.http.refusals import InvalidContent
from runs.contracts.stopping import Limits

ATTEMPTS, COST, TOKENS, CHILDREN, WALL = "attempts", "cost", "tokens", "children", "wall_seconds"
BUDGETS: Final = (ATTEMPTS, COST, TOKENS, CHILDREN, WALL)
ON_EXHAUSTION: Final = "on_exhaustion"
PLACES: Final = 6
LARGEST: Final = {ATTEMPTS: 10**9, COST: 10**10, TOKENS: 10**15, CHILDREN: 10**6, WALL: 366 * 24 * 3600}
READ: Final = "select run_id, budget, allowed, used from runs_budgets(%s::uuid[], cf_now())"


class BadLimit(InvalidContent):
    """A limit is a whole number; that of cost is a decimal of at most six places, as text. None is negative."""

    code = "bad_limit"


class LimitTooHigh(InvalidContent):
    """The contract of this type of run allows less."""

    code = "limit_too_high"


@dataclass(frozen=True, slots=True)
class Budget:
    """One budget of a run: how much is allowed, and how much of it is used."""

    name: str
    allowed: Decimal
    used: Decimal

    @property
    def left(self) -> Decimal:
        """How much is left; nothing where more was used than is allowed."""
        return max(self.allowed - self.used, Decimal(0))

    @property
    def is_used_up(self) -> bool:
        """Whether nothing is left. Children are only ever refused, and stop nothing else."""
        return self.name != CHILDREN and self.used >= self.allowed

    def shown(self) -> Object:
        """Give it exactly, as text."""
        return {
            "budget": self.name, "allowed": number_text(self.allowed), "used": number_text(self.used), "left": number_text(self.left),
        }  # fmt: skip


def agreed(wanted: Mapping[str, Any] | None, contract: Limits) -> str:
    """Give what a run may use, as its canonical text: the contract's limits, or less where less is asked for; "" for no limit.

    Raises BadLimit, LimitTooHigh."""
    asked = {} if wanted is None else amounts(wanted, "/limits")
    terms: Object = {}
    for name in BUDGETS:
        most, mine = getattr(contract, name), asked.get(name)
        if mine is not None and most is not None and mine > most:
            raise LimitTooHigh(path=f"/limits/{name}", allowed=number_text(Decimal(most)))
        stands = most if mine is None else mine
        if stands is not None:
            terms[name] = number_text(Decimal(stands)) if name == COST else int(stands)
    return canonical({**terms, ON_EXHAUSTION: contract.on_exhaustion}) if terms else ""


def amounts(said: Mapping[str, Any], path: str) -> dict[str, Decimal]:
    """Read amounts of budgets that somebody sent; null is left out. Raises BadLimit."""
    read: dict[str, Decimal] = {}
    for name, value in said.items():
        if name not in BUDGETS:
            raise BadLimit(path=f"{path}/{name}")
        if value is None:
            continue
        number = decimal_string(value) if isinstance(value, str) else value
        if isinstance(number, bool) or not isinstance(number, int | Decimal):
            raise BadLimit(path=f"{path}/{name}")
        number = Decimal(number)
        if not 0 <= number <= LARGEST[name] or has_more_places(number, PLACES if name == COST else 0):
            raise BadLimit(path=f"{path}/{name}")
        read[name] = number
    return read


def has_more_places(number: Decimal, places: int) -> bool:
    """Tell whether a number has more decimal places than this."""
    return number != number.quantize(Decimal(1).scaleb(-places))


def terms_of(limits: str) -> Object:
    """Read what a run may use from its own text."""
    terms = decode(limits.encode()) if limits else {}
    return terms if isinstance(terms, dict) else {}


def of_runs(run_ids: Collection[UUID]) -> dict[UUID, list[Budget]]:
    """Give the budgets of runs, each in the order of BUDGETS; runs without a limit are left out."""
    found: dict[UUID, list[Budget]] = {}
    for row in rows(READ, [list(run_ids)]):
        found.setdefault(row["run_id"], []).append(Budget(row["budget"], row["allowed"], row["used"]))
    return {run: sorted(budgets, key=lambda each: BUDGETS.index(each.name)) for run, budgets in found.items()}


def of_run(run_id: UUID, limits: str) -> list[Budget]:
    """Give the budgets of one run; nothing is read where it has no limit."""
    return of_runs([run_id]).get(run_id, []) if limits else []
