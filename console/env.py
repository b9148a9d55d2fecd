"""Settings come from the environment, read here and nowhere else; what is missing or wrong is said by name, with the fix.

Every variable has one row in docs/settings.md. A secret may also be given as a file: NAME_FILE holds the path. What a message quotes
is never a secret."""

import base64
import difflib
import ipaddress
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import parse_qsl, unquote, urlsplit

BASE_DIR = Path(__file__).resolve().parent.parent
PREFIX = "COUNTERFOIL_"
OURS = frozenset(
    {"COUNTERFOIL_DATA", "COUNTERFOIL_FUNCTIONS", "COUNTERFOIL_METRICS_TOKEN", "COUNTERFOIL_MIGRATIONS"}
)  # every variable with our prefix that is read by its whole name
FAMILIES = ("COUNTERFOIL_BASE_URL_", "COUNTERFOIL_SECRET_", "COUNTERFOIL_TEST_")
KEY_BYTES: Final = 32  # of what seals
MAIL_PORTS: Final = {"smtp": 25, "smtp+starttls": 587, "smtps": 465}
HOST: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network
TABLE = "docs/settings.md says what each variable is."


class BadSetting(Exception):
    """A setting is missing or cannot be used."""


def text(name: str, default: str | None = None) -> str:
    """Give the setting's text; BadSetting when it is absent and has no default."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise BadSetting(
            f"{name} is not set. Set it in the environment, or start with `make up`, which sets it. {TABLE}"
        )
    return default


def given(name: str) -> bool:
    """Tell whether the setting is there, as itself or as a file."""
    return bool(os.environ.get(name, "").strip() or os.environ.get(f"{name}_FILE", "").strip())


def private(name: str) -> str:
    """Give a secret's text, from the variable or from the file that NAME_FILE names; BadSetting when there is neither, or both."""
    value = _private(name)
    if value is None:
        raise BadSetting(
            f"{name} is not set. Set it, or set {name}_FILE to a file that holds it, or start with `make up`, which sets it. {TABLE}"
        )
    return value


def one_of(name: str, default: str, allowed: Sequence[str]) -> str:
    """Give the setting as one of the allowed words, whatever its case."""
    value = text(name, default)
    for word in allowed:
        if value.upper() == word.upper():
            return word
    raise BadSetting(
        f"{name} must be one of {', '.join(allowed)}, and is {value!r}. Correct it, or unset it for {default}."
    )


def flag(name: str, *, default: bool = False) -> bool:
    """Give the setting as yes or no (1, true, yes, on / 0, false, no, off)."""
    value = os.environ.get(name, "").strip().lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    usual = "yes" if default else "no"
    raise BadSetting(f"{name} must be yes or no, and is {value!r}. Correct it, or unset it for {usual}.")


def whole(name: str, default: int, *, least: int = 0, most: int | None = None) -> int:
    """Give the setting as a whole number of at least `least`, and at most `most` where there is one."""
    value = os.environ.get(name, "").strip()
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise BadSetting(
            f"{name} must be a whole number {bounds}, and is {value!r}. Correct it, or unset it for {default}."
        )
    return number


def listed(name: str, default: str) -> list[str]:
    """Give the setting as a list, split at commas."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def hosts(name: str, default: str) -> list[str]:
    """Give the setting as a list of host names, which have no scheme, port or path."""
    names = listed(name, default)
    for host in names:
        if "/" in host or (":" in host and not host.startswith("[")):
            raise BadSetting(
                f"{name} must list host names alone, without scheme, port or path, and holds {host!r}. Write for example app.example.com."
            )
    return names


def data_dir() -> Path:
    """Give the folder that holds what a local start keeps (databases, keys, logs)."""
    return Path(text("COUNTERFOIL_DATA", str(BASE_DIR / ".data"))).resolve()


def folder(name: str, default: Path) -> Path:
    """Give the setting as a folder's absolute path."""
    value = text(name, str(default))
    if not value.startswith("/"):
        raise BadSetting(f"{name} must be an absolute path, and is {value!r}. Correct it, or unset it for {default}.")
    return Path(value)


def database(name: str) -> dict[str, object]:
    """Give Django's settings for the PostgreSQL that the URL in `name` points at."""
    url = urlsplit(dsn(name))
    query = dict(parse_qsl(url.query, keep_blank_values=True))
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": query.pop("host", unquote(url.hostname or "")),
        "PORT": str(url.port or ""),
        "OPTIONS": {"application_name": "counterfoil", **query},
    }


def dsn(name: str) -> str:
    """Give the PostgreSQL URL in `name`, for a connection outside of Django."""
    value = private(name)
    wrong = _wrong_with(value, ("postgresql", "postgres"))
    if wrong is None and not urlsplit(value).path.strip("/"):
        wrong = "it names no database"
    if wrong:
        raise BadSetting(f"{name} must look like postgresql://user:password@host:5432/name, and {wrong}. {TABLE}")
    return value


def bell(name: str) -> str:
    """Give the URL of Redis or Valkey in `name`."""
    value = private(name)
    wrong = _wrong_with(value, ("redis", "rediss", "unix"))
    if wrong:
        raise BadSetting(
            f"{name} must look like redis://:password@host:6379/0 (rediss:// with TLS, unix:// for a socket), and {wrong}. {TABLE}"
        )
    return value


def mail(name: str) -> tuple[str, int, str, str, bool, bool]:
    """Give the mail server that the URL in `name` points at: host, port, user, password, TLS from the start, STARTTLS."""
    value = private(name)
    wrong = _wrong_with(value, tuple(MAIL_PORTS))
    if wrong is None and not urlsplit(value).hostname:
        wrong = "it names no host"
    if wrong:
        raise BadSetting(
            f"{name} must look like smtps://user:password@host:465 (smtp+starttls:// for STARTTLS, smtp:// without TLS), "
            f"and {wrong}. {TABLE}"
        )
    url = urlsplit(value)
    return (
        url.hostname or "", url.port or MAIL_PORTS[url.scheme], unquote(url.username or ""), unquote(url.password or ""),
        url.scheme == "smtps", url.scheme == "smtp+starttls",
    )  # fmt: skip


def web_address(name: str) -> str:
    """Give the setting as the address under which people reach the pages, without a slash at its end; empty where it is not set."""
    value = text(name, "")
    wrong = _wrong_with(value, ("http", "https")) if value else None
    if wrong:
        raise BadSetting(f"{name} must look like https://app.example.com, and {wrong}. Correct it, or unset it.")
    return value.rstrip("/")


def reach(name: str) -> tuple[frozenset[str], tuple[Network, ...]]:
    """Give the setting as host names and networks, split at commas: `hooks.internal, 10.1.0.0/16`."""
    names, networks = set[str](), list[Network]()
    for part in listed(name, ""):
        try:
            networks.append(ipaddress.ip_network(part.strip("[]")))
        except ValueError:
            if not HOST.fullmatch(part) or part.replace(".", "").isdigit():
                raise BadSetting(
                    f"{name} must list host names and networks, and holds {part!r}. Write for example hooks.internal, 10.1.0.0/16."
                ) from None
            names.add(part.lower())
    return frozenset(names), tuple(networks)


def fernet_keys(name: str) -> tuple[str, ...]:
    """Give the setting as keys of 32 bytes in base64, split at commas; none where it is not set."""
    keys = [_key(name, part.strip()) for part in (_private(name) or "").split(",") if part.strip()]
    if len(set(keys)) < len(keys):
        raise BadSetting(f"{name} holds the same key twice. Leave one of them out.")
    return tuple(keys)


def base_url(dependency: str) -> str | None:
    """Give where this installation's dependency lives, if that is not what its contract says: COUNTERFOIL_BASE_URL_<NAME>."""
    name = "COUNTERFOIL_BASE_URL_" + _upper(dependency)
    value = os.environ.get(name, "").strip()
    wrong = _wrong_with(value, ("http", "https")) if value else None
    if wrong:
        raise BadSetting(
            f"{name} must look like https://host/path, and {wrong}. Correct it, or unset it for what the contract says."
        )
    return value or None


def secret(name: str) -> str | None:
    """Give the secret that a contract calls `name`, or None; it lives in COUNTERFOIL_SECRET_<NAME>, or in a file that …_FILE names."""
    return _private(secret_variable(name))


def secret_variable(name: str) -> str:
    """Give the variable in which a contract's secret lives."""
    return "COUNTERFOIL_SECRET_" + _upper(name)


def unknown() -> dict[str, str | None]:
    """Give the variables with our prefix that nobody reads, each with the one that was perhaps meant."""
    known = {*OURS}
    strays = [
        name
        for name in sorted(os.environ)
        if name.startswith(PREFIX) and name not in known and not name.startswith(FAMILIES)
    ]
    return {name: next(iter(difflib.get_close_matches(name, known, 1, 0.8)), None) for name in strays}


def _private(name: str) -> str | None:
    value, file = os.environ.get(name, "").strip(), os.environ.get(f"{name}_FILE", "").strip()
    if value and file:
        raise BadSetting(f"{name} and {name}_FILE are both set, and only one may be. Unset one of them.")
    if not file:
        return value or None
    shown = repr(file) if file.startswith("/") else "no absolute path"
    try:
        value = Path(file).read_text(encoding="utf-8").strip() if file.startswith("/") else ""
    except (OSError, UnicodeDecodeError) as fault:
        why = getattr(fault, "strerror", None) or "it is not text"
        raise BadSetting(f"{name}_FILE must name a file that this process can read, and is {shown}: {why}.") from None
    if not value:
        raise BadSetting(
            f"{name}_FILE must be the absolute path of a file that holds the value, and is {shown}, which gives nothing."
        )
    return value


def _key(name: str, text: str) -> str:
    """Give a key in the form of Fernet, whichever alphabet of base64 it came in, padded or not."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raw = b""
    if len(raw) != KEY_BYTES:
        raise BadSetting(
            f"{name} must list keys of {KEY_BYTES} bytes in base64, split at commas, and holds something else. "
            f"Make one with `openssl rand -base64 {KEY_BYTES}`. {TABLE}"
        )
    return base64.urlsafe_b64encode(raw).decode()


def _wrong_with(url: str, schemes: Sequence[str]) -> str | None:
    """Say what keeps a URL from being used, without quoting what may be a password."""
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is no number
    except ValueError:
        return "it cannot be read as a URL (a password's special characters are written as %40 and the like)"
    if parts.scheme not in schemes:
        return f"it begins with {parts.scheme + '://' if parts.scheme and '://' in url else 'no scheme'}"
    if not parts.netloc and not parts.path.strip("/"):
        return "it names no host"
    return None


def _upper(name: str) -> str:
    return name.upper().replace("-", "_")
