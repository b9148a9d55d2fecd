"""The cases of a shop's customer desk, made up from a seed: the same number always is the same case."""

import random
from dataclasses import dataclass
from decimal import Decimal

COMPLAINTS = (
    ("the parcel never came", Decimal(1)),
    ("everything came broken", Decimal(1)),
    ("one item came damaged", Decimal("0.35")),
    ("the colour is not the one in the picture", Decimal("0.20")),
    ("it came two weeks late", Decimal("0.10")),
    ("a discount code was not taken off", Decimal("0.15")),
    ("it was charged twice", Decimal(1)),
    ("half of it was missing", Decimal("0.50")),
)
WAYS = ("refund",) * 6 + ("transfer",) * 2 + ("refund and transfer",)
BANKS = ("DE", "FR", "NL", "ES", "AT")


@dataclass(frozen=True)
class Case:
    """One customer's complaint, and what the desk means to do about it."""

    seed: int
    number: int
    order: str
    complaint: str
    share: Decimal  # of what was paid
    way: str  # refund | transfer | refund and transfer
    account: str

    @property
    def key(self) -> str:
        """The name this case has for ever: the key of its run."""
        return f"case-{self.seed}-{self.number}"

    @property
    def goal(self) -> str:
        """What a person reads on the run's page."""
        return f"Order {self.order}: the customer says {self.complaint}. Put it right."


def make_up(seed: int, number: int) -> Case:
    """Make up the case of that number."""
    chance = random.Random(f"{seed}/{number}")
    complaint, share = chance.choice(COMPLAINTS)
    account = f"{chance.choice(BANKS)}{chance.randrange(10, 99)}{chance.randrange(10**15, 10**16)}"
    return Case(seed, number, f"A-{1000 + chance.randrange(9000)}", complaint, share, chance.choice(WAYS), account)


def read(key: str) -> Case | None:
    """Find a case again by its key; None for what is no case of ours."""
    name, _, rest = key.partition("-")
    seed, _, number = rest.partition("-")
    return make_up(int(seed), int(number)) if name == "case" and seed.isdigit() and number.isdigit() else None
