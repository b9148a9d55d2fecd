"""What agents and people do themselves is paused too: no permit is given, and what is held goes on (R-C2)."""

from collections.abc import Callable

import pytest

from runs.models import Effect
from runs.pausing.pausing import Subject
from runs.pausing.standing import Paused
from tests.halting import EMERGENCY, EVERYTHING, lift, of_operation, of_run, of_type, pause
from tests.permits import AGREED, DONE, beat, begin, ready, report, with_permits
from tests.shop import Shop

SCOPES: list[Callable[[Effect], Subject]] = [
    lambda effect: of_run(effect.run_id),
    lambda effect: of_operation(effect.operation_name),
    lambda effect: of_type(),
    lambda effect: EVERYTHING,
    lambda effect: EMERGENCY,
]


@pytest.fixture
def bench(shop: Shop) -> Shop:
    """The shop, with what its agent and its people do themselves."""
    return with_permits(shop)


@pytest.mark.parametrize("scope", SCOPES, ids=["run", "operation", "run type", "tenant", "emergency"])
@pytest.mark.parametrize(("operation", "by"), [("label", ""), ("phone", "ann")])
def test_no_permit_is_given_for_what_is_paused(
    bench: Shop, operation: str, by: str, scope: Callable[[Effect], Subject]
) -> None:
    effect = ready(bench, operation)
    who = bench.actor(by) if by else bench.bot
    standing = pause(bench, scope(effect), reason="The printer burns.")
    with pytest.raises(Paused) as refused:
        begin(who, effect)
    assert (refused.value.facts["reason"], refused.value.facts["state"]) == ("The printer burns.", "ready")
    assert bench.attempts(effect.run_id, "a") == []
    lift(bench, standing)
    assert begin(who, effect)["number"] == 1


def test_what_is_held_may_be_kept_alive_and_reported(bench: Shop) -> None:
    labelled, called = ready(bench), ready(bench, "phone")
    permits = begin(bench.bot, labelled), begin(bench.actor("ann"), called)
    pause(bench, EMERGENCY)
    beat(bench.bot, permits[0])
    report(bench.bot, permits[0], result=DONE)
    report(bench.actor("ann"), permits[1], result=AGREED, evidence="I called.")
    assert (bench.states(labelled.run_id), bench.states(called.run_id)) == ({"a": "succeeded"}, {"a": "succeeded"})
