"""Traces by OpenTelemetry, where the standard OTEL_* variables ask for them. Switched off they cost one comparison."""

import atexit
import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from opentelemetry import trace
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

logger = logging.getLogger(__name__)
SERVICE: Final = "counterfoil"
LONGEST: Final = 55  # version 00 of W3C Trace Context
ASKING: Final = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
MISSING: Final = (
    "OTEL_* variables ask for traces, and the packages that send them are not installed. "
    "Install the extra `traces` (uv sync --extra traces), or unset the variables; until then nothing is traced."
)
REQUEST, CALL, INSIDE, WORK = SpanKind.SERVER, SpanKind.CLIENT, SpanKind.INTERNAL, SpanKind.CONSUMER
_tracer: "trace.Tracer | None" = None
_provider: "TracerProvider | None" = None


def asked_for(variables: Mapping[str, str] = os.environ) -> bool:
    """Tell whether the standard variables ask for traces."""
    if variables.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return False
    exporter = variables.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    return exporter not in {"", "none"} or (exporter != "none" and any(variables.get(name) for name in ASKING))


def start(role: str) -> bool:
    """Begin to trace in this process, if the variables ask for it; tells whether it does. Call it after a fork, never before."""
    if not asked_for() or _tracer is not None:
        return _tracer is not None
    try:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - installed only where traces are sent
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        exporter = _exporter()
    except ImportError:
        logger.error(MISSING)
        return False
    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": f"{SERVICE}-{role}"}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    use(provider)
    atexit.register(stop)
    return True


def _exporter() -> Any:
    if os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter  # noqa: PLC0415

        return ConsoleSpanExporter()
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415

    return OTLPSpanExporter()


def use(provider: "TracerProvider | None") -> None:
    """Trace with this provider from now on; None: not at all."""
    global _tracer, _provider
    _provider, _tracer = provider, None if provider is None else provider.get_tracer(SERVICE)


def stop() -> None:
    """Send what is left, and trace no more."""
    provider = _provider
    use(None)
    if provider is not None:
        provider.shutdown()


@contextmanager
def span(
    name: str,
    kind: SpanKind = INSIDE,
    *,
    parent: str = "",
    links: Sequence[str] = (),
    began: int | None = None,
    **attributes: Any,
) -> Iterator[None]:
    """Trace the block as a span: below `parent` (a traceparent) where one is given and can be read, else below the
    span in force. `began` (nanoseconds since 1970) is for a block that is told of only once it is known to be worth it."""
    if _tracer is None:
        yield
        return
    held = _context(parent)
    linked = [Link(found) for found in map(_context, links) if found is not None]
    above = None if held is None else trace.set_span_in_context(trace.NonRecordingSpan(held))
    with _tracer.start_as_current_span(
        name,
        context=above,
        kind=kind,
        links=linked,
        start_time=began,
        attributes=_attributes(attributes),
        record_exception=False,
        set_status_on_exception=False,
    ):
        try:
            yield
        except Exception as fault:
            failed(type(fault).__name__)  # what it says may hold what is nobody's business
            raise


def note(**attributes: Any) -> None:
    """Say more of the span in force."""
    if _tracer is not None:
        trace.get_current_span().set_attributes(_attributes(attributes))


def name(text: str) -> None:
    """Name the span in force, when only later it is known what it is."""
    if _tracer is not None:
        trace.get_current_span().update_name(text)


def failed(why: str) -> None:
    """Mark the span in force as failed."""
    if _tracer is not None:
        trace.get_current_span().set_status(Status(StatusCode.ERROR, why))


def link(traceparent: str) -> None:
    """Link the span in force to another trace."""
    if _tracer is not None and (found := _context(traceparent)) is not None:
        trace.get_current_span().add_link(found)


def traceparent() -> str:
    """Give the span in force as it travels: in a header, or in a column. Empty when nothing is traced."""
    if _tracer is None:
        return ""
    held = trace.get_current_span().get_span_context()
    return f"00-{held.trace_id:032x}-{held.span_id:016x}-{int(held.trace_flags):02x}" if held.is_valid else ""


def trace_id() -> str:
    """Give the id of the trace in force; empty when nothing is traced."""
    return traceparent()[3:35]


def on() -> bool:
    """Tell whether this process traces."""
    return _tracer is not None


def _context(traceparent: str) -> SpanContext | None:
    """Read a traceparent; None when there is none or it says nothing."""
    parts = traceparent.strip().split("-")
    if len(traceparent) != LONGEST or len(parts) != 4 or parts[0] != "00":
        return None
    try:
        held = SpanContext(
            int(parts[1], 16), int(parts[2], 16), is_remote=True, trace_flags=TraceFlags(int(parts[3], 16))
        )
    except ValueError:
        return None
    return held if held.is_valid else None


def _attributes(given: Mapping[str, Any]) -> dict[str, Any]:
    """Write attributes as OpenTelemetry has them: dots for double underscores, ids under our own name."""
    named = {key.replace("__", ".") if "__" in key else f"{SERVICE}.{key}": value for key, value in given.items()}
    return {
        key: value if isinstance(value, bool | int | float) else str(value)
        for key, value in named.items()
        if value is not None
    }
