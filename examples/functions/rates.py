"""The treasury's rates: asked for, never changed. An async function."""

import asyncio
from datetime import date
from decimal import Decimal
from hashlib import sha256

from runs.functions import Call, Done, NotDone, Rejected, function

# EUR for one of each; a day moves it by at most half a percent. Metals are listed, and their table is never ready.
RATES = {"GBP": Decimal("1.1580"), "USD": Decimal("0.9240"), "CHF": Decimal("1.0610"), "SEK": Decimal("0.0880")}
METALS = frozenset({"XAU", "XAG"})
ANSWERS_AFTER_SECONDS = 0.4
STEP = Decimal("0.0001")


@function("exchange_rate")
async def exchange_rate(call: Call) -> Done:
    """Give the rate of a currency on a day. What is not known now may be known later; what is no currency never is."""
    currency, day = call.arguments["currency"], call.arguments["day"]
    await asyncio.sleep(ANSWERS_AFTER_SECONDS)
    if currency in METALS:
        raise NotDone("The table of metals is being written, and cannot be read just now.")
    if currency not in RATES:
        raise Rejected(f"The treasury has no rate for {currency}.")
    return Done({"currency": currency, "day": day, "rate": str(rate_on(currency, date.fromisoformat(day)))})


def rate_on(currency: str, day: date) -> Decimal:
    """Give the rate of that day: always the same for the same day."""
    drift = sha256(f"{currency} {day.isoformat()}".encode()).digest()[0] - 128
    return (RATES[currency] * (1 + Decimal(drift) / 25_600)).quantize(STEP)
