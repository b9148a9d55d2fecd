"""Passwords and keys of the local services: made once, kept in the data folder, readable by its owner."""

import json
import secrets
from dataclasses import asdict, dataclass

from console.local.place import Place, write_private

BYTES = {"checkpoint": 32}  # where more are needed than a password has


@dataclass(frozen=True)
class Keys:
    """One password for each database role, one for Valkey, Django's key, the demo's tokens, what its bank signs with, what seals states."""

    superuser: str
    owner: str
    app: str
    worker: str
    valkey: str
    django: str
    bank: str
    hotel: str
    callback: str
    checkpoint: str


def keys(place: Place) -> Keys:
    """Give the place's passwords; the gate must be held, for the first caller makes them."""
    path = place.folder / "keys.json"
    kept: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    missing = Keys.__dataclass_fields__.keys() - kept.keys()  # all of them, or those of a newer version
    found = Keys(**kept, **{name: secrets.token_urlsafe(BYTES.get(name, 24)) for name in missing})
    if missing:
        write_private(path, json.dumps(asdict(found), indent=1) + "\n")
    return found
