"""The way in, for whoever is not signed in or belongs to no tenant."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django_htmx.middleware import HtmxDetails


def the_way(request: HttpRequest, here: str) -> HttpResponse:
    """Send a stranger to sign in and back to `here`; tell a person without a tenant so."""
    if request.user.is_authenticated:
        return render(request, "account/no_tenant.html", status=403)
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    return sent(request, sign_in((htmx.current_url_abs_path if htmx else None) or here), 401)


def to_own_password(request: HttpRequest) -> HttpResponse:
    """Send a person whose password somebody else was shown to choose one of their own; nothing is served and nothing done before."""
    return sent(request, reverse("account_change_password"), 403)


def sent(request: HttpRequest, to: str, status: int) -> HttpResponse:
    """Lead a browser there; a part of a page under this status, with a header that htmx follows."""
    if not getattr(request, "htmx", None):
        return HttpResponseRedirect(to, status=303 if request.method == "POST" else 302)
    answer = HttpResponse(status=status)
    answer["HX-Redirect"] = to
    return answer


def sign_in(then: str) -> str:
    """Give the address where one signs in, and from which one goes on to `then`."""
    return f"{settings.LOGIN_URL}?{urlencode({'next': then})}"
