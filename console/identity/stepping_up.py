"""When somebody last proved who they are in a session: noted on the database's clock, read for every page.

Whoever has a second factor proves it by that one; their password alone opens the door and proves nothing to a policy."""

from datetime import datetime
from typing import Any

from allauth.account.signals import authentication_step_completed
from django.http import HttpRequest

from console import clock
from console.clock import instant
from console.identity.models import User
from console.identity.second_factors import has_second_factor

PROVEN = "proven"


def stepped_up_at(request: HttpRequest) -> datetime | None:
    """Give when whoever is signed in last proved who they are; None when they did not in this session."""
    kept = request.session.get(PROVEN)
    if not isinstance(kept, dict) or kept.get("user") != str(request.user.pk):
        return None
    return datetime.fromisoformat(kept["at"])


def note(request: HttpRequest, user: User, method: str, **_: Any) -> None:
    """Note a proof that allauth has accepted."""
    if method == "mfa" or (method == "password" and not has_second_factor(user)):
        request.session[PROVEN] = {"user": str(user.pk), "at": instant(clock.now())}


def listen() -> None:
    """Have every proof noted."""
    authentication_step_completed.connect(note, dispatch_uid="counterfoil: noted")
