"""How django-allauth behaves here: people are added by an admin, nobody signs up by themselves."""

import unicodedata
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from console.identity.models import User
from console.identity.second_factors import has_app

PASSWORD = "reauthenticate"  # allauth's name of that way  # noqa: S105
PASSKEY = "mfa_reauthenticate:webauthn"  # and of this


class ClosedDoor(DefaultAccountAdapter):
    """Sign-up is closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Take the password that a person chose; from then on the one that an administrator was shown is no more."""
        if isinstance(user, User):
            user.first_password = False
        super().set_password(user, password)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Name the account whose wrong passwords are counted; allauth has no other door to this."""
        return account(str(credentials.get("email", "")))

    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        """Tell whether this is the person's password; wrong ones are counted with those of signing in."""
        found = self.authenticate(context.request, email=getattr(user, "email", ""), password=password)
        return found is not None and found.pk == user.pk

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[dict[str, Any]]:
        """Give the ways to prove who one is: whoever has set up a second factor proves it by that, and not by the password alone.

        A passkey comes first where there is no app, whose codes would be asked for; recovery codes are for when nothing else is at hand."""
        ways: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        others = [way for way in ways if way["id"] != PASSWORD]
        if any(way["id"] == PASSKEY for way in others) and not has_app(user):
            others.sort(key=lambda way: way["id"] != PASSKEY)
        return others or ways


def account(email: str) -> str:
    """Name an account whose wrong passwords are counted: the same for every host, port and spelling that is asked with."""
    return unicodedata.normalize("NFKC", email.strip()).casefold()
