"""A policy as somebody pastes or uploads it: read, checked against what is in force, tried, and published by an administrator."""

from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from approvals import policy_checks
from approvals.models import Policy
from approvals.policy_document import PolicyDocument, policy_document
from approvals.publishing import people_faults_of, put_in_force
from console.clock import instant
from console.documents import BadYAML, Document, Fault, load
from console.documents.applying import NEW, UNCHANGED, against_versions
from console.documents.places import line_of, places
from console.exact import digest
from console.http.refusals import InvalidContent, Refusal
from console.identity.administration import hold
from console.identity.office import check_administers
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from runs.applying import contradictions, in_force

TAKEN: Final = frozenset({"version_immutable", "version_old"})


class PolicyRefused(InvalidContent):
    """This policy cannot be put in force as it is; what is wrong stands beside it."""

    code = "policy_refused"


class PolicyVersionTaken(Refusal):
    """This version, or a later one, is in force already with other content. Look at it, and give the change a new version."""

    code = "policy_version_taken"


@dataclass(frozen=True, slots=True)
class Found:
    """A fault with the line of the text that it stands in."""

    fault: Fault
    line: int


@dataclass(frozen=True, slots=True)
class Draft:
    """What a text says: the policy, where it can be read, and everything that is wrong with it."""

    text: str
    document: Document | None
    policy: PolicyDocument | None
    faults: list[Found]
    unchanged: bool = False


def read(tenant_id: UUID, text: str) -> Draft:
    """Read one policy from YAML, and find what keeps it from being put in force. Within the caller's transaction; writes nothing."""
    try:
        documents = load(text)
    except BadYAML as bad:
        return _wrong(text, Fault(bad.path, bad.code, bad.detail), bad.line)
    if len(documents) != 1 or documents[0].kind != policy_checks.KIND:
        return _wrong(text, Fault("", "not_one_policy", "This takes one document of the kind Policy."), 1)
    (document,) = documents
    faults = policy_checks.validate(document)
    if faults:
        return Draft(text, document, None, _placed(text, faults))
    faults = [fault for _, fault in contradictions(in_force(tenant_id), [document])]
    normal = policy_checks.normalise(document)
    policy = policy_document(normal.value)
    known = _known(tenant_id, normal, policy)
    faults += [*people_faults_of(tenant_id, policy), *(known.faults if known else ())]
    return Draft(
        text, normal, policy, _placed(text, list(dict.fromkeys(faults))), bool(known and known.outcome == UNCHANGED)
    )


@move("publish policy")
def publish_text(by: Actor, text: str, *, key: str) -> dict[str, Any]:
    """Put a pasted policy in force. Raises NotAdministrator, PolicyRefused, PolicyVersionTaken."""
    asked = {"digest": digest(text).hex()}
    return once(by, key, "publish policy", asked, lambda: _publish(by, text))


def _publish(by: Actor, text: str) -> dict[str, Any]:
    hold(by.tenant)
    check_administers(by)
    draft = read(by.tenant, text)
    if draft.faults or draft.document is None:
        raise _refusal(draft)
    applied = put_in_force(by, draft.document)
    if applied.faults:
        raise PolicyRefused(faults=[str(fault) for fault in applied.faults])
    found = Policy.objects.get(tenant_id=by.tenant, name=applied.document.name, version=applied.document.version)
    return {
        "receipt": "published" if applied.outcome == NEW else UNCHANGED, "policy": found.name, "version": found.version,
        "standing_before": found.standing_before, "at": instant(found.published_at),
    }  # fmt: skip


def _refusal(draft: Draft) -> Refusal:
    facts: dict[str, Any] = {"faults": [f"line {found.line}: {found.fault}" for found in draft.faults]}
    if {found.fault.code for found in draft.faults} <= TAKEN:
        return PolicyVersionTaken(**facts)
    return PolicyRefused(**facts)


def _known(tenant_id: UUID, document: Document, policy: PolicyDocument) -> Any:
    versions = Policy.objects.filter(tenant_id=tenant_id, name=policy.name)
    same = versions.filter(version=policy.version).values_list("digest", flat=True).first()
    current = versions.filter(superseded_at=None).values_list("version", flat=True).first()
    return against_versions(document, policy.digest, bytes(same) if same else None, current)


def _wrong(text: str, fault: Fault, line: int) -> Draft:
    return Draft(text, None, None, [Found(fault, line)])


def _placed(text: str, faults: list[Fault]) -> list[Found]:
    found = places(text)
    return [Found(fault, line_of(found, fault.path)) for fault in faults]
