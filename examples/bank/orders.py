"""The orders of a shop, made up from their numbers: the same number always has the same order."""

from datetime import date, timedelta
from hashlib import sha256
from typing import Any

CUSTOMERS = (
    "Ana Lindqvist", "Bashir Haddad", "Chiara Moretti", "Dmitri Volkov", "Esi Boateng", "Farid Rahimi", "Greta Nowak",
    "Hana Sato", "Ivo Dubois", "Jana Krause", "Kofi Mensah", "Leila Aziz", "Mateo Silva", "Noor Jansen", "Olga Petrova",
    "Priya Raman",
)  # fmt: skip
GOODS = (
    ("Kettle", 3990), ("Desk lamp", 5450), ("Linen sheets", 12900), ("Trail shoes", 11995), ("Coffee grinder", 8900),
    ("Rain jacket", 16450), ("Cast-iron pan", 7425), ("Bicycle light", 2975), ("Wool blanket", 9800),
    ("Headphones", 24900), ("Office chair", 38900), ("Notebook, three", 1850),
)  # fmt: skip
STATES = ("delivered", "delivered", "delivered", "lost on the way", "returned", "delivered damaged")
FIRST_DAY = date(2026, 1, 5)


def order(number: str) -> dict[str, Any]:
    """Make up the order: customer, lines, total, how it stands, and its version."""
    seed = sha256(number.encode()).digest()
    goods = [GOODS[seed[i] % len(GOODS)] for i in range(1 + seed[0] % 3)]
    lines = [{"item": name, "price": _money(cents)} for name, cents in goods]
    return {
        "order": number,
        "customer": CUSTOMERS[seed[5] % len(CUSTOMERS)],
        "lines": lines,
        "total": _money(sum(cents for _, cents in goods)),
        "currency": ("EUR", "EUR", "EUR", "GBP", "USD")[seed[6] % 5],
        "state": STATES[seed[7] % len(STATES)],
        "placed_on": (FIRST_DAY + timedelta(days=seed[8])).isoformat(),
        "version": 1 + seed[9] % 4,
    }


def _money(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"
