"""The glass is broken by few, for a while, in front of everybody, and somebody else looks at it afterwards (point 6)."""

from typing import Any
from uuid import uuid4

import pytest

from approvals.breaking import ending, queries
from approvals.breaking.refusals import (
    BadTimeBox,
    GlassReviewed,
    GlassStillOpen,
    NoGlassToBreak,
    NotAmongBreakers,
    NotTheirReview,
    NotYoursToClose,
    TargetNotTyped,
)
from approvals.breaking.typing import differences, is_typed, unusual
from approvals.deciding.refusals import AlreadyResolved, Expired, PolicyChanged, SeparationOfDuties, StaleView
from approvals.models import Decision
from console.http.reasons import ReasonMissing
from console.http.refusals import NotFound, ReasonTooLong
from console.identity.step_up import StepUpNeeded
from console.notices.models import Copy
from runs.pausing.standing import EmergencyStop
from tests import clock
from tests.breaking.glass import POLICY, asked, break_it, broken, close, review, stored, with_glass
from tests.cast import inside
from tests.halting import EMERGENCY, pause
from tests.record import findings, kinds
from tests.shop import Shop
from tests.work import claim, claimed, follow, settle, sweep


@pytest.fixture
def house(shop: Shop) -> Shop:
    """The shop with a glass to break."""
    return with_glass(shop)


def test_it_is_released_for_a_while_and_is_no_vote(house: Shop) -> None:
    run, request = asked(house)
    receipt = break_it(house, request, "dora")
    now = stored(request)
    glass = broken(request)
    assert (receipt["receipt"], now.state, now.break_glass_id, now.use_by) == (
        "glass_broken",
        "approved",
        glass.pk,
        glass.ends_at,
    )
    with inside():
        assert not Decision.objects.exists()
    assert kinds(request.stream())[-1] == "request.glass_broken"
    follow()
    assert house.states(run) == {"dear": "ready"}
    assert findings() == []


def test_its_time_is_no_longer_than_an_approval_would_be_used(house: Shop) -> None:
    house.apply(POLICY.format(version=3).replace("use_within_seconds: 900", "use_within_seconds: 120"))
    _, request = asked(house)
    break_it(house, request)
    glass = broken(request)
    used_by = stored(request).use_by
    assert used_by is not None
    assert (glass.ends_at - glass.opened_at).total_seconds() == 300
    assert (used_by - glass.opened_at).total_seconds() == 120


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        ({"target": "payee:b\u043eb"}, TargetNotTyped), ({"target": "payee:bob "}, TargetNotTyped), ({"target": ""}, TargetNotTyped),
        ({"target": "x" * 5000}, TargetNotTyped), ({"target": "PAYEE:BOB"}, TargetNotTyped), ({"reason": "  "}, ReasonMissing),
        ({"reason": "x" * 2001}, ReasonTooLong), ({"seconds": 601}, BadTimeBox), ({"seconds": 59}, BadTimeBox),
        ({"shown_digest": "00" * 32}, StaleView),
    ],
)  # fmt: skip
def test_what_does_not_fit_breaks_nothing(house: Shop, said: dict[str, Any], refusal: type[Exception]) -> None:
    _, request = asked(house)
    with pytest.raises(refusal):
        break_it(house, request, **said)
    assert stored(request).state == "pending"


def test_it_says_where_the_typed_target_differs(house: Shop) -> None:
    _, request = asked(house)
    with pytest.raises(TargetNotTyped) as refused:
        break_it(house, request, target="payee:b\u043eb")
    assert refused.value.facts["differs"] == ["8: CYRILLIC SMALL LETTER O in place of LATIN SMALL LETTER O"]


def test_accents_are_the_same_however_they_are_composed() -> None:
    assert is_typed("cafe\u0301", "caf\u00e9")
    assert not is_typed("cafe", "caf\u00e9")
    assert differences("ab", "abc") == ["3: nothing in place of LATIN SMALL LETTER C"]
    assert differences("a" * 9, "b" * 9)[5:] == ["and 4 more"]
    assert [letter.name for letter in unusual("a\u202eb\u00df")] == [
        "RIGHT-TO-LEFT OVERRIDE",
        "LATIN SMALL LETTER SHARP S",
    ]


def test_it_always_takes_a_fresh_proof(house: Shop) -> None:
    _, request = asked(house)
    with pytest.raises(StepUpNeeded):
        break_it(house, request, proven=False)


def test_only_who_the_policy_names_breaks_it_and_never_the_owner(house: Shop, rival: Shop) -> None:
    _, request = asked(house)
    with pytest.raises(NotAmongBreakers):
        break_it(house, request, "oscar")
    with pytest.raises(SeparationOfDuties):
        break_it(house, request, "ben")
    with pytest.raises(NotFound):
        break_it(rival, request, "dora")
    house.change("ann", active=False)
    with pytest.raises(NotAmongBreakers):
        break_it(house, request)
    assert stored(request).state == "pending"


def test_an_agent_breaks_nothing(house: Shop) -> None:
    from runs.pausing import deciding

    _, request = asked(house)
    with pytest.raises(SeparationOfDuties):
        deciding.break_glass(
            house.bot, request.pk, shown_digest=request.subject_digest.hex(), target=request.target, reason="x", seconds=60, key="k"
        )  # fmt: skip


def test_there_is_no_glass_where_the_policy_names_none(house: Shop) -> None:
    _, request = asked(house, "250")
    with pytest.raises(NoGlassToBreak):
        break_it(house, request)


def test_deny_wins_and_so_do_the_clock_and_the_policy(house: Shop) -> None:
    _, denied = asked(house)
    house.deny(denied, "amir")
    with pytest.raises(AlreadyResolved):
        break_it(house, denied)
    _, late = asked(house)
    with clock.at(1801), pytest.raises(Expired):
        break_it(house, late)
    _, judged = asked(house)
    house.apply(POLICY.format(version=3))
    with pytest.raises(PolicyChanged):
        break_it(house, judged)


def test_the_emergency_stop_wins(house: Shop) -> None:
    _, request = asked(house)
    pause(house, EMERGENCY)
    with pytest.raises(EmergencyStop):
        break_it(house, request)


def test_it_is_broken_once_and_the_second_is_told_who(house: Shop) -> None:
    _, request = asked(house)
    first = break_it(house, request, key="the-form")
    assert break_it(house, request, key="the-form") == {**first, "replayed": True}
    with pytest.raises(AlreadyResolved) as refused:
        break_it(house, request, "amir")
    assert (refused.value.facts["by"], refused.value.facts["verdict"]) == ("Ann Okafor", "break_glass")


def test_everybody_else_is_told(house: Shop) -> None:
    _, request = asked(house)
    break_it(house, request)
    with inside():
        told = Copy.objects.filter(notice__kind="break_glass.broken").values_list("member__user__name", flat=True)
        assert sorted(told) == ["Amir Saleh", "Ben Osei", "Dora Lindqvist", "Oscar Wren"]


def test_what_was_not_begun_when_the_time_is_over_lapses(house: Shop) -> None:
    run, request = asked(house)
    break_it(house, request)
    with clock.at(301):
        assert claim() == []
        found = sweep()
        assert found["broken glass ended"] == 1
        assert stored(request).state == "lapsed"
        assert house.states(run) == {"dear": "lapsed"}
        assert sweep() == {}
    glass = broken(request)
    assert glass.ended_at == glass.ends_at
    assert findings() == []


def test_no_later_attempt_begins_when_the_time_is_over_although_no_clock_has_passed(house: Shop) -> None:
    run, request = asked(house)
    break_it(house, request)
    follow()
    settle(claimed(), "overload", delay=0)
    with clock.at(301):
        assert claim() == []
        effect = house.effect(run, "dear")
        assert (effect.state, effect.state_reason) == ("lapsed", "glass_closed")


def test_it_is_closed_by_hand_and_then_nothing_more_begins(house: Shop, rival: Shop) -> None:
    run, request = asked(house)
    break_it(house, request)
    glass = broken(request)
    with pytest.raises(NotYoursToClose):
        close(house, glass, "oscar")
    with pytest.raises(NotFound):
        close(rival, glass, "dora")
    assert close(house, glass, "amir")["receipt"] == "glass_closed"
    assert close(house, glass, "amir")["receipt"] == "unchanged"
    follow()
    assert claim() == []
    assert (stored(request).state, house.states(run)) == ("lapsed", {"dear": "lapsed"})
    assert findings() == []


def test_somebody_else_reviews_it_afterwards(house: Shop, rival: Shop) -> None:
    _, request = asked(house)
    break_it(house, request)
    glass = broken(request)
    with pytest.raises(GlassStillOpen):
        review(house, glass)
    with clock.at(301):
        for nobody in ("ann", "ben", "oscar"):
            with pytest.raises(NotTheirReview):
                review(house, glass, nobody)
        with pytest.raises(NotFound):
            review(rival, glass, "dora")
        with pytest.raises(ReasonMissing):
            review(house, glass, text=" ")
        with inside():
            assert queries.count_to_review(house.tenant.pk, 10) == 1
        review(house, glass, "dora", justified=False, text="It could have waited.")
        with pytest.raises(GlassReviewed):
            review(house, glass, "amir")
    with inside():
        assert queries.count_to_review(house.tenant.pk, 10) == 0
    said = broken(request)
    assert (said.justified, said.review, said.reviewed_by_id) == (
        False,
        "It could have waited.",
        house.members["dora"].pk,
    )
    assert kinds(request.stream())[-2:] == ["request.glass_ended", "request.glass_reviewed"]
    assert findings() == []


def test_the_end_is_written_once_however_many_clocks_there_are(house: Shop) -> None:
    from console.database import crossing_tenants, transaction
    from runs.sweep import CLOCK

    _, request = asked(house)
    break_it(house, request)
    with clock.at(301), crossing_tenants():
        for expected in (1, 0):
            with transaction(None):
                assert ending.end_due(CLOCK, 10) == expected
    assert kinds(request.stream()).count("request.glass_ended") == 1


def test_a_form_that_was_used_for_another_target_is_refused(house: Shop) -> None:
    from console.http.refusals import KeyReused

    _, request = asked(house)
    key = f"key-{uuid4()}"
    break_it(house, request, key=key)
    with pytest.raises(KeyReused):
        break_it(house, request, key=key, seconds=120)


def test_a_worker_begins_it_while_the_glass_is_open(house: Shop) -> None:
    _, request = asked(house)
    break_it(house, request)
    follow()
    assert [row["key"] for row in claim()] == ["dear"]
    assert stored(request).state == "consumed"
    assert findings() == []
