"""Passwords and keys of the local services: made once, kept in the data folder, readable by its owner."""

import json
import secrets
from dataclasses import asdict, dataclass

from console.local.place import Place, write_private


@dataclass(frozen=True)
class Keys:
    """One password for each database role, one for Valkey, Django's key, and the demo bank's token."""

    superuser: str
    owner: str
    app: str
    worker: str
    valkey: str
    django: str
    bank: str


def keys(place: Place) -> Keys:
    """Give the place's passwords; the gate must be held, for the first caller makes them."""
    path = place.folder / "keys.json"
    if path.exists():
        return Keys(**json.loads(path.read_text()))
    made = Keys(**{name: secrets.token_urlsafe(24) for name in Keys.__dataclass_fields__})
    write_private(path, json.dumps(asdict(made), indent=1) + "\n")
    return made
