"""The four kinds of document, their published schemas, and what is checked of each before it is applied."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from approvals import policy_checks
from console.documents import Document, Fault, Schema, filled, schema_file
from console.exact import digest as digest_of
from console.exact.value import Object
from runs.contracts.argument_schema import normal
from runs.contracts.dependency import base_url_fault
from runs.contracts.run_type_checks import run_type_faults
from runs.contracts.soundness import FORMS, operation_faults

_FOLDER = Path(__file__).parent / "schema"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of document: its schema, and its faults beyond the schema."""

    document: Object
    schema: Schema
    faults: Callable[[Object], Iterable[Fault]]


def _kind(name: str, faults: Callable[[Object], Iterable[Fault]]) -> Kind:
    document = schema_file(_FOLDER / name)
    return Kind(document, Schema(document), faults)


def _dependency_faults(contract: Object) -> Iterable[Fault]:
    fault = base_url_fault(contract["base_url"])
    if fault is not None:
        yield Fault("/base_url", "bad_url", f"This URL cannot be used: {fault}.")


KINDS = {
    "Operation": _kind("operation.json", operation_faults),
    "RunType": _kind("run_type.json", run_type_faults),
    "Dependency": _kind("dependency.json", _dependency_faults),
    "Policy": Kind(policy_checks.SCHEMA, Schema(policy_checks.SCHEMA), lambda _: ()),
}
SCHEMAS: dict[str, Object] = {name: kind.document for name, kind in KINDS.items()}


def validate(document: Document) -> list[Fault]:
    """Give everything that is wrong with a document: its form first, and once that is right, what it says."""
    kind = KINDS.get(document.kind)
    if kind is None:
        return [Fault("/kind", "unknown_kind", f"A document is one of {', '.join(KINDS)}.")]
    if document.kind == policy_checks.KIND:
        return policy_checks.validate(document)
    return kind.schema.faults(document.value) or sorted(set(kind.faults(normalise(document).value)))


def normalise(document: Document) -> Document:
    """Give a well-formed document with its defaults filled in: the form that is stored and digested.

    A field that came after 0.1.0 has `x-when-absent` instead of a default, which is not filled in: what was applied keeps its digest."""
    found: Object = filled(document.value, KINDS[document.kind].document)
    if document.kind == "Operation":
        found["arguments"] = normal(found["arguments"])
        for executor, form in FORMS.items():
            if form in found.get(executor, {}):
                found[executor][form] = normal(found[executor][form])
    return Document(found, document.line)


def digest(document: Document) -> bytes:
    """Give the digest of a valid document: over the canonical form of its normal form, never over its text."""
    return digest_of(normalise(document).value)
