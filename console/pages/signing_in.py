"""The way in, for whoever is not signed in or belongs to no tenant."""

from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django_htmx.middleware import HtmxDetails


def the_way(request: HttpRequest, here: str) -> HttpResponse:
    """Send a stranger to sign in and back to `here`; tell a person without a tenant so."""
    if request.user.is_authenticated:
        return render(request, "account/no_tenant.html", status=403)
    htmx: HtmxDetails | None = getattr(request, "htmx", None)
    if not htmx:
        return HttpResponseRedirect(sign_in(here), status=303 if request.method == "POST" else 302)
    answer = HttpResponse(status=401)
    answer["HX-Redirect"] = sign_in(htmx.current_url_abs_path or here)
    return answer


def sign_in(then: str) -> str:
    """Give the address where one signs in, and from which one goes on to `then`."""
    return f"{settings.LOGIN_URL}?{urlencode({'next': then})}"
