"""Sending by apprise: which services may be named, an address read, and one message handed over, once, with what became of it."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from console.notices import sealing
from console.notices.addresses import Blocked
from console.notices.fate import Answer, as_text
from console.notices.guarded import guarded
from console.notices.letters import Letter, message, subject
from console.notices.states import DELIVERED

# Services that are spoken to over HTTP, or by SMTP. Left out is what runs programs, touches this machine or its desktop, keeps
# connections open, or reads keys from files.
SCHEMES: Final = frozenset({
    "slack", "workflow", "workflows", "discord", "gchat", "mmost", "mmosts", "rocket", "rockets", "webex", "wxteams", "zulip", "tgram",
    "matrix", "matrixs", "nctalk", "nctalks", "twist", "flock", "ryver", "guilded", "lark", "feishu", "dingtalk", "line", "synology",
    "synologys", "ntfy", "ntfys", "gotify", "gotifys", "pover", "pbul", "prowl", "bark", "barks", "join", "opsgenie", "pagerduty", "splunk",
    "victorops", "signl4", "squadcast", "betterstack", "pagertree", "ifttt", "twilio", "vonage", "nexmo", "msgbird", "sinch", "clicksend",
    "d7sms", "threema", "signal", "signals", "whatsapp", "hassio", "hassios", "json", "jsons", "xml", "xmls", "form", "forms", "mailto",
    "mailtos", "mailgun", "sendgrid", "postmark", "brevo", "resend",
})  # fmt: skip
# What names files of this machine.
FILES: Final = frozenset(
    {"template", "pgp", "pgpkey", "key", "keyfile", "smime", "cert", "attach", "attachment", "store"}
)
CONNECT_SECONDS: Final = 5.0
READ_SECONDS: Final = 10.0
logger = logging.getLogger("apprise")


class BadChannel(ValueError):
    """This is no address that apprise knows, or none of the services that channels may use."""


def read(url: str) -> tuple[str, Any]:
    """Read an address without connecting to anything: gives its scheme and the service. Raises BadChannel."""
    apprise = _apprise()
    scheme = url.partition("://")[0].strip().lower()
    names = {name.lstrip("+-:").lower() for name, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}
    if (scheme not in SCHEMES and scheme not in {"http", "https"}) or names & FILES:
        raise BadChannel
    with guarded(time.monotonic() + CONNECT_SECONDS), _heard():
        service = apprise.Apprise.instantiate(url, asset=_asset(apprise))
    if service is None:
        raise BadChannel
    known = _schemes(service)
    if not known <= SCHEMES:
        raise BadChannel
    # Our own attempts are the only ones, nothing leads elsewhere, and certificates are looked at, whatever the address says.
    service.retry, service.redirects, service.verify_certificate = 0, False, True
    service.socket_connect_timeout, service.socket_read_timeout = CONNECT_SECONDS, READ_SECONDS
    return (scheme if scheme in SCHEMES else min(known)), service


def chat(letter: Letter, until: float) -> Answer:
    """Hand a message over before this moment of the monotonic clock. Raises Unreadable."""
    if letter.via_id is None or letter.sealed_url is None:
        raise TypeError("a message goes to a channel")
    url = sealing.opened(letter.via_id, letter.sealed_url)
    try:
        _, service = read(url)
    except BadChannel:
        return Answer("blocked", said=BadChannel.__doc__ or "")
    with guarded(until) as guard, _heard() as said:
        try:
            taken = service.notify(
                title=subject(letter), body=message(letter).rstrip(), body_format="text", notify_type="info"
            )
        except (Blocked, OSError) as fault:
            said.append(type(fault).__name__)
            taken = False
        reached = guard.reached
    if guard.blocked:
        return Answer("blocked", said=guard.blocked)
    if taken:
        return Answer(DELIVERED)
    if guard.late:
        return Answer("timeout", said="It did not end in its time.")
    why = hidden(url, "\n".join(said)) or "The service did not take it, and did not say why."
    return Answer("refused" if reached else "unreachable", said=as_text(why))


def hidden(url: str, text: str) -> str:
    """Give a text without the parts of the address, which are secret."""
    for part in sorted(_parts(url), key=len, reverse=True):
        text = text.replace(part, "…")
    return text


def _parts(url: str) -> set[str]:
    split = urlsplit(url)
    pieces = [
        url,
        split.netloc,
        split.username or "",
        split.password or "",
        split.hostname or "",
        *split.path.split("/"),
    ]
    pieces += [value for _, value in parse_qsl(split.query)]
    return {each for piece in pieces for each in (piece, unquote(piece)) if len(each) >= 4}


@contextmanager
def _heard() -> Iterator[list[str]]:
    """Hear what apprise logs in this thread, from warnings up: the only way in which it says why. Nobody else hears it."""
    said: list[str] = []
    me = threading.get_ident()

    class Ear(logging.Handler):
        def emit(self, line: logging.LogRecord) -> None:
            if line.thread == me:
                said.append(line.getMessage())

    ear = Ear(logging.WARNING)
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(ear)
    try:
        yield said
    finally:
        logger.removeHandler(ear)


def _schemes(service: Any) -> set[str]:
    found: set[str] = set()
    for names in (service.secure_protocol, service.protocol):
        found |= {names} if isinstance(names, str) else set(names or ())
    return found


def _asset(apprise: Any) -> Any:
    """Say how apprise looks: as we do, and keeping nothing."""
    return apprise.AppriseAsset(
        app_id="Counterfoil", app_desc="Counterfoil", app_url="", storage_mode=apprise.PersistentStoreMode.MEMORY, http_redirects=False,
        default_service_retry=0,
    )  # fmt: skip


def _apprise() -> Any:
    import apprise  # noqa: PLC0415 - takes a second and loads a hundred services: only whoever uses a channel waits for it

    return apprise
