"""Amounts as people read them; not one digit is dropped or made up."""

from decimal import Decimal, InvalidOperation

# Minor units that differ from two places (ISO 4217).
PLACES = {"JPY": 0, "KRW": 0, "VND": 0, "CLP": 0, "ISK": 0, "XOF": 0, "BHD": 3, "KWD": 3, "JOD": 3, "OMR": 3, "TND": 3}


def amount(value: object, currency: object = "") -> str:
    """Give an exact amount with grouped thousands and at least the currency's places: 1,250.00 EUR."""
    try:
        exact = Decimal(str(value).strip())
    except InvalidOperation:
        return f"{value} {currency}".strip()
    if not exact.is_finite():
        return f"{value} {currency}".strip()
    code = str(currency or "")
    exponent = exact.as_tuple().exponent
    places = max(PLACES.get(code, 2 if code else 0), -exponent if isinstance(exponent, int) else 0)
    return f"{exact:,.{places}f} {code}".strip()
