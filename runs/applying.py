"""Applying contracts: a version once applied never changes, and a consequential one with an open question is not applied (R-M1, R-M2)."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from approvals import policy_checks
from approvals.models import Policy
from approvals.publishing import publish
from console import clock
from console.clock import instant
from console.database import transaction
from console.documents import Document, Fault
from console.documents.applying import NEW, REFUSED, UNCHANGED, Applied, against_versions
from console.exact import canonical, decode, digest
from console.identity.administration import hold
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move
from runs.contracts import KINDS, normalise, validate
from runs.contracts.dependency import dependency_document
from runs.contracts.gaps import gaps, publishable
from runs.contracts.operation import operation_document
from runs.contracts.together import together
from runs.models import Dependency, OperationContract, RunTypeContract

MODELS: dict[str, tuple[type[Dependency] | type[OperationContract] | type[RunTypeContract], str]] = {
    "Dependency": (Dependency, "dependency.applied"),
    "Operation": (OperationContract, "operation.applied"),
    "RunType": (RunTypeContract, "run_type.applied"),
}
IN_ORDER = ("Dependency", "Operation", "RunType", "Policy")


def apply_all(by: Actor, documents: Sequence[Document]) -> Iterator[Applied]:
    """Put documents in force in the order in which they need each other, unless what would then be in force contradicts itself."""
    with transaction(by.tenant):
        standing = in_force(by.tenant)
    refused = contradictions(standing, documents)
    for document in sorted(documents, key=_order):
        faults = [fault for named, fault in refused if named is document or named is None]
        if faults:
            yield Applied(document, REFUSED, faults)
        else:
            yield publish(by, document) if document.kind == policy_checks.KIND else apply(by, document)


def in_force(tenant_id: UUID) -> list[Document]:
    """Give the documents in force, in normal form. Within the caller's transaction."""
    current: dict[str, Any] = {
        kind: model._default_manager.filter(retired_at=None) for kind, (model, _) in MODELS.items()
    }
    current[policy_checks.KIND] = Policy.objects.filter(superseded_at=None)
    texts = [
        text
        for found in current.values()
        for text in found.filter(tenant_id=tenant_id).values_list("document", flat=True)
    ]
    return [
        Document(value) for value in (decode(text.encode(), levels=128) for text in texts) if isinstance(value, dict)
    ]


def contradictions(standing: Sequence[Document], documents: Sequence[Document]) -> list[tuple[Document | None, Fault]]:
    """Find what the new documents make wrong, each with the one at fault; None when it is one that is in force already."""
    sound = {(document.kind, document.name): document for document in documents if not validate(document)}
    before = {(each.kind, each.name, fault) for each, fault in together(standing)}
    after = {(each.kind, each.name): each for each in standing} | {
        place: normalise(each) for place, each in sound.items()
    }
    found: list[tuple[Document | None, Fault]] = []
    for each, fault in together(after.values()):
        place = (each.kind, each.name)
        if place in sound:
            found.append((sound[place], fault))
        elif (*place, fault) not in before:
            found.append(
                (
                    None,
                    Fault(
                        fault.path,
                        fault.code,
                        f"It would break {each.kind} {each.name} in force: {fault.message}",
                    ),
                )
            )
    return found


def _order(document: Document) -> int:
    return IN_ORDER.index(document.kind) if document.kind in IN_ORDER else len(IN_ORDER)


@move("apply contract")
def apply(by: Actor, document: Document) -> Applied:
    """Put a contract in force: new, unchanged, or refused and why. Effects keep the version that they were accepted under.

    What was applied before rules were added stays unchanged, whatever those would say of it now."""
    if _stands(by, document):
        return Applied(document, UNCHANGED)
    faults = validate(document)
    if faults:
        return Applied(document, REFUSED, faults)
    document = normalise(document)
    if not publishable(document):
        return Applied(
            document,
            REFUSED,
            [Fault("/" + gap.field.replace(".", "/"), "gap", f"{gap.line}: {gap.question}") for gap in gaps(document)],
        )
    tenant, now = hold(by.tenant), clock.now()
    model, kind = MODELS[document.kind]
    manager: Any = model._default_manager
    versions = {found.version: found for found in manager.filter(tenant_id=tenant.pk, name=document.name)}
    current = next((found for found in versions.values() if found.retired_at is None), None)
    same = versions.get(document.version)
    content = digest(document.value)
    known = against_versions(
        document, content, bytes(same.digest) if same else None, current.version if current else None
    )
    if known is not None:
        return known
    missing = _missing_dependency(document, tenant.pk)
    if missing:
        return Applied(document, REFUSED, missing)
    if current is not None:
        manager.filter(pk=current.pk).update(retired_at=now)
    row: Any = model(
        id=uuid7(), tenant_id=tenant.pk, name=document.name, version=document.version, document=canonical(document.value),
        digest=content, applied_at=now, **_columns(document),
    )  # fmt: skip
    row.save(force_insert=True)
    told = {"id": str(row.pk), **{column: plain(getattr(row, column)) for column in model.recorded}}
    chains.append(tenant, tenant.pk, [(kind, {**told, "applied_at": instant(now)})], by, now)
    return Applied(document, NEW)


def _stands(by: Actor, document: Document) -> bool:
    """Tell whether this very document was applied before."""
    if document.kind not in MODELS or KINDS[document.kind].schema.faults(document.value):
        return False
    model: Any = MODELS[document.kind][0]
    found = model._default_manager.filter(tenant_id=by.tenant, name=document.name, version=document.version)
    return bool(found.filter(digest=digest(normalise(document).value)).exists())


def _columns(document: Document) -> dict[str, Any]:
    if document.kind == "Dependency":
        return {"concurrency": dependency_document(document.value).concurrency}
    if document.kind == "Operation":
        operation = operation_document(document.value)
        return {
            "access": operation.access, "dependency_name": operation.dependency or "", "executor": operation.executor,
            "marks_before_send": bool(operation.http and operation.http.mark_before_send),
            "attempts_allowed": operation.retry.attempts, "can_be_asked": operation.can_be_asked,
            "groups": list(operation.permit.groups) if operation.permit else [],
            "argument_names": list(operation.arguments.root.properties),
        }  # fmt: skip
    return {}


def _missing_dependency(document: Document, tenant_id: UUID) -> list[Fault]:
    if document.kind != "Operation":
        return []
    name = operation_document(document.value).dependency
    if name is None or Dependency.objects.filter(tenant_id=tenant_id, name=name, retired_at=None).exists():
        return []
    return [Fault("/dependency", "unknown_dependency", f"No dependency named {name} is in force. Apply it first.")]
