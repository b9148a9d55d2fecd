"""One trace leads from the request that proposed an effect to what the other side received."""

import asyncio
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from console.telemetry import traces
from runs.models import Effect
from tests.api.desk import Caller, key_for
from tests.cast import Company, inside
from tests.runs.shifting import Working
from tests.shop import Shop, draft
from tests.telemetry.hearing import Heard

THEIRS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Spans:
    """The spans that ended, by name."""

    def __init__(self) -> None:
        self.exporter = InMemorySpanExporter()

    def named(self, name: str) -> ReadableSpan:
        """Give the one span of that name."""
        found = [span for span in self.exporter.get_finished_spans() if span.name == name]
        assert len(found) == 1, (name, [span.name for span in self.exporter.get_finished_spans()])
        return found[0]


@pytest.fixture
def spans() -> Iterator[Spans]:
    """Trace, into memory."""
    held = Spans()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(held.exporter))
    traces.use(provider)
    yield held
    traces.stop()


def trace_of(span: ReadableSpan) -> str:
    """Give a span's trace."""
    return f"{span.context.trace_id:032x}"


def said(span: ReadableSpan) -> dict[str, Any]:
    """Give what a span says."""
    return dict(span.attributes or {})


def above(span: ReadableSpan) -> int | None:
    """Give the id of the span above."""
    return span.parent.span_id if span.parent else None


class Counter:
    """The other side: it remembers the headers of what came, and answers that it is done."""

    def __init__(self) -> None:
        self.port = 0
        self.received: list[dict[str, str]] = []

    async def serve(self) -> asyncio.Server:
        """Listen."""
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[1:]
        self.received.append({name.lower(): value for name, _, value in (line.partition(": ") for line in head)})
        body = b'{"id": "r-1"}'
        writer.write(
            b"HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (len(body), body)
        )
        await writer.drain()
        writer.close()


@pytest.fixture
def counter(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter]:
    """The other side, listening in a thread of its own."""
    import threading

    counter, ready = Counter(), threading.Event()
    loop = asyncio.new_event_loop()

    def listen() -> None:
        server = loop.run_until_complete(counter.serve())
        ready.set()
        loop.run_forever()
        server.close()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    assert ready.wait(30)
    monkeypatch.setenv("COUNTERFOIL_BASE_URL_BANK", f"http://127.0.0.1:{counter.port}")
    monkeypatch.setenv("COUNTERFOIL_SECRET_BANK_TOKEN", "let-us-in-please")
    yield counter
    loop.call_soon_threadsafe(loop.stop)
    thread.join(30)


def proposed(shop: Shop, amount: str = "10", **headers: str) -> str:
    """Post an effect into a new run, as an agent does; gives its id."""
    run = shop.accept()
    agent = Caller(key_for(shop))  # type: ignore[arg-type]
    body = {"operation": "pay", "arguments": {"to": "bob", "amount": amount}}
    answer = agent.post(f"runs/{run}/effects", body, token=1, **headers)
    assert answer.status == 201, answer.document
    return str(answer["id"])


def test_one_trace_from_the_post_to_what_the_bank_received(shop: Shop, spans: Spans, counter: Counter) -> None:
    effect_id = proposed(shop)
    post = spans.named("POST /api/v1/runs/<uuid:id>/effects")
    Working().ends()
    attempt, call = spans.named("attempt act"), spans.named(f"POST 127.0.0.1:{counter.port}")
    assert {trace_of(span) for span in (post, spans.named("move propose"), attempt, call)} == {trace_of(post)}
    assert above(spans.named("move propose")) == post.context.span_id
    assert above(call) == attempt.context.span_id
    assert (
        counter.received[0]["traceparent"]
        == f"00-{trace_of(post)}-{call.context.span_id:016x}-{int(call.context.trace_flags):02x}"
    )
    assert said(attempt)["counterfoil.effect"] == effect_id
    assert said(call)["http.response.status_code"] == 201
    assert said(call)["counterfoil.outcome"] == said(attempt)["counterfoil.outcome"] == "succeeded"
    assert [f"{link.context.trace_id:032x}" for link in spans.named("claim").links] == [trace_of(post)]


def test_the_agents_own_trace_is_gone_on_with(shop: Shop, spans: Spans, counter: Counter) -> None:
    proposed(shop, traceparent=THEIRS)
    Working().ends()
    assert counter.received[0]["traceparent"].split("-")[1] == THEIRS.split("-")[1]


@pytest.mark.parametrize(
    "nonsense", ["", "x", THEIRS + "-1", THEIRS.replace("0af7", "zzzz"), "00-" + "0" * 32 + "-" + "0" * 16 + "-01"]
)
def test_a_traceparent_that_says_nothing_begins_a_trace_of_ours(shop: Shop, spans: Spans, nonsense: str) -> None:
    proposed(shop, traceparent=nonsense)
    assert spans.named("POST /api/v1/runs/<uuid:id>/effects").parent is None


def test_the_decision_is_linked_to_the_trace_that_asked(shop: Shop, spans: Spans) -> None:
    proposed(shop, "500")
    post = spans.named("POST /api/v1/runs/<uuid:id>/effects")
    with inside():
        request = Effect.objects.select_related("request").get().request
    assert request is not None
    shop.approve(request)
    decision = spans.named("move approve")
    assert [f"{link.context.trace_id:032x}" for link in decision.links] == [trace_of(post)]
    assert trace_of(decision) != trace_of(post)


def test_a_request_that_fails_is_a_failed_span_and_a_refused_one_is_not(
    agent: Caller, acme: Company, spans: Spans, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent.get(f"runs/{acme.tenant.pk}")
    assert (
        spans.named("GET /api/v1/runs/<uuid:id>").status.is_ok
        or spans.named("GET /api/v1/runs/<uuid:id>").status.is_unset
    )
    spans.exporter.clear()

    def fails(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("runs.api.queries.run", fails)
    agent.get(f"runs/{acme.tenant.pk}")
    assert not spans.named("GET /api/v1/runs/<uuid:id>").status.is_ok


def test_lines_name_the_trace(agent: Caller, spans: Spans, heard: Heard) -> None:
    agent.get("runs")
    assert heard.of("console.access")[0]["trace"] == trace_of(spans.named("GET /api/v1/runs"))


def test_switched_off_nothing_is_traced_and_nothing_goes_along(shop: Shop, counter: Counter) -> None:
    assert not traces.on()
    proposed(shop, traceparent=THEIRS)
    Working().ends()
    assert "traceparent" not in counter.received[0]
    with inside():
        assert Effect.objects.get().traceparent == ""


@pytest.mark.parametrize(
    ("variables", "asked"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c:4318"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, False),
        ({"OTEL_SDK_DISABLED": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, False),
        ({"OTEL_SERVICE_NAME": "x"}, False),
    ],
)
def test_the_standard_variables_ask_for_traces(variables: dict[str, str], asked: bool) -> None:
    assert traces.asked_for(variables) is asked


def test_asked_for_and_not_installed_is_said_with_the_remedy(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "otlp")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    assert traces.start("web") is False
    assert not traces.on()
    (line,) = heard.of("console.telemetry.traces")
    assert line["level"] == "error"
    assert "extra `traces`" in line["event"]


def test_asked_for_and_installed_it_traces_and_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console")
    assert traces.start("web") is True
    traces.stop()
    assert not traces.on()


def test_effects_that_come_with_their_run_are_traced_alike(shop: Shop, spans: Spans) -> None:
    with traces.span("outer"):
        run = shop.accept(draft("a"))
    assert shop.effect(run, "a").traceparent[3:35] == trace_of(spans.named("outer"))
