"""The environment that the product reads, for the local services."""

import os
from urllib.parse import quote

from console import env
from console.local import postgres, valkey
from console.local.keys import Keys, keys
from console.local.place import Place
from console.local.roles import APP, DATABASE, OWNER, WORKER

GIVEN = ("DATABASE_URL", "REDIS_URL")
OF_THIS_MACHINE = "localhost, 127.0.0.0/8, ::1"
GIVEN_TOO = ("DATABASE_OWNER_URL", "DATABASE_WORKER_URL", "SECRET_KEY")


class HalfGiven(Exception):
    """Some services are given and others are not."""


def given() -> bool:
    """Tell whether the services are given by the environment; HalfGiven names what is missing."""
    if not any(env.given(name) for name in GIVEN):
        return False
    missing = [name for name in (*GIVEN, *GIVEN_TOO) if not env.given(name)]
    if missing:
        there = " and ".join(name for name in GIVEN if env.given(name))
        raise HalfGiven(
            f"{there} set, so nothing is started here, but {', '.join(missing)} not set. "
            "docs/running.md says what each must be."
        )
    return True


def of(place: Place) -> dict[str, str]:
    """Give what the environment lacks: for given services little, for local ones everything."""
    if not given():
        return local(place)
    with place.alone():
        known = keys(place)
        return tokens(known) | {"CHECKPOINT_KEYS": _sealing(known), "COUNTERFOIL_DATA": str(place.data)}


def local(place: Place, *, database: str = DATABASE, number: int = 0) -> dict[str, str]:
    """Give the environment for the place's services, with that database and that Valkey number."""
    with place.alone():
        known, host, bell = keys(place), postgres.cluster(place).sockets, valkey.server(place).socket

    def url(role: str, password: str) -> str:
        return f"postgresql://{role}:{password}@/{database}?host={quote(str(host), safe='')}"

    return {
        "DATABASE_URL": url(APP, known.app),
        "DATABASE_OWNER_URL": url(OWNER, known.owner),
        "DATABASE_WORKER_URL": url(WORKER, known.worker),
        "REDIS_URL": f"unix://:{known.valkey}@{bell}?db={number}",
        "SECRET_KEY": os.environ.get("SECRET_KEY") or known.django,
        "CHECKPOINT_KEYS": _sealing(known),
        "COUNTERFOIL_DATA": str(place.data),
        "WEBHOOKS_MAY_REACH": os.environ.get("WEBHOOKS_MAY_REACH") or OF_THIS_MACHINE,
        **tokens(known),
    }


def _sealing(known: Keys) -> str:
    """Give the keys that seal what agents keep: those of the environment, else our own."""
    return os.environ.get("CHECKPOINT_KEYS") or known.checkpoint


def tokens(known: Keys) -> dict[str, str]:
    """Give the tokens that the example services ask for: those of the environment, else our own."""
    ours = {
        "COUNTERFOIL_SECRET_BANK_TOKEN": known.bank, "COUNTERFOIL_SECRET_HOTEL_TOKEN": known.hotel,
        "COUNTERFOIL_SECRET_BANK_CALLBACK": known.callback,
    }  # fmt: skip
    return {name: os.environ.get(name) or token for name, token in ours.items()}
