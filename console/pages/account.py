"""Signing in and out, second factors and proving who one is, by django-allauth; of its addresses only these are ours."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account import views
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as app
from allauth.mfa.webauthn import views as passkeys
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path
from django.utils.http import url_has_allowed_host_and_scheme

from console.pages import proving, signing_in

View = Callable[..., HttpResponse]


def own(view: View) -> View:
    """Make a view one's own: for whoever is signed in with a password that nobody else was shown, and kept by no cache."""

    @login_required
    @wraps(view)
    def entered(request: HttpRequest, **address: Any) -> HttpResponse:
        user: Any = request.user
        answer = signing_in.to_own_password(request) if user.first_password else view(request, **address)
        answer["Cache-Control"] = "no-store"
        return answer

    return entered


def prove(request: HttpRequest) -> HttpResponse:
    """Lead to the way in which this person proves who they are, and from there on to where they came from."""
    then = request.GET.get("next", "")
    then = then if url_has_allowed_host_and_scheme(then, None) else "/"
    return HttpResponseRedirect(f"{proving.way(request)}?{urlencode({'next': then})}")


urls: list[URLPattern] = [
    path("login/", views.login, name="account_login"),
    path("login/second/", factors.authenticate, name="mfa_authenticate"),
    path("logout/", views.logout, name="account_logout"),
    path("password/", views.password_change, name="account_change_password"),
    path("inactive/", views.account_inactive, name="account_inactive"),
    path("prove/", own(prove), name="prove"),
    path("prove/password/", own(views.reauthenticate), name="account_reauthenticate"),
    path("prove/code/", own(factors.reauthenticate), name="mfa_reauthenticate"),
    path("prove/passkey/", own(passkeys.reauthenticate_webauthn), name="mfa_reauthenticate_webauthn"),
    path("security/", own(factors.index), name="mfa_index"),
    path("security/app/", own(app.activate_totp), name="mfa_activate_totp"),
    path("security/app/remove/", own(app.deactivate_totp), name="mfa_deactivate_totp"),
    path("security/codes/", own(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("security/codes/new/", own(codes.generate_recovery_codes), name="mfa_generate_recovery_codes"),
    path("security/passkeys/", own(factors.index), name="mfa_list_webauthn"),
    path("security/passkeys/add/", own(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path("security/passkeys/<int:pk>/remove/", own(passkeys.remove_webauthn), name="mfa_remove_webauthn"),
]
