"""The names that the results of an operation can have, as its contract says."""

from collections.abc import Iterator
from typing import Any, Final

from console.exact.value import Object

DONE: Final = frozenset({"succeeded", "partial"})
ASKED: Final = ("status", "read_back", "callback")


def results_of(contract: Object) -> frozenset[str] | None:
    """Give the names at the top of every result that the contract can give; None where that is whatever the other side says."""
    if contract["executor"] != "http":
        acting: Object = contract.get(contract["executor"], {})
        schema: Any = acting.get("result") or acting.get("form")
        return frozenset(schema.get("properties", ())) if schema and not schema.get("additionalProperties") else None
    found: set[str] = set()
    for result in _of_http(contract.get("http", {})):
        if not isinstance(result, dict):
            return None
        found |= result.keys()
    return frozenset(found | contract.get("partial", {}).get("parts", {}).keys())


def _of_http(http: Object) -> Iterator[Any]:
    tables = [http.get("outcomes", []), *(http.get(name, {}).get("outcomes", []) for name in ASKED)]
    for rule in (rule for table in tables for rule in table):
        if rule["outcome"] in DONE and "result" in rule:
            yield rule["result"]
