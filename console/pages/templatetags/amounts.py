"""What a button does, with its amount."""

from collections.abc import Mapping

from console.exact.amounts import amount

__all__ = ["amount", "deed"]


def deed(verb: str, operation: object, arguments: object) -> str:
    """Give what a button does: Approve refund of 120.00 EUR; without an amount, Approve: publish correction."""
    words = str(operation).replace("_", " ").replace("-", " ")
    if isinstance(arguments, Mapping) and arguments.get("amount") not in (None, ""):
        return f"{verb} {words} of {amount(arguments['amount'], arguments.get('currency', ''))}"
    return f"{verb}: {words}"
