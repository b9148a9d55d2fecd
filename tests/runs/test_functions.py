"""Functions that carry out effects (R-C2): what they say is believed, what they do not say in our words is unknown (R-B2, R-F1)."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any

import pytest

from console.exact import decode
from console.exact.value import Object
from runs import functions, jobs
from runs.functions import (
    Absent,
    Accepted,
    Call,
    Denied,
    Done,
    Invalid,
    NotDone,
    Overloaded,
    Partial,
    Pending,
    Rejected,
    Unknown,
    function,
)
from runs.lines import Line
from runs.settling import Settlement, settle
from runs.workshop import ContractWorkshop
from tests import clock, databases
from tests.record import told
from tests.runs.shifting import Working
from tests.shop import Shop, draft
from tests.work import WORKER, claim, claimed

PRINT = """
apiVersion: counterfoil/v1
kind: Operation
name: print
version: {version}
summary: "Print {{amount}} for {{to}}"
consequential: false
access: {access}
target: "payee:{{to}}"
arguments:
  type: object
  required: [to, amount]
  properties:
    to: {{type: string, maxLength: 64}}
    amount: {{type: string, format: decimal, exclusiveMinimum: "0"}}
key: {{scope: run, retention_seconds: 2592000, equivalence: "same operation, target and arguments"}}
executor: python
python:
  function: print
  attempt_timeout_seconds: {timeout}
  outcomes: [succeeded, accepted, partial, rejected, denied, invalid]
  secrets: {secrets}
  result: {{type: object, properties: {{label: {{type: string, maxLength: 100000}}, weight: {{type: string, format: decimal}}}}}}
  status: {{function: find, attempt_timeout_seconds: 5, every_seconds: 5, objective_seconds: 300}}
retry: {{retryable: [transient, overload, not_sent], non_retryable: [rejected], attempts: 3, total_seconds: 120,
  backoff: {{base_seconds: 0.5, factor: 2, max_seconds: 30}}}}
deadline_seconds: {deadline}
"""


def print_contract(**given: Any) -> str:
    """Write the contract of a function."""
    terms = {"version": 1, "access": "write", "timeout": 30, "secrets": "[]", "deadline": 3600}
    return PRINT.format(**(terms | given))


@pytest.fixture
def press(shop: Shop) -> Iterator[Shop]:
    """The shop with a contract that names the functions `print` and `find`; `find` finds nothing."""
    applied = shop.apply(print_contract())
    assert not applied[0].faults, applied[0]
    function("find")(_nothing)
    yield shop
    functions.forget("print")
    functions.forget("find")


def _nothing(call: Call) -> Absent:
    return Absent()


def does(act: Callable[[Call], Any], name: str = "print") -> None:
    """Register what is to be done."""
    functions.forget(name)
    function(name)(act)


def work(threads: int = 4) -> list[Settlement | None]:
    """Claim what is due, carry it out and write down what came of it."""
    return asyncio.run(_work(claim(), threads))


async def _work(rows: Any, threads: int) -> list[Settlement | None]:
    url = databases.variables()["DATABASE_WORKER_URL"]
    async with ContractWorkshop(threads) as workshop, Line(url, WORKER) as line:
        await workshop.prepare(line, list(rows))
        answers = await asyncio.gather(*(workshop.perform(row) for row in rows))
        await settle(line, [answer for answer in answers if answer is not None], WORKER)
        return list(answers)


def once(threads: int = 4) -> Settlement:
    """Carry out the one thing that is due."""
    (answer,) = work(threads)
    assert answer is not None
    return answer


def evidence(shop: Shop, run: Any) -> Object:
    """Read what was kept of the last attempt."""
    kept: Any = decode(shop.attempts(run, "a")[-1].evidence or "")
    return kept


def both(answer: Callable[[Call], Any]) -> list[Callable[[Call], Any]]:
    """Give it as a function that is called in a thread, and as one that is awaited."""

    def called(call: Call) -> Any:
        return answer(call)

    async def awaited(call: Call) -> Any:
        await asyncio.sleep(0)
        return answer(call)

    return [called, awaited]


def raises(fault: BaseException) -> Callable[[Call], Any]:
    """Make a function that raises."""

    def act(call: Call) -> Any:
        raise fault

    return act


# What a function is called with, and what it says


@pytest.mark.parametrize("kind", [0, 1], ids=["sync", "async"])
def test_a_function_gets_exactly_what_was_permitted(press: Shop, kind: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERFOIL_SECRET_PRESS_TOKEN", "very-secret-token")
    press.apply(print_contract(version=2, secrets="[press-token]"))
    calls: list[Call] = []

    def act(call: Call) -> Done:
        calls.append(call)
        return Done({"label": "L-1", "weight": Decimal("1.50")}, reference="L-1")

    does(both(act)[kind])
    run = press.accept(draft("a", "12.50", "print"))
    once()
    effect, (call,) = press.effect(run, "a"), calls
    assert (effect.state, effect.result, effect.operation_reference) == (
        "succeeded",
        '{"label":"L-1","weight":"1.5"}',
        "L-1",
    )
    assert (call.arguments, call.target, call.effect_key) == (
        {"to": "bob", "amount": "12.5"},
        "payee:bob",
        f"cf-{effect.pk}",
    )
    assert (call.fence, call.attempt, call.deadline_at, call.operation) == (
        effect.fence,
        1,
        effect.deadline_at,
        "print",
    )
    assert call.secrets == {"press-token": "very-secret-token"}
    assert evidence(press, run) == {
        "function": "print", "sent": True, "returned": "Done", "reference": "L-1", "result": '{"label":"L-1","weight":"1.5"}',
    }  # fmt: skip


class Mute:
    """It cannot be shown."""

    def __repr__(self) -> str:
        raise ValueError("No words.")


class MuteError(Exception):
    """It cannot be put into words."""

    def __str__(self) -> str:
        raise ValueError("No words.")


class Half(Rejected):
    """It was made without what it is made of."""

    def __init__(self) -> None:
        pass


def nested(levels: int) -> dict[str, Any]:
    """Give an object inside an object, and so on."""
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"label": found}
    return found


SAID: dict[str, tuple[Callable[[Call], Any], str, str]] = {
    "is rejected": (raises(Rejected("No paper.")), "rejected", "rejected"), "is denied": (raises(Denied("Not you.")), "denied", "rejected"),
    "makes no sense": (raises(Invalid("What?")), "invalid", "failed"), "is not done": (raises(NotDone("Later.")), "transient", "ready"),
    "has too much to do": (raises(Overloaded("Later.")), "overload", "ready"),
    "cannot tell": (raises(Unknown("Who knows.")), "unknown", "unknown"),
    "does a part": (lambda call: Partial("Two of three.", result={"label": "L-1"}), "partial", "partial"),
    "takes it": (lambda call: Accepted(reference="job-7"), "accepted", "accepted"),
    "breaks": (raises(ValueError("Oh.")), "unknown", "unknown"),
    "gives up the ghost": (raises(SystemExit(3)), "unknown", "unknown"),
    "is cancelled from within": (raises(asyncio.CancelledError()), "unknown", "unknown"),
    "says nothing": (lambda call: None, "unknown", "unknown"),
    "says yes": (lambda call: True, "unknown", "unknown"), "says what it may not": (lambda call: Pending(), "unknown", "unknown"),
    "gives what does not fit": (lambda call: Done({"label": 7}), "unknown", "unknown"),
    "gives what cannot be kept": (lambda call: Done({"weight": 1.5}), "unknown", "unknown"),
    "gives far too much": (lambda call: Done({"label": "x" * 70_000}), "unknown", "unknown"),
    "gives a list": (lambda call: Done([1, 2]), "unknown", "unknown"),  # type: ignore[arg-type]
    "gives a number": (lambda call: Done(5), "unknown", "unknown"),  # type: ignore[arg-type]
    "gives what cannot be shown": (lambda call: Done({"label": Mute()}), "unknown", "unknown"),
    "returns what cannot be shown": (lambda call: Mute(), "unknown", "unknown"),
    "gives far too deep": (lambda call: Done(nested(3000)), "unknown", "unknown"),
    "returns far too deep": (lambda call: nested(3000), "unknown", "unknown"),
    "breaks without words": (raises(MuteError()), "unknown", "unknown"),
    "is refused by halves": (raises(Half()), "unknown", "unknown"),
    "is refused for no words": (raises(Rejected(MuteError())), "unknown", "unknown"),  # type: ignore[arg-type]
    "names it endlessly": (lambda call: Done(reference="x" * 4001), "unknown", "unknown"),
    "names it by what cannot be shown": (lambda call: Done(reference=Mute()), "unknown", "unknown"),  # type: ignore[arg-type]
}  # fmt: skip


@pytest.mark.parametrize("kind", [0, 1], ids=["sync", "async"])
@pytest.mark.parametrize("how", SAID)
def test_what_it_says_in_our_words_is_believed_and_all_else_may_have_happened(press: Shop, how: str, kind: int) -> None:
    act, outcome, state = SAID[how]
    does(both(act)[kind])
    run = press.accept(draft("a", operation="print"))
    assert once().outcome == outcome
    effect, attempt = press.effect(run, "a"), press.attempts(run, "a")[-1]
    assert (effect.state, attempt.outcome, attempt.sent) == (state, outcome, True)
    assert evidence(press, run)["function"] == "print"


def test_a_read_that_breaks_is_merely_transient(press: Shop) -> None:
    press.apply(print_contract(version=2, access="read"))
    does(raises(ValueError("Oh.")))
    run = press.accept(draft("a", operation="print"))
    assert (once().outcome, press.states(run)) == ("transient", {"a": "ready"})


@pytest.mark.parametrize("odd", [Done(nested(3000)), Done([1, 2]), Mute()], ids=["deep", "list", "mute"])  # type: ignore[arg-type]
def test_a_read_whose_answer_cannot_be_read_is_merely_transient(press: Shop, odd: Any) -> None:
    press.apply(print_contract(version=2, access="read"))
    does(lambda call: odd)
    run = press.accept(draft("a", operation="print"))
    assert (once().outcome, press.states(run)) == ("transient", {"a": "ready"})


def test_what_cannot_be_read_is_named_by_its_type(press: Shop) -> None:
    does(lambda call: Mute())
    run = press.accept(draft("a", operation="print"))
    once()
    assert press.effect(run, "a").state_reason == "The function returned Mute, which says nothing."
    assert evidence(press, run)["returned"] == "Mute, which cannot be shown"

    does(raises(MuteError()))
    run = press.accept(draft("b", operation="print"))
    once()
    assert press.effect(run, "b").state_reason == "MuteError, whose words cannot be read"


@pytest.mark.parametrize(
    ("given", "kept"), [(None, ""), ("", ""), (4711, "4711"), ("x" * 4000, "x" * 4000)], ids=["none", "empty", "number", "long"]
)  # fmt: skip
def test_a_reference_is_kept_as_text(press: Shop, given: Any, kept: str) -> None:
    does(lambda call: Done(reference=given))
    run = press.accept(draft("a", operation="print"))
    assert (once().outcome, press.effect(run, "a").operation_reference) == ("succeeded", kept)
    assert evidence(press, run).get("reference", "") == kept


@pytest.mark.parametrize(
    "wished", ["soon", float("inf"), float("nan"), -5, 10**400, Decimal("sNaN"), True, Mute()], ids=lambda wished: type(wished).__name__
)  # fmt: skip
def test_a_wish_that_is_no_span_is_passed_over_and_nothing_was_done(press: Shop, wished: Any) -> None:
    does(raises(NotDone("Later.", retry_after=wished)))
    run = press.accept(draft("a", operation="print"))
    answer = once()
    assert (answer.outcome, answer.reason, press.states(run)) == ("transient", "Later.", {"a": "ready"})
    with clock.at(2):
        assert claimed()["number"] == 2


def test_a_wish_beyond_the_deadline_is_no_reason_to_doubt_that_nothing_was_done(press: Shop) -> None:
    does(raises(NotDone("Later.", retry_after=1e300)))
    run = press.accept(draft("a", operation="print"))
    assert once().outcome == "transient"
    effect = press.effect(run, "a")
    assert (effect.state, effect.state_reason) == (
        "failed",
        "Later. The other side asks for a wait beyond the deadline.",
    )


def test_the_wish_to_be_left_alone_for_a_while_is_heeded(press: Shop) -> None:
    does(raises(NotDone("Later.", retry_after=60)))
    press.accept(draft("a", operation="print"))
    once()
    with clock.at(45):
        assert claim() == []
    with clock.at(61):
        assert claimed()["number"] == 2


def test_the_secret_is_handed_on_and_never_kept(press: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERFOIL_SECRET_PRESS_TOKEN", "very-secret-token")
    press.apply(print_contract(version=2, secrets="[press-token]"))

    def act(call: Call) -> Any:
        raise Rejected(f"No such token: {call.secrets['press-token']}", reference=call.secrets["press-token"])

    does(act)
    run = press.accept(draft("a", operation="print"))
    once()
    assert press.effect(run, "a").state_reason == "No such token: [secret]"
    assert "very-secret-token" not in str(press.attempts(run, "a")[0].evidence) + str(told(f"run:{run}"))


# Time


def test_an_awaited_function_that_outlives_its_time_is_cancelled_and_unknown(press: Shop) -> None:
    cancelled = threading.Event()

    async def act(call: Call) -> Done:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return Done()

    does(act)
    press.apply(print_contract(version=2, timeout=1))
    run = press.accept(draft("a", operation="print"))
    assert (once().outcome, press.states(run), cancelled.is_set()) == ("unknown", {"a": "unknown"}, True)


def test_what_a_function_says_when_its_time_is_over_is_heard(press: Shop) -> None:
    async def act(call: Call) -> Done:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            raise NotDone("Stopped in time; nothing was sent.") from None
        return Done()

    does(act)
    press.apply(print_contract(version=2, timeout=1))
    press.accept(draft("a", operation="print"))
    assert once().outcome == "transient"


def test_a_thread_that_outlives_its_time_is_abandoned_counts_and_is_unknown(press: Shop) -> None:
    let_go, called = threading.Event(), []

    def act(call: Call) -> Done:
        called.append(call.effect_id)
        let_go.wait(60)
        return Done()

    does(act)
    press.apply(print_contract(version=2, timeout=3))
    runs = [press.accept(draft("a", operation="print")) for _ in range(3)]

    outcomes = sorted(
        answer.outcome for answer in work(threads=2) if answer
    )  # the loop ends although two threads have not
    assert (outcomes, len(called)) == (["not_sent", "unknown", "unknown"], 2)
    assert sorted(press.states(run)["a"] for run in runs) == ["ready", "unknown", "unknown"]
    let_go.set()


def test_a_thread_that_has_ended_makes_room_again(press: Shop) -> None:
    def act(call: Call) -> Done:
        time.sleep(0.01)
        return Done()

    does(act)
    runs = [press.accept(draft("a", operation="print")) for _ in range(6)]
    assert {answer.outcome for answer in work(threads=1) if answer} == {"succeeded"}
    assert [press.states(run) for run in runs] == [{"a": "succeeded"}] * 6


def test_an_attempt_lasts_no_longer_than_to_the_deadline(press: Shop) -> None:
    press.apply(print_contract(version=2, timeout=1800, deadline=3600))
    does(lambda call: Done())
    run = press.accept(draft("a", operation="print"))

    async def act(call: Call) -> Done:
        await asyncio.sleep(60)
        return Done()

    does(act)
    with clock.at(3595):
        assert (once().outcome, press.states(run)) == ("unknown", {"a": "unknown"})


# Finding out


def test_what_became_of_it_is_found_out_by_the_status_function(press: Shop) -> None:
    seen: list[Call] = []

    def find(call: Call) -> Any:
        seen.append(call)
        return Pending() if len(seen) == 1 else Done({"label": "L-1"}, reference="L-1")

    does(lambda call: Accepted(reference="job-7"))
    does(find, "find")
    run = press.accept(draft("a", operation="print"))
    once()
    for seconds in (6, 60):
        with clock.at(seconds):
            answer = once()
    effect = press.effect(run, "a")
    assert (answer.outcome, effect.state, effect.result, [call.reference for call in seen]) == (
        "succeeded", "succeeded", '{"label":"L-1"}', ["job-7", "job-7"],
    )  # fmt: skip


@pytest.mark.parametrize(
    "says", [raises(ValueError("Oh.")), lambda call: Absent(), lambda call: None, lambda call: Accepted()]
)
def test_a_status_function_that_finds_nothing_leaves_it_unknown(press: Shop, says: Any) -> None:
    does(raises(ValueError("Oh.")))
    does(says, "find")
    run = press.accept(draft("a", operation="print"))
    once()
    with clock.at(10):
        once()
    assert press.states(run) == {"a": "unknown"}
    assert [attempt.kind for attempt in press.attempts(run, "a")] == ["act", "status"]


# Whose it is


def test_a_worker_without_the_function_leaves_it_to_others_before_it_claims(press: Shop) -> None:
    run = press.accept(draft("a", operation="print"))
    working = Working()
    working.ends()
    assert (press.states(run), press.attempts(run, "a")) == ({"a": "ready"}, [])


def test_a_worker_without_the_secret_leaves_it_to_others(press: Shop) -> None:
    press.apply(print_contract(version=2, secrets="[press-token]"))
    does(lambda call: Done())
    run = press.accept(draft("a", operation="print"))
    assert once().outcome == "not_sent"
    assert press.states(run) == {"a": "ready"}


def test_a_shift_carries_out_functions_and_goes_home(press: Shop) -> None:
    does(lambda call: Done({"label": call.target}))
    runs = [press.accept(draft("a", operation="print")) for _ in range(5)]
    assert Working().ends() == 5
    assert [press.effect(run, "a").result for run in runs] == ['{"label":"payee:bob"}'] * 5


def test_modules_are_imported_by_their_names_and_a_broken_one_harms_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("COUNTERFOIL_FUNCTIONS", "tests.runs.nowhere, tests.runs.registering")
    jobs.import_functions()
    assert functions.registered("registering") is not None
    assert "tests.runs.nowhere" in caplog.text


def test_a_name_stands_for_one_function() -> None:
    @function("one-name")
    def first(call: Call) -> Done:
        return Done()

    function("one-name")(first)
    with pytest.raises(functions.NameTaken):

        @function("one-name")
        def second(call: Call) -> Done:
            return Done()

    functions.forget("one-name")
