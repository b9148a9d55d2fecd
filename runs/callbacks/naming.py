"""Which effect a message is about, and what it means: both as the version of the contract says that the effect was accepted under."""

import re
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

    A version counts only if it names a secret that signed this message."""
    message = said(callback)
    for version, rule in rules.items():
        if rule.secret in callback.secrets and (effect_id := _named(callback, version, rule, message)) is not None:
            return Told(effect_id, verdict_of(rule.outcomes, message) or Verdict(NOT_LEARNT))
    return None


def may_be_named_later(callback: Callback, rules: dict[UUID, CallbackRule]) -> bool:
    """Say whether a message gives the other side's own name for an operation, which an answer on its way may still bring."""
    message = said(callback)
    return any(
        rule.secret in callback.secrets and _filled(rule.operation_id, message) is not None for rule in rules.values()
    )


def _named(callback: Callback, version: UUID, rule: CallbackRule, message: Object) -> UUID | None:
    effects = Effect.objects.filter(tenant_id=callback.tenant_id, operation_id=version)
    key = _EFFECT_KEY.match(_filled(rule.effect_key, message) or "")
    if key is not None:
        return effects.filter(pk=UUID(key[1])).values_list("pk", flat=True).first()
    reference = _filled(rule.operation_id, message)
    if not reference:
        return None
    named = effects.filter(operation_reference=reference).exclude(operation_reference="")
    found = list(named.values_list("pk", flat=True)[:2])
    return found[0] if len(found) == 1 else None  # a name that two effects have names neither


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
