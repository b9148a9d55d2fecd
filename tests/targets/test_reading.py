"""The state of the target: read when it is asked, looked at again before it is decided, and once more before it is acted on (DB-03)."""

import pytest

from approvals.deciding.refusals import StaleView
from approvals.models import Request
from approvals.target import HasNoReader, LookAgain, read_again
from console.database import rows
from tests.cast import inside, later
from tests.record import kinds
from tests.shop import Shop, draft
from tests.superuser import hand
from tests.targets.reading import BOB, CONTRACT, MAX_AGE, asked, keep, read, say_yes, stored, take, with_reader
from tests.work import claim, claimed, follow, settle, sweep


@pytest.fixture
def shop(shop: Shop) -> Shop:
    """The shop, whose payments have a reader of the payee."""
    return with_reader(shop)


def test_what_is_asked_is_read_at_once(shop: Shop) -> None:
    _, request = asked(shop)
    assert (request.read_within_seconds, request.target_version, request.target_read_at) == (MAX_AGE, "", None)
    (row,) = take()
    assert (row["request_id"], row["kind"], row["target"], row["state"]) == (
        request.pk,
        "target",
        "payee:bob",
        "pending",
    )
    keep([row])
    known = stored(request)
    assert (known.target_version, known.target_state, known.target_read_at) == (
        "v1",
        '{"limit":"500","name":"Bob"}',
        row["taken_at"],
    )
    assert (known.read_due_at, known.reading_until) == (None, None)
    assert kinds(request.stream()) == ["request.opened", "request.target_read"]


def test_what_has_no_reader_is_never_read(shop: Shop) -> None:
    run = shop.accept(draft("seen", "250", "wire"))
    request = shop.request(run, "seen")
    assert (request.read_within_seconds, request.read_due_at, take()) == (None, None, [])
    with pytest.raises(HasNoReader):
        read_again(shop.actor("ann"), request.pk)
    shop.approve(request)
    follow()
    assert claimed()["kind"] == "act"


def test_what_a_policy_allows_without_asking_is_not_read(shop: Shop) -> None:
    shop.accept(draft("cheap", "5"))
    assert (take(), claimed()["kind"]) == ([], "act")


def test_nobody_says_yes_to_what_nobody_has_looked_at(shop: Shop) -> None:
    _, request = asked(shop)
    with pytest.raises(LookAgain):
        say_yes(shop, request, "")
    read()
    assert say_yes(shop, request)["receipt"] == "recorded"


def test_a_state_that_is_too_old_is_read_again_before_anybody_says_yes(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    with later(seconds=MAX_AGE + 1):
        with pytest.raises(LookAgain) as refused:
            say_yes(shop, request)
        assert refused.value.status == 412
        assert refused.value.facts["within_seconds"] == MAX_AGE
        assert read() == 1
        assert say_yes(shop, request, key="again")["receipt"] == "recorded"


def test_a_no_needs_no_fresh_look(shop: Shop) -> None:
    _, request = asked(shop)
    assert shop.deny(request)["state"] == "denied"
    assert take() == []  # what is closed is not read any more
    assert stored(request).read_due_at is None


def test_a_yes_to_another_state_is_refused_with_the_difference(shop: Shop) -> None:
    """APR-12"""
    _, request = asked(shop)
    read("v2")
    with pytest.raises(StaleView) as refused:
        say_yes(shop, request, "v1")
    assert refused.value.facts["changes"] == [{"name": "version of the target", "was": "v1", "now": "v2"}]
    assert stored(request).state == "pending"


def test_what_is_approved_is_read_once_more_and_then_acted_on(shop: Shop) -> None:
    run, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    assert claim() == []
    assert shop.states(run) == {"dear": "ready"}
    assert read() == 1
    row = claimed()
    assert (row["kind"], row["number"], row["acts"]) == ("act", 1, 0)
    settle(row)
    assert shop.states(run) == {"dear": "succeeded"}


def test_a_reading_of_before_the_decision_is_not_enough(shop: Shop) -> None:
    _, request = asked(shop)
    taken = take()
    keep(taken)
    say_yes(shop, request)
    follow()
    keep(taken)  # the same answer again
    assert claim() == []


def test_a_reading_that_grew_old_is_done_again_before_a_retry(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    read()
    settle(claimed(), "overload", delay=MAX_AGE * 2.0)
    with later(seconds=MAX_AGE * 2 + 1):
        assert (claim(), read()) == ([], 1)
        assert claimed()["number"] == 2
    assert stored(request).state == "consumed"


def test_what_changed_since_it_was_approved_is_sent_back_for_another_look(shop: Shop) -> None:
    """R-H2: drift is no reason to act and none to give up."""
    run, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    claim()
    read("v2", {**BOB, "limit": "20"})
    old = stored(request)
    assert (old.state, old.closing_reason, old.target_version) == ("rerouted", "the target changed", "v1")
    follow()
    assert shop.states(run) == {"dear": "proposed"}
    sweep()
    new = shop.request(run, "dear")
    assert (new.state, new.revises_id, shop.states(run)) == ("pending", request.pk, {"dear": "awaiting_approval"})
    assert read("v2", {**BOB, "limit": "20"}) == 1
    with pytest.raises(StaleView) as refused:
        say_yes(shop, request, key="late")
    assert refused.value.facts["request"] == str(new.pk)
    assert {"name": "state of the target: limit", "was": "500", "now": "20"} in refused.value.facts["changes"]
    say_yes(shop, new, "v2")
    follow()
    read("v2", {**BOB, "limit": "20"})
    assert claimed()["kind"] == "act"


def test_a_claim_that_comes_before_the_news_of_a_drift_begins_nothing(shop: Shop) -> None:
    run, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    claim()
    read("v2")
    with inside():
        rows("update runs_effect set next_attempt_at = cf_now() where run_id = %s returning id", [run])
    assert claim() == []
    assert shop.states(run) == {"dear": "proposed"}
    sweep()
    assert shop.request(run, "dear").revises_id == request.pk


def test_a_vote_on_one_state_is_not_counted_for_another(shop: Shop) -> None:
    run, request = asked(shop, "2000")
    read()
    assert say_yes(shop, request)["receipt"] == "counted"
    with later(seconds=MAX_AGE + 1):
        read_again(shop.actor("amir"), request.pk)
        read("v2")
        assert stored(request).state == "rerouted"
        follow()
        sweep()
        new = shop.request(run, "dear")
        read("v2")
        assert say_yes(shop, new, "v2", by="amir")["counted"] == 1


def test_what_changes_before_anybody_voted_is_only_shown(shop: Shop) -> None:
    _, request = asked(shop)
    read()
    read_again(shop.actor("ann"), request.pk)
    read("v2")
    known = stored(request)
    assert (known.state, known.target_version) == ("pending", "v2")


def test_a_reader_that_fails_is_asked_again_and_nothing_is_done_unread(shop: Shop) -> None:
    run, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    for tries in range(1, 4):
        keep(take(), fault="The answer was: overload.", delay=0.0)
        assert (claim(), stored(request).reads_failed) == ([], tries)
    known = stored(request)
    assert (known.read_fault, known.state, known.target_version) == ("The answer was: overload.", "approved", "v1")
    read()
    assert (claimed()["kind"], stored(request).reads_failed) == ("act", 0)
    assert shop.states(run) == {"dear": "dispatched"}


def test_what_is_never_read_lapses_undone(shop: Shop) -> None:
    run, request = asked(shop)
    read()
    say_yes(shop, request)
    follow()
    keep(take(), fault="Nobody answers.", delay=60.0)
    with later(hours=2):
        sweep()
        assert (claim(), shop.states(run)) == ([], {"dear": "lapsed"})


@pytest.mark.parametrize("decided", [False, True])
def test_a_worker_that_dies_while_it_reads_leaves_nothing_behind(shop: Shop, decided: bool) -> None:
    """Killed after it took the reading in hand, before the call, in it, or before it was written down: it is due again."""
    run, request = asked(shop)
    if decided:
        read()
        say_yes(shop, request)
        follow()
    lost = take()
    assert (len(lost), take()) == (1, [])
    with later(seconds=31):
        assert read("v1") == 1
        keep(lost, "v0")  # the one that was taken for dead writes down what it saw before
    assert stored(request).target_version == "v1"
    if decided:
        assert claimed()["kind"] == "act"
    assert kinds(request.stream()).count("request.target_read") == 1 + decided
    assert shop.states(run) == {"dear": "dispatched" if decided else "awaiting_approval"}


def test_no_more_is_read_at_once_than_the_dependency_bears(shop: Shop) -> None:
    shop.apply(_of_mill())
    for number in range(5):
        asked(shop, key=f"ground-{number}")
    first = take()
    assert (len(first), take()) == (2, [])
    keep(first)
    assert len(take()) == 2


def test_what_this_worker_cannot_read_is_left_to_others(shop: Shop) -> None:
    run, _ = asked(shop)
    operation = shop.effect(run, "dear").operation_id
    assert take(without=[operation]) == []
    with later(seconds=6):
        assert len(take()) == 1


def test_what_somebody_holds_is_not_waited_for_by_a_worker_that_cannot_read_it(shop: Shop) -> None:
    run, request = asked(shop)
    with hand().transaction():
        hand().execute("select 1 from approvals_request where id = %s for update", [request.pk])
        assert take(without=[shop.effect(run, "dear").operation_id]) == []
    assert len(take()) == 1


def test_asking_twice_reads_once(shop: Shop) -> None:
    _, request = asked(shop)
    assert read_again(shop.actor("ann"), request.pk)["receipt"] == "standing"
    read()
    assert read_again(shop.actor("ann"), request.pk)["receipt"] == "asked"
    assert read_again(shop.actor("amir"), request.pk)["receipt"] == "standing"
    assert (read(), read()) == (1, 0)


def test_the_database_says_what_is_due_to_be_read(shop: Shop) -> None:
    asked(shop)
    with inside():
        assert rows("select runs_work_is_due(cf_now()) as due")[0]["due"] is True
    take()
    with inside():
        assert rows("select runs_work_is_due(cf_now()) as due")[0]["due"] is False


def test_a_target_that_is_unlike_any_other_request_is_not_touched(shop: Shop, rival: Shop) -> None:
    """What is read is kept with its own request and no other."""
    with_reader(rival)
    _, mine = asked(shop)
    _, theirs = asked(rival)
    for row in take():
        keep([row], "mine" if row["request_id"] == mine.pk else "theirs")
    with inside():
        assert dict(Request.objects.values_list("pk", "target_version")) == {mine.pk: "mine", theirs.pk: "theirs"}


def _of_mill() -> str:
    return CONTRACT.replace("version: 2", "version: 3", 1).replace("dependency: bank", "dependency: mill", 1)
