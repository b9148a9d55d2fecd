"""How django-allauth behaves here: people are added by an admin, nobody signs up by themselves."""

from allauth.account.adapter import DefaultAccountAdapter
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest

from console.identity.models import User


class ClosedDoor(DefaultAccountAdapter):
    """Sign-up is closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Take the password that a person chose; from then on the one that an administrator was shown is no more."""
        if isinstance(user, User):
            user.first_password = False
        super().set_password(user, password)
