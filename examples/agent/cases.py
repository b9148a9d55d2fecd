"""The cases of a shop's back office, made up from a seed: the same number always is the same case."""

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
SUPPLIERS = (
    ("Nordlys Textiles", Decimal("0.42")),
    ("Kessler & Daughters Ironware", Decimal("0.55")),
    ("Atelier Brume", Decimal("0.38")),
    ("Ribera Ceramics", Decimal("0.47")),
    ("Tamsin Leatherworks", Decimal("0.60")),
)
COUNTRIES = ("DE", "FR", "NL", "ES", "AT")
CUSTOMER_CASE, CLOSE_INVOICE = "customer-case", "close-invoice"


@dataclass(frozen=True)
class Case:
    """One thing to settle: a customer's complaint, or a supplier's invoice for the goods of an order."""

    seed: int
    number: int
    kind: str  # customer-case | close-invoice: the type of its run
    order: str
    story: str
    share: Decimal  # of the order's total: what is to be paid
    payee: str = ""
    iban: str = ""
    invoice: str = ""

    @property
    def key(self) -> str:
        """The name this case has for ever: the key of its run, and the beginning of the keys of its effects."""
        return f"case-{self.seed}-{self.number}"


def make_up(seed: int, number: int) -> Case:
    """Make up the case of that number."""
    chance = random.Random(f"{seed}/{number}")
    order = f"A-{1000 + chance.randrange(9000)}"
    if chance.random() < 0.7:
        complaint, share = chance.choice(COMPLAINTS)
        return Case(seed, number, CUSTOMER_CASE, order, f"Order {order}: the customer says {complaint}.", share)
    payee, share = chance.choice(SUPPLIERS)
    invoice = f"{payee[0]}{seed}-{number:04d}"
    story = f"{payee} sent invoice {invoice} for the goods of order {order}."
    return Case(seed, number, CLOSE_INVOICE, order, story, share, payee, _iban(chance), invoice)


def read(key: str) -> Case | None:
    """Find a case again by its key; None for what is no case of ours."""
    name, _, rest = key.partition("-")
    seed, _, number = rest.partition("-")
    return make_up(int(seed), int(number)) if name == "case" and seed.isdigit() and number.isdigit() else None


def _iban(chance: random.Random) -> str:
    """Make up an account number whose check digits are right (ISO 13616)."""
    country, account = chance.choice(COUNTRIES), f"{chance.randrange(10**17, 10**18)}"
    as_number = int("".join(str(int(sign, 36)) for sign in f"{account}{country}00"))
    return f"{country}{98 - as_number % 97:02d}{account}"
