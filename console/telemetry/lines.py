"""One way for every line, ours and that of Django, RQ, uvicorn and aiohttp: JSON for machines, plain text for a terminal, no secrets."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final

import structlog
from structlog.stdlib import ExtraAdder, ProcessorFormatter
from structlog.typing import EventDict, Processor

from console.telemetry import context, traces
from console.telemetry.blotting import blot

AUTO, JSON, PLAIN = "auto", "json", "plain"
FORMS: Final = (AUTO, JSON, PLAIN)
FIRST: Final = ("time", "level", "logger", "event")
ACCESS: Final = "console.access"
# Who brings handlers of their own hands its lines to ours instead.
OTHERS: Final = (
    "django",
    "django.server",
    "uvicorn",
    "uvicorn.error",
    "uvicorn.access",
    "rq",
    "rq.worker",
    "py.warnings",
)


def settings(form: str, level: str, *, access: bool) -> dict[str, Any]:
    """Give Django's LOGGING: everything to stderr, in this form."""
    others: dict[str, Any] = {name: {"handlers": [], "propagate": True} for name in OTHERS}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": formatter, "form": form}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            **others,
            "django.request": {"level": "ERROR"},  # what was asked and answered is in the access line
            "uvicorn.access": {**others["uvicorn.access"], "level": "WARNING"},
            "rq": {**others["rq"], "level": "WARNING"},
            ACCESS: {"level": "INFO" if access else "WARNING"},
        },
    }


def form_for(chosen: str) -> str:
    """Give the form that was chosen; `auto` is the one that fits where stderr goes."""
    return (PLAIN if sys.stderr.isatty() else JSON) if chosen == AUTO else chosen


def formatter(form: str) -> ProcessorFormatter:
    """Make the one formatter."""
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *ADDED, ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return ProcessorFormatter(
        foreign_pre_chain=[*ADDED, ExtraAdder(), _without_traces_of_others], processors=chain(form)
    )


def chain(form: str) -> list[Processor]:
    """Give what every line passes through; nothing comes after the blotting but the writing."""
    write: Processor = structlog.processors.JSONRenderer(sort_keys=False, ensure_ascii=False, default=str)
    return [
        ProcessorFormatter.remove_processors_meta,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        _identified,
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
        blot,
        _ordered,
        write if form == JSON else _plain,
    ]


ADDED: Final[list[Processor]] = [structlog.stdlib.add_log_level, structlog.stdlib.add_logger_name]


def _without_traces_of_others(logger: Any, method: str, event: EventDict) -> EventDict:
    """Leave out what another formatter left on the record."""
    return {name: value for name, value in event.items() if name not in {"message", "asctime"}}


def _identified(logger: Any, method: str, event: EventDict) -> EventDict:
    """Add the ids of the work in hand; what the line itself says wins."""
    for name, value in context.ids().items():
        event.setdefault(name, value)
    trace = traces.trace_id()
    if trace:
        event.setdefault("trace", trace)
    return event


def _ordered(logger: Any, method: str, event: EventDict) -> EventDict:
    """Put first what every line has, then the ids, then the rest; the exception last."""
    last = [name for name in ("stack", "exception") if name in event]
    names = [*FIRST, *context.NAMES]
    rest = [name for name in event if name not in {*names, *last}]
    return {name: event[name] for name in (*names, *rest, *last) if name in event}


def _plain(logger: Any, method: str, event: MutableMapping[str, Any]) -> str:
    """Write a line for people: the time of day, what is worse than usual, what happened, and what it was about."""
    level = str(event.pop("level", "info"))
    head = (
        f"{str(event.pop('time', ''))[11:19]} {'' if level == 'info' else level.upper() + ' '}{event.pop('event', '')}"
    )
    logger_name = event.pop("logger", "")
    below = [str(event.pop(name)) for name in ("stack", "exception") if name in event]
    facts = " ".join(f"{name}={value}" for name, value in event.items())
    return "\n".join([f"{head}  [{logger_name}{' ' if facts else ''}{facts}]", *below])
