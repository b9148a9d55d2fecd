"""A dependency's contract as the engine reads it."""

from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

from console.exact import decode, digest
from console.exact.value import Object, Value

RECONCILE_PER_SECOND: Final = 10.0  # where the contract says nothing


@dataclass(frozen=True, slots=True)
class RetryBudget:
    """How many attempts may be retries: each first act adds `share`, each second `per_second`, and `most` can be saved up (R-D3)."""

    share: float = 0.2
    per_second: float = 1.0
    most: float = 100.0


@dataclass(frozen=True, slots=True)
class DependencyDocument:
    """A contract in normal form, read."""

    name: str
    version: int
    digest: bytes
    description: str
    base_url: str
    concurrency: int
    timeout_seconds: float
    guards: frozenset[str]
    reconcile_per_second: float
    retry_budget: RetryBudget
    value: Object = field(repr=False)


def dependency_document(document: Value) -> DependencyDocument:
    """Read a dependency's contract, valid and in normal form."""
    if not isinstance(document, dict):
        raise TypeError("a contract is a mapping")
    return DependencyDocument(
        name=document["name"],
        version=int(document["version"]),
        digest=digest(document),
        description=document["description"],
        base_url=document["base_url"],
        concurrency=int(document["concurrency"]),
        timeout_seconds=float(document["timeout_seconds"]),
        guards=frozenset(document["guards"]),
        reconcile_per_second=float(document.get("reconcile_per_second", RECONCILE_PER_SECOND)),
        retry_budget=_retry_budget(document.get("retry_budget")),
        value=document,
    )


def _retry_budget(section: Any) -> RetryBudget:
    given = section or {}
    return RetryBudget(**{name: float(given[name]) for name in ("share", "per_second", "most") if name in given})


def read_dependency(text: str) -> DependencyDocument:
    """Read a dependency's contract from the canonical text that was stored."""
    return dependency_document(decode(text, levels=128))


def base_url_fault(text: str) -> str | None:
    """Say what is wrong with a base URL, or None: it is http or https, a host, perhaps a port and a path, and nothing else."""
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        return "it holds characters that a URL cannot"
    try:
        url = urlsplit(text)
        port = url.port
    except ValueError:
        return "its host or port cannot be read"
    if url.scheme not in {"http", "https"} or not url.hostname or port == 0:
        return "it is not http or https with a host"
    if "@" in url.netloc:
        return "it names a user; put secrets into headers"
    if "?" in text or "#" in text:
        return "it has a query or a fragment"
    return "its path holds dot segments" if {".", ".."} & set(url.path.split("/")) else None
