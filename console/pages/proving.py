"""A deed that needs a fresh proof of who somebody is: what they typed is kept, they prove it, and come back to the same form."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from console.identity.step_up import RECENT_SECONDS
from console.ledger.actors import Actor
from console.pages import signing_in

KEPT = "typed before the proof"
LONGEST = 20_000  # characters; a form that is longer is typed anew
NEVER = frozenset({"csrfmiddlewaretoken", "idempotency_key", "password"})


def ask(request: HttpRequest, page: str) -> HttpResponse:
    """Send somebody to prove who they are and back to the page of the form, which finds there what they typed."""
    typed = {name: values for name, values in request.POST.lists() if name not in NEVER}
    short = sum(len(value) for values in typed.values() for value in values) <= LONGEST
    request.session[KEPT] = {"page": page, "typed": typed if short else {}}
    return signing_in.sent(request, prove(page), 403)


def prove(then: str) -> str:
    """Give the address where whoever is signed in proves who they are, and from which they go on to `then`."""
    return f"{reverse('prove')}?{urlencode({'next': then})}"


def way(request: HttpRequest) -> str:
    """Give the address of the first way in which this person can prove who they are."""
    ways = get_adapter(request).get_reauthentication_methods(request.user)
    return str(ways[0]["url"]) if ways else reverse("account_reauthenticate")


def typed(request: HttpRequest) -> Mapping[str, list[str]]:
    """Give what was typed into the form of this page before the proof was asked for."""
    kept: Any = request.session.get(KEPT)
    return kept["typed"] if isinstance(kept, dict) and kept.get("page") == request.path else {}


def typed_text(request: HttpRequest, name: str) -> str:
    """Give what was typed into one field of it."""
    return (typed(request).get(name) or [""])[-1]


def came_back(by: Actor, now: datetime) -> bool:
    """Tell whether somebody has just proven who they are."""
    return by.stepped_up_at is not None and now - by.stepped_up_at <= timedelta(seconds=RECENT_SECONDS)


def forget(request: HttpRequest, page: str) -> None:
    """Forget what was typed, now that the form was sent again."""
    kept: Any = request.session.get(KEPT)
    if isinstance(kept, dict) and kept.get("page") == page:
        del request.session[KEPT]
