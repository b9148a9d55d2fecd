"""A dependency's contract as the engine reads it."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from console.exact import decode, digest
from console.exact.value import Object, Value


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
        value=document,
    )


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
