"""The cases of a shop's back office, made up from a seed: the same number always is the same case."""

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

LATE = "it came two weeks late"  # nothing is owed then, and the shop makes up for it
COMPLAINTS = (
    ("the parcel never came", Decimal(1)),
    ("everything came broken", Decimal(1)),
    ("one item came damaged", Decimal("0.35")),
    ("the colour is not the one in the picture", Decimal("0.20")),
    (LATE, Decimal("0.10")),
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
TRAVELLERS = ("Omar Diaz", "Ann Okafor", "Ravi Menon", "Dora Lindqvist")
QUESTIONS = ("when it will come", "how it is washed", "whether the guarantee still holds", "what became of the return")
CUSTOMER_CASE, GOODWILL, CLOSE_INVOICE, CORRESPONDENCE, TRIP, CLOSE_DAY, SALE = (
    "customer-case",
    "goodwill",
    "close-invoice",
    "correspondence",
    "trip",
    "close-day",
    "sale",
)
# What comes in, in turn; of each kind the turns below follow each other, so that every way to go well or badly is soon seen.
ORDER, LETTER, CALL = "order", CORRESPONDENCE, "call"
PROGRAMME = (ORDER, ORDER, TRIP, CALL, LETTER, CLOSE_DAY, SALE, ORDER, TRIP, LETTER, CLOSE_DAY)
HOUSES = (
    "pension-alma",
    "grand-meridian",
    "old-mill",
    "grand-meridian",
    "harbour-house",
    "casa-miramar",
    "station-hotel",
)
RATES = {
    "harbour-house": "89.00", "grand-meridian": "214.00", "station-hotel": "74.50", "old-mill": "118.00", "casa-miramar": "132.00",
    "pension-alma": "61.00",
}  # fmt: skip
TRIPS = (
    "",
    "",
    "",
    "",
    "off",
    "",
    "off early",
)  # whether the trip is called off: after the booking, or before it was allowed
LETTERS = (
    "vanishes",
    "",
    "no stamps",
    "moved away",
    "",
)  # the agent stops in the middle; it is tried again; it cannot be delivered
CALLS = ("", "hurry", "")  # a call that makes sense only within the next minute
DAYS = ("", "left open", "typo", "wrong total", "slow books", "no rate", "in pounds")
SALES = (
    "off",
    "",
    "closed",
)  # whether the sale is called off: after all of it was done, and with the account closed meanwhile
HURRY_SECONDS = 60


@dataclass(frozen=True)
class Case:
    """One thing to settle: a complaint, an invoice, a letter or a call, a trip, a day's payments, or a sale."""

    seed: int
    number: int
    kind: str  # the type of its run
    order: str
    story: str
    share: Decimal = Decimal(0)  # of the order's total: what is to be paid
    payee: str = ""
    iban: str = ""
    invoice: str = ""
    by_phone: bool = False
    house: str = ""
    guest: str = ""
    arrival: str = ""
    nights: int = 0
    day: str = ""
    account: str = ""
    price: str = ""
    payments: tuple[tuple[str, Decimal, str], ...] = ()  # reference, amount, currency
    wrinkle: str = ""  # what is not as it should be; see the tables above

    @property
    def key(self) -> str:
        """The name this case has for ever: the key of its run, and the beginning of the keys of its effects."""
        return f"case-{self.seed}-{self.number}"


def make_up(seed: int, number: int) -> Case:
    """Make up the case of that number."""
    chance = random.Random(f"{seed}/{number}")
    rounds, place = divmod(number - 1, len(PROGRAMME))
    kind = PROGRAMME[place]
    turn = rounds * PROGRAMME.count(kind) + PROGRAMME[:place].count(kind)
    order = f"A-{1000 + chance.randrange(9000)}"
    if kind == TRIP:
        return _trip(seed, number, chance, turn)
    if kind == SALE:
        return _sale(seed, number, chance, turn)
    if kind == CLOSE_DAY:
        return _day(seed, number, chance, turn)
    if kind in {LETTER, CALL}:
        return _question(seed, number, chance, order, kind, turn)
    return _order(seed, number, chance, order)


def read(key: str) -> Case | None:
    """Find a case again by its key; None for what is no case of ours."""
    name, _, rest = key.partition("-")
    seed, _, number = rest.partition("-")
    is_ours = name == "case" and seed.isdigit() and number.isdigit() and int(number) > 0
    return make_up(int(seed), int(number)) if is_ours else None


def _order(seed: int, number: int, chance: random.Random, order: str) -> Case:
    if chance.random() < 0.7:
        complaint, share = chance.choice(COMPLAINTS)
        kind = GOODWILL if complaint == LATE else CUSTOMER_CASE
        return Case(seed, number, kind, order, f"Order {order}: the customer says {complaint}.", share)
    payee, share = chance.choice(SUPPLIERS)
    invoice = f"{payee[0]}{seed}-{number:04d}"
    story = f"{payee} sent invoice {invoice} for the goods of order {order}."
    return Case(seed, number, CLOSE_INVOICE, order, story, share, payee, _iban(chance), invoice)


def _question(seed: int, number: int, chance: random.Random, order: str, kind: str, turn: int) -> Case:
    if kind == CALL:
        complaint, _ = chance.choice(COMPLAINTS)
        story = f"Order {order}: the customer wants to be called, because {complaint}."
        return Case(seed, number, CORRESPONDENCE, order, story, by_phone=True, wrinkle=CALLS[turn % len(CALLS)])
    story = f"Order {order}: the customer asks {chance.choice(QUESTIONS)}."
    return Case(seed, number, CORRESPONDENCE, order, story, wrinkle=LETTERS[turn % len(LETTERS)])


def _trip(seed: int, number: int, chance: random.Random, turn: int) -> Case:
    house, wrinkle = HOUSES[turn % len(HOUSES)], TRIPS[turn % len(TRIPS)]
    guest = chance.choice(TRAVELLERS)
    arrival = (
        date(2027, 3, 1) if house == "grand-meridian" else date(2027, 1, 4) + timedelta(days=chance.randrange(300))
    )
    nights = 9 if wrinkle == "off early" else 1 + chance.randrange(2)
    story = (
        f"{guest} visits a fair and stays {nights} {'night' if nights == 1 else 'nights'} from {arrival.isoformat()}."
    )
    return Case(
        seed, number, TRIP, "", story, house=house, guest=guest, arrival=arrival.isoformat(), nights=nights, wrinkle=wrinkle
    )  # fmt: skip


def _day(seed: int, number: int, chance: random.Random, turn: int) -> Case:
    day = (date(2026, 10, 1) + timedelta(days=turn)).isoformat()
    wrinkle = DAYS[turn % len(DAYS)]
    least = 2_000 if wrinkle else 30_000  # a large one is asked about
    currencies = ["EUR", "EUR", "XAU" if wrinkle == "no rate" else "GBP", "EUR"]
    payments = tuple(
        (f"P{turn:02d}-{line}", Decimal(least + chance.randrange(9_000)) / 100, currency)
        for line, currency in enumerate(currencies, 1)
    )
    story = f"The payments of {day} are in: {len(payments)} of them."
    return Case(seed, number, CLOSE_DAY, "", story, day=day, payments=payments, wrinkle=wrinkle)


def _sale(seed: int, number: int, chance: random.Random, turn: int) -> Case:
    price = str(Decimal(2_000 + chance.randrange(30_000)) / 100)
    account = f"customer-{seed}-{number}"
    story = f"A customer buys something for {price} EUR."
    return Case(seed, number, SALE, "", story, account=account, price=price, wrinkle=SALES[turn % len(SALES)])


def _iban(chance: random.Random) -> str:
    """Make up an account number whose check digits are right (ISO 13616)."""
    country, account = chance.choice(COUNTRIES), f"{chance.randrange(10**17, 10**18)}"
    as_number = int("".join(str(int(sign, 36)) for sign in f"{account}{country}00"))
    return f"{country}{98 - as_number % 97:02d}{account}"
