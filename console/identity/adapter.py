"""How django-allauth behaves here: people are added by an admin, nobody signs up by themselves."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedDoor(DefaultAccountAdapter):
    """Sign-up is closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
