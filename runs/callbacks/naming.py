"""Which effect a message is about, and what it means: both as the version of the contract says that the effect was accepted under."""

import re
from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from console import env
from console.exact import BadJSON, Value, decode
from console.exact.value import Object
from runs.callbacks.signing import ID, TIMESTAMP
from runs.catalogue import Operation, operations_by_id
from runs.contracts.operation import CallbackRule
from runs.contracts.outcomes import Verdict, said_in, verdict_of
from runs.contracts.templates import CannotFill, Template
from runs.models import Callback, Effect, OperationContract

MOST_VERSIONS = 50  # the latest versions of an operation that are looked through
MOST_NAMED = 200  # effects of one name that are read; a name that more have names none
PREVIOUS = "-previous"  # the secret of before, while the other side changes to the new one
NOT_LEARNT = "unknown"
_EFFECT_KEY = re.compile(r"cf-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z")


@dataclass(frozen=True, slots=True)
class Told:
    """What a message says: the effect that it names, and what that means by the effect's own contract."""

    effect_id: UUID
    verdict: Verdict


def versions(tenant_id: UUID, operation_name: str) -> dict[UUID, CallbackRule]:
    """Give the versions of an operation that take callbacks, the latest first, in force or not."""
    found = OperationContract.objects.filter(
        tenant_id=tenant_id, name=operation_name, executor="http", document__contains='"callback":'
    )
    ids = list(found.order_by("-version").values_list("pk", flat=True)[:MOST_VERSIONS])
    read = operations_by_id(ids)
    rules = {each: _rule(read[each]) for each in ids}
    return {each: rule for each, rule in rules.items() if rule is not None}


def secrets(name: str) -> list[str]:
    """Give the values that a callback's secret may have: of now, and of before it was changed."""
    return [value for value in (env.secret(name), env.secret(name + PREVIOUS)) if value]


def said(callback: Callback) -> Object:
    """Give what rules and templates read of a message: its body, and of its headers those that are signed."""
    stamp = str(int(callback.signed_at.timestamp()))
    return said_in({ID: callback.message_id, TIMESTAMP: stamp}, _body(callback.body))


def told(callback: Callback, rules: dict[UUID, CallbackRule]) -> Told | None:
    """Give what a message says, by the version of the contract of the effect that it names; None when it names none.

    A version counts only if it names a secret that signed this message. Two queries at most, however many versions there are."""
    message = said(callback)
    signed = {version: rule for version, rule in rules.items() if rule.secret in callback.secrets}
    keys = {version: _key(rule, message) for version, rule in signed.items()}
    names = {
        version: _filled(rule.operation_id, message) or "" for version, rule in signed.items() if not keys[version]
    }
    by_key = _by_key(callback.tenant_id, {key for key in keys.values() if key})
    by_name = _by_name(callback.tenant_id, {version: name for version, name in names.items() if name})
    for version, rule in signed.items():
        key = keys[version]
        effect_id = by_name.get(version) if key is None else key if by_key.get(key) == version else None
        if effect_id is not None:
            return Told(effect_id, verdict_of(rule.outcomes, message) or Verdict(NOT_LEARNT))
    return None


def may_be_named_later(callback: Callback, rules: dict[UUID, CallbackRule]) -> bool:
    """Say whether a message gives the other side's own name for an operation, which an answer on its way may still bring."""
    message = said(callback)
    return any(
        rule.secret in callback.secrets and _filled(rule.operation_id, message) is not None for rule in rules.values()
    )


def _key(rule: CallbackRule, message: Object) -> UUID | None:
    found = _EFFECT_KEY.match(_filled(rule.effect_key, message) or "")
    return UUID(found[1]) if found else None


def _by_key(tenant_id: UUID, keys: set[UUID]) -> dict[UUID, UUID]:
    """Give the version of each of these effects."""
    effects = Effect.objects.filter(tenant_id=tenant_id, pk__in=keys)
    return dict(effects.values_list("pk", "operation_id")) if keys else {}


def _by_name(tenant_id: UUID, names: dict[UUID, str]) -> dict[UUID, UUID]:
    """Give the one effect of each version that has this name at the other side; a name that two effects have names neither."""
    if not names:
        return {}
    effects = Effect.objects.filter(
        tenant_id=tenant_id, operation_id__in=list(names), operation_reference__in=set(names.values())
    ).exclude(operation_reference="")
    rows = list(effects.values_list("pk", "operation_id", "operation_reference")[: MOST_NAMED + 1])
    if len(rows) > MOST_NAMED:
        return {}
    found: dict[UUID, list[UUID]] = defaultdict(list)
    for pk, version, reference in rows:
        if names[version] == reference:
            found[version].append(pk)
    return {version: listed[0] for version, listed in found.items() if len(listed) == 1}


def _filled(template: Template | None, message: Object) -> str | None:
    if template is None:
        return None
    try:
        return template.text(message)
    except CannotFill:
        return None


def _body(text: str | None) -> Value:
    try:
        return None if text is None else decode(text.encode())
    except BadJSON:
        return None


def _rule(operation: Operation) -> CallbackRule | None:
    http = operation.document.http
    return http.callback if http else None
