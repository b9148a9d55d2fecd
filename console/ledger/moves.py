"""The one way in: a move is a named function that runs in a transaction of its own, and whose refusals are kept beside the record."""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar, cast
from uuid import UUID

from console import clock
from console.crashpoint import crashpoint
from console.database import transaction
from console.exact import canonical, decode, digest
from console.http import keys
from console.http.refusals import Refusal
from console.ledger.actors import Actor
from console.ledger.models import Refusal as KeptRefusal
from console.telemetry import traces
from console.telemetry.counting import count

logger = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")
LONGEST_NAME = 255


def move(verb: str) -> Callable[[Callable[Concatenate[Actor, P], R]], Callable[Concatenate[Actor, P], R]]:
    """Make a function `f(by, …)` a move: one transaction for `by`'s tenant; a refusal rolls it back and is then written down."""

    def decorate(function: Callable[Concatenate[Actor, P], R]) -> Callable[Concatenate[Actor, P], R]:
        before, after = f"{verb}.before_commit", f"{verb}.after_commit"

        @wraps(function)
        def moved(by: Actor, *args: P.args, **kwargs: P.kwargs) -> R:
            try:
                with traces.span(f"move {verb}", actor=by, tenant=by.tenant_id), transaction(by.tenant_id):
                    became = function(by, *args, **kwargs)
                    crashpoint(before)
            except Refusal as refusal:
                keep(refusal, verb, by, args[0] if args else None)
                raise
            crashpoint(after)
            return became

        return cast("Callable[Concatenate[Actor, P], R]", moved)

    return decorate


def once(
    by: Actor,
    key: str,
    verb: str,
    request: dict[str, Any],
    act: Callable[[], dict[str, Any]],
    *,
    about: UUID | None = None,
) -> dict[str, Any]:
    """Run `act` for the first request with this key, and give its receipt again to each later one (`replayed`), in this transaction.

    Erasing a run buries the receipts `about` it, its effects, their attempts and requests."""
    record, fresh = keys.take(by.tenant, str(by), key, digest({"verb": verb, **request}), clock.now(), about)
    if not fresh:
        return {**_receipt(record.body), "replayed": True}
    receipt = act()
    keys.answer(record, canonical(receipt))
    return receipt


def keep(refusal: Refusal, verb: str, by: Actor, subject: object) -> None:
    """Write a refusal down, outside the chain, once its transaction is gone; failing to do so must not hide the refusal itself."""
    if not refusal.recorded or by.tenant_id is None:
        return
    try:
        with transaction(by.tenant_id):
            _kept(refusal, verb, by, subject, clock.now()).save()
    except Exception:
        logger.exception("a refusal could not be written down: %s %s", verb, refusal.code)


def keep_each(by: Actor, verb: str, answers: Sequence[tuple[object, object]]) -> None:
    """Write down those of several answers (each with its subject) that are refusals, in the transaction of the others, which stand."""
    refused = [(answer, subject) for answer, subject in answers if isinstance(answer, Refusal) and answer.recorded]
    if refused:
        now = clock.now()
        KeptRefusal.objects.bulk_create(_kept(answer, verb, by, subject, now) for answer, subject in refused)


def _kept(refusal: Refusal, verb: str, by: Actor, subject: object, now: datetime) -> KeptRefusal:
    count("refusals", code=refusal.code)
    return KeptRefusal(
        tenant_id=by.tenant,
        at=now,
        actor=str(by),
        verb=verb,
        subject=named(refusal.about or subject),
        type=refusal.code,
        detail=refusal.detail[:2000],
    )


def named(subject: object) -> str:
    """Name what a refused move was about: an id, a key or a name, never its content; of several the first, and how many."""
    if isinstance(subject, list | tuple):
        return named(subject[0]) + (f" and {len(subject) - 1} more" if len(subject) > 1 else "") if subject else ""
    for attribute in ("pk", "key", "name", "email"):
        if isinstance(found := getattr(subject, attribute, None), str | UUID):
            return str(found)[:LONGEST_NAME]
    return str(subject)[:LONGEST_NAME] if isinstance(subject, str | UUID) else ""


def _receipt(body: str) -> dict[str, Any]:
    value = decode(body.encode())
    if not isinstance(value, dict):
        raise TypeError("a receipt is an object")
    return value
