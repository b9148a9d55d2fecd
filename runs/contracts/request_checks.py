"""Faults of the requests that a contract describes."""

from collections.abc import Iterator
from dataclasses import replace

from console.documents import Fault
from console.exact.value import Object
from runs.contracts.placeholders import (
    AFTERWARDS,
    EFFECT,
    Place,
    answer_faults,
    placeholder_faults,
    template_faults,
)
from runs.contracts.request import url_templates
from runs.contracts.templates import BadTemplate

# Ours to say, or how a message is framed: a contract cannot speak for them.
OUR_HEADERS = frozenset(
    {
        "connection", "content-length", "expect", "fencing-token", "host", "idempotency-key", "keep-alive",
        "proxy-connection", "request-deadline", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
CALLS = ("status", "read_back", "read", "cancel")  # beside the act


def exchanges(contract: Object) -> Iterator[tuple[str, Object]]:
    """Give every request that the contract describes, with its place."""
    http = contract.get("http")
    if http is not None:
        yield "/http", http
        yield from ((f"/http/{name}", http[name]) for name in CALLS if name in http)
    if contract.get("verify"):
        yield "/verify", contract["verify"]


def request_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of every text that is filled in: the sentence, the target, the requests."""
    arguments: Object = contract["arguments"]
    yield from template_faults(contract["summary"], Place(arguments), "/summary", needs_text=False)
    if contract["target"] is not None:
        yield from template_faults(contract["target"], Place(arguments), "/target", needs_text=True)
    for at, section in exchanges(contract):
        effect = EFFECT if at in {"/http", "/http/read"} else AFTERWARDS
        yield from _faults(section, Place(arguments, effect, deadline=True), at)
    version = contract.get("state_version", {}).get("from")
    if version:
        yield from answer_faults(version, "/state_version/from")


def _faults(section: Object, place: Place, at: str) -> Iterator[Fault]:
    yield from _url_faults(section["url"], place, f"{at}/url")
    for name, text in section["headers"].items():
        if name.lower() in OUR_HEADERS:
            yield Fault(f"{at}/headers/{name}", "our_header", "This header is set for every call.")
        yield from template_faults(text, replace(place, secret=True), f"{at}/headers/{name}", needs_text=True)
    if "body" in section:
        yield from template_faults(section["body"], place, f"{at}/body")
        if section["method"] == "GET":
            yield Fault(f"{at}/body", "not_here", "A GET has no body.")
    for index, rule in enumerate(section.get("outcomes", [])):
        for name in {"result", "reason", "operation_id"} & rule.keys():
            yield from answer_faults(rule[name], f"{at}/outcomes/{index}/{name}")


def _url_faults(text: str, place: Place, at: str) -> Iterator[Fault]:
    try:
        path, query = url_templates(text)
    except BadTemplate as bad:
        yield Fault(at, "bad_url", f"This URL cannot be used: {bad}.")
        return
    for each in (path, query):
        if each is not None:
            yield from placeholder_faults(each, place, at, as_text=True)
