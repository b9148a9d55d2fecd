"""How allauth's second factors behave here: their secrets are sealed in the database, and they are called as this product is."""

import base64
import hashlib
import hmac
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet
from django.conf import settings

from console.identity.models import User

PRODUCT = "Counterfoil"
STRONG = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
WORDS = {
    Authenticator.Type.TOTP: "an authenticator app",
    Authenticator.Type.WEBAUTHN: "a passkey",
    Authenticator.Type.RECOVERY_CODES: "recovery codes",
}


class SecondFactors(DefaultMFAAdapter):
    """Secrets are sealed under SECRET_KEY: who copies the database makes no code of them."""

    def encrypt(self, text: str) -> str:
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _box().decrypt(encrypted_text.encode()).decode()

    def generate_authenticator_name(self, user: Any, type: Any) -> str:  # noqa: A002 - allauth's word
        """Name a passkey that was given no name."""
        return f"Passkey {Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1}"

    def _get_site_name(self) -> str:
        return PRODUCT


def has_second_factor(user: User) -> bool:
    """Tell whether this person has set up a second factor; recovery codes alone are none."""
    return bool(Authenticator.objects.filter(user_id=user.pk, type__in=STRONG).exists())


def has_app(user: Any) -> bool:
    """Tell whether this person has set up an authenticator app."""
    return bool(Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists())


def _box() -> Fernet:
    key = hmac.new(settings.SECRET_KEY.encode(), b"counterfoil second factor", hashlib.sha256)
    return Fernet(base64.urlsafe_b64encode(key.digest()))
