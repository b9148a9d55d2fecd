"""Settings come from the environment, read here and nowhere else; what is missing or wrong is said by name, with the fix."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

BASE_DIR = Path(__file__).resolve().parent.parent


class BadSetting(Exception):
    """A setting is missing or cannot be used."""


def text(name: str, default: str | None = None) -> str:
    """Give the setting's text; BadSetting when it is absent and has no default."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise BadSetting(f"{name} is not set. Set it in the environment, or start with `make up`, which sets it.")
    return default


def flag(name: str, *, default: bool = False) -> bool:
    """Give the setting as yes or no (1, true, yes, on / 0, false, no, off)."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise BadSetting(f"{name} must be yes or no, and is {value!r}.")


def whole(name: str, default: int, *, least: int = 0) -> int:
    """Give the setting as a whole number of at least `least`."""
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    if not value.lstrip("-").isdigit() or int(value) < least:
        raise BadSetting(f"{name} must be a whole number of at least {least}, and is {value!r}.")
    return int(value)


def listed(name: str, default: str) -> list[str]:
    """Give the setting as a list, split at commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def data_dir() -> Path:
    """Give the folder that holds what a local start keeps (databases, keys, logs)."""
    return Path(text("COUNTERFOIL_DATA", str(BASE_DIR / ".data"))).resolve()


def database(name: str) -> dict[str, object]:
    """Give Django's settings for the PostgreSQL that the URL in `name` points at."""
    url = urlsplit(text(name))
    if url.scheme not in {"postgres", "postgresql"} or not url.path.strip("/"):
        raise BadSetting(f"{name} must look like postgresql://user:password@host:5432/name.")
    query = dict(part.split("=", 1) for part in url.query.split("&") if "=" in part)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": unquote(query.pop("host", url.hostname or "")),
        "PORT": str(url.port or ""),
        "OPTIONS": {"application_name": "counterfoil", **{k: unquote(v) for k, v in query.items()}},
    }


def dsn(name: str) -> str:
    """Give the PostgreSQL URL in `name`, for a connection outside of Django."""
    return text(name)


def base_url(dependency: str) -> str | None:
    """Give where this installation's dependency lives, if that is not what its contract says: COUNTERFOIL_BASE_URL_<NAME>."""
    return os.environ.get("COUNTERFOIL_BASE_URL_" + dependency.upper().replace("-", "_")) or None


def secret(name: str) -> str | None:
    """Give the secret that a contract calls `name`, or None; it lives in COUNTERFOIL_SECRET_<NAME>."""
    return os.environ.get("COUNTERFOIL_SECRET_" + name.upper().replace("-", "_")) or None
