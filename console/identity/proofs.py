"""Proofs for tools: a member's key beside their password or code gives a text, good for five minutes, that says it is really this person.

Only the SHA-256 of the text is kept. Wrong tries are counted with those of signing in, in one count for all processes."""

import secrets
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.core.internal import ratelimit
from allauth.mfa.models import Authenticator
from django.http import HttpRequest
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.database import transaction
from console.http.refusals import Forbidden, Refusal
from console.identity.adapter import account
from console.identity.api_keys import digest_of
from console.identity.models import Member, StepUp, User
from console.identity.second_factors import has_second_factor
from console.identity.step_up import RECENT_SECONDS
from console.ledger.actors import Actor
from console.ledger.moves import move

PREFIX: Final = "cfp_"
PASSWORD: Final = "password"  # noqa: S105 - the name of a way
MOST_WRONG: Final = {"proof": "10/5m/key"}


class ProofRefused(Forbidden):
    """This proves nothing: the password or the code is wrong. Whoever has set up a second factor needs its code, or a recovery code."""

    code = "proof_refused"


class BadProof(Forbidden):
    """This proof is not known, or another's, or its time is over."""

    code = "bad_proof"


class TooManyTries(Refusal):
    """This was tried too often; wait some minutes."""

    code = "too_many_tries"
    status = 429


def prove(by: Actor, request: HttpRequest, *, password: str, code: str) -> dict[str, Any]:
    """Give a proof that the key's member is who asks. Raises ProofRefused, TooManyTries."""
    with transaction(by.tenant):
        user = Member.objects.select_related("user").get(pk=by.principal).user
    names = [account(user.email)] if password else []
    names += [f"mfa-auth-user-{user.pk}"] if code else []
    tries = [_tried(request, name) for name in names]
    given = _given(by, user, password, code)
    for each in tries:
        each.rollback()
    return given


def proven_at(by: Actor, text: str, request: HttpRequest) -> datetime:
    """Give when the member proved who they are, by a proof of theirs. Raises BadProof, TooManyTries."""
    with transaction(by.tenant):
        now = clock.now()
        found = StepUp.objects.filter(digest=digest_of(text), member=by.id, expires_at__gt=now).first()
    if found is not None:
        return found.at
    name = f"proof-{by.id}"
    if not ratelimit.consume(request, app="counterfoil", action="proof", config=MOST_WRONG, key=name, limit_get=True):
        raise TooManyTries(retry_after=RECENT_SECONDS)
    raise BadProof


@move("step up")
def _given(by: Actor, user: User, password: str, code: str) -> dict[str, Any]:
    method = _method(user, password, code)
    if method is None:
        raise ProofRefused
    now = clock.now()
    StepUp.objects.filter(member=by.id, expires_at__lte=now).delete()
    text = PREFIX + secrets.token_urlsafe(32)
    until = now + timedelta(seconds=RECENT_SECONDS)
    StepUp.objects.create(
        id=uuid7(), tenant_id=by.tenant, member_id=by.principal, digest=digest_of(text), method=method, at=now, expires_at=until
    )  # fmt: skip
    return {"proof": text, "expires_at": instant(until)}


def _method(user: User, password: str, code: str) -> str | None:
    """Tell by what the person proved who they are; whatever was sent has to be right."""
    if password and not user.check_password(password):
        return None
    if not code:
        return PASSWORD if password and not has_second_factor(user) else None
    factors = Authenticator.objects.filter(user_id=user.pk).exclude(type=Authenticator.Type.WEBAUTHN)
    return next((str(each.type) for each in factors.order_by("pk") if each.wrap().validate_code(code)), None)


def _tried(request: HttpRequest, name: str) -> Any:
    used = ratelimit.consume(request, app="allauth.account", action="login_failed", key=name)
    if not used:
        raise TooManyTries(retry_after=RECENT_SECONDS)
    return used
