"""System checks: each says what is wrong and what to do. `manage.py check` reads the settings; `manage.py check --deploy` judges them for
serving and asks the services too (console/service_checks.py)."""

import json
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.core.checks import Warning as Caution

from console import env
from runs.checkpoints import migrations

LEAST_KEY = 50
OF_THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]"}


@register()
def no_unknown_variables(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Notice variables with our prefix that nobody reads."""
    return [
        Caution(
            f"{name} is set, and nobody reads it.",
            hint=f"Perhaps {meant} was meant." if meant else "docs/settings.md lists what is read; unset what is not.",
            id="counterfoil.W001",
        )
        for name, meant in env.unknown().items()
    ]


@register()
def leases(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse leases that one late sign of life would lose: a healthy worker would be given up, and what it writes be unknown."""
    lease, renewed = settings.LEASE_SECONDS, settings.LEASE_RENEW_SECONDS
    if lease >= 2 * renewed:
        return []
    return [
        Error(
            f"LEASE_SECONDS is {lease:g}, and a lease is renewed every {renewed:g} seconds (LEASE_RENEW_SECONDS): one sign of life that "
            "comes late would let a healthy worker be given up.",
            hint="Set LEASE_SECONDS to at least twice LEASE_RENEW_SECONDS; unset, a lease is renewed three times.",
            id="counterfoil.E018",
        )
    ]


@register(deploy=True)
def secret_key(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse a key that can be guessed, and the one that a local start made for itself."""
    key = settings.SECRET_KEY
    why = None
    if key == _key_of_the_demo():
        why = "SECRET_KEY is the one that `make up` made for itself."
    elif len(key) < LEAST_KEY or len(set(key)) < 10 or key.startswith("django-insecure"):
        why = f"SECRET_KEY can be guessed: it has fewer than {LEAST_KEY} characters, or few different ones."
    return (
        [Error(why, hint="Set SECRET_KEY to what `openssl rand -hex 32` prints, and keep it.", id="counterfoil.E002")]
        if why
        else []
    )


@register()
def migrations_of_checkpoints(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse migrations of checkpoints that cannot be imported: runs that need them would be quarantined."""
    return [
        Error(
            f"COUNTERFOIL_MIGRATIONS names {name}, which cannot be imported: what it registers is missing.",
            hint="Correct the name, or put the module on PYTHONPATH; the log says what went wrong.",
            id="counterfoil.E023",
        )
        for name in migrations.load()
    ]


@register(deploy=True)
def checkpoint_keys(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Say that no state of an agent's is kept without a key to seal it with."""
    if not settings.CHECKPOINT_KEYS:
        return [
            Caution(
                "CHECKPOINT_KEYS is not set: no agent can keep its state, and a run that changes hands goes on from the record alone.",
                hint="Set CHECKPOINT_KEYS to what `openssl rand -base64 32` prints, and keep it.",
                id="counterfoil.W024",
            )
        ]
    return []


@register(deploy=True)
def development(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Refuse what belongs to development and to tests."""
    found: list[CheckMessage] = []
    if settings.DEBUG:
        found.append(
            Error("DEBUG is on: whoever meets a fault is shown the inside.", hint="Unset DEBUG.", id="counterfoil.E003")
        )
    if env.text("CRASH_AT", ""):
        found.append(
            Error("CRASH_AT is set: this process is to fail on purpose.", hint="Unset CRASH_AT.", id="counterfoil.E004")
        )
    if env.flag("RELAXED_DURABILITY"):
        found.append(
            Caution(
                "RELAXED_DURABILITY is on: a PostgreSQL that may lose what it has committed is accepted.",
                hint="Unset RELAXED_DURABILITY; what is then refused says what to switch on.",
                id="counterfoil.W005",
            )
        )
    return found


@register(deploy=True)
def behind_a_proxy(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Notice cookies that travel in the clear, and names under which nobody, or everybody, reaches us."""
    found: list[CheckMessage] = []
    if not settings.BEHIND_TLS:
        found.append(
            Caution(
                "BEHIND_TLS is off: cookies are sent without TLS too, and browsers are not told to stay with HTTPS.",
                hint="End TLS at a proxy that sets X-Forwarded-Proto itself, and set BEHIND_TLS=yes.",
                id="counterfoil.W006",
            )
        )
    hosts = set(settings.ALLOWED_HOSTS)
    if "*" in hosts:
        found.append(
            Error(
                "ALLOWED_HOSTS accepts every name.",
                hint="Name the hosts: ALLOWED_HOSTS=app.example.com.",
                id="counterfoil.E007",
            )
        )
    elif hosts <= OF_THIS_MACHINE:
        found.append(
            Caution(
                "ALLOWED_HOSTS names this machine alone: nobody else is answered.",
                hint="Name the hosts under which people and agents come: ALLOWED_HOSTS=app.example.com.",
                id="counterfoil.W008",
            )
        )
    clear = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if settings.BEHIND_TLS and origin.startswith("http://")]
    if clear:
        found.append(
            Caution(
                f"CSRF_TRUSTED_ORIGINS trusts {', '.join(clear)}, which is without TLS.",
                hint="Write https://, or leave it out.",
                id="counterfoil.W009",
            )
        )
    return found


@register(deploy=True)
def notices(app_configs: Any, **options: Any) -> list[CheckMessage]:
    """Say where notices do not go, and with what their links lack."""
    found: list[CheckMessage] = []
    if not settings.EMAIL_IS_SENT:
        found.append(
            Caution(
                "EMAIL_URL is not set: whoever is to be told of an unknown outcome gets no e-mail.",
                hint="Set EMAIL_URL=smtps://user:password@mail.example.com:465 and EMAIL_FROM; docs/notices.md says more.",
                id="counterfoil.W019",
            )
        )
    if not settings.PUBLIC_URL:
        found.append(
            Caution(
                "PUBLIC_URL is not set: e-mails and webhooks name pages without saying where they are.",
                hint="Set PUBLIC_URL=https://app.example.com, as people reach this installation.",
                id="counterfoil.W020",
            )
        )
    return found


def _key_of_the_demo() -> str | None:
    try:
        kept = json.loads((env.data_dir() / "keys.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return str(kept.get("django"))
