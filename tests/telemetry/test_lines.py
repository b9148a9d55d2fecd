"""Every line says when, how grave, who and what it is about, in one form, whoever wrote it."""

import io
import logging
import logging.config
import warnings

import pytest
import structlog

from console.telemetry import context, lines
from tests.telemetry.hearing import Heard, listening

FOREIGN = ["django.request", "rq.worker", "uvicorn.error", "aiohttp.client", "asyncio"]


@pytest.mark.parametrize("name", FOREIGN)
def test_other_peoples_lines_go_the_same_way(heard: Heard, name: str) -> None:
    with context.about(request="r-1", tenant="t-1"):
        logging.getLogger(name).error("it broke: %s", 7)
    (line,) = heard.of(name)
    assert list(line) == ["time", "level", "logger", "event", "request", "tenant"]
    assert line["event"] == "it broke: 7"
    assert line["level"] == "error"
    assert line["time"].endswith("Z")


def test_our_own_lines_say_their_facts_by_name(heard: Heard) -> None:
    structlog.stdlib.get_logger("console.test").warning("found", count=3)
    (line,) = heard.of("console.test")
    assert (line["event"], line["count"], line["level"]) == ("found", 3, "warning")


def test_a_fault_is_told_in_the_same_line(heard: Heard) -> None:
    try:
        raise ValueError("no such thing")
    except ValueError:
        logging.getLogger("console.test").exception("failed")
    (line,) = heard.of("console.test")
    assert "ValueError: no such thing" in line["exception"]
    assert "exc_info" not in line


def test_ids_end_with_the_work_they_belong_to_and_the_worker_stays(heard: Heard) -> None:
    log = logging.getLogger("console.test")
    with context.about():
        context.bind(worker="w-1")
        with context.about(request="r-1"):
            context.bind(tenant="t-1", run="u-1", effect="e-1", attempt="a-1")
            log.info("inside")
        log.info("after")
    inside, after = heard.of("console.test")
    assert [inside[name] for name in ("request", "tenant", "run", "effect", "attempt", "worker")] == [
        "r-1", "t-1", "u-1", "e-1", "a-1", "w-1",
    ]  # fmt: skip
    assert "request" not in after
    assert after["worker"] == "w-1"


def test_a_line_break_in_a_message_makes_no_second_line(heard: Heard) -> None:
    logging.getLogger("console.test").info('one\n{"level":"info","event":"forged"}')
    assert len(heard.lines) == 1


def test_warnings_of_python_are_lines_too(heard: Heard) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)
        logging.captureWarnings(capture=True)  # anew, inside of pytest's own listening
        warnings.warn("old", DeprecationWarning, stacklevel=1)
    assert "DeprecationWarning: old" in heard.of("py.warnings")[0]["event"]


def test_on_a_terminal_a_line_reads_as_a_sentence_with_what_it_is_about() -> None:
    hearing = listening(lines.PLAIN)
    heard = next(hearing)
    with context.about(run="u-1"):
        logging.getLogger("runs.shift").warning("answers wait")
    list(hearing)
    time, _, rest = heard.getvalue().strip().partition(" ")
    assert rest == "WARNING answers wait  [runs.shift run=u-1]"
    assert time.count(":") == 2


def test_the_form_is_chosen_or_fits_where_it_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert lines.form_for("auto") == lines.JSON
    assert lines.form_for("plain") == lines.PLAIN


def test_nobody_writes_past_the_chain() -> None:
    logging.getLogger("uvicorn").addHandler(logging.NullHandler())
    logging.config.dictConfig(lines.settings(lines.JSON, "INFO", access=True))
    assert [name for name in lines.OTHERS if logging.getLogger(name).handlers] == []
    assert all(logging.getLogger(name).propagate for name in lines.OTHERS)
