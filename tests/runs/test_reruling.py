"""What a later version says the same of stands under it: requests with their votes, approvals, and what was allowed."""

from django.db import connections
from django.test.utils import CaptureQueriesContext

from console.database import alias, crossing_tenants, transaction
from console.notices.models import Copy
from runs import judging
from runs.sweep import CLOCK
from tests.cast import inside
from tests.pending import open_wait, signal
from tests.record import kinds
from tests.runs.test_sweep import judge_again
from tests.shop import Shop, draft, money
from tests.superuser import hand
from tests.work import claim, claimed, follow, settle, sweep


def test_what_a_new_version_asks_in_the_same_words_stands_with_the_votes_it_has(shop: Shop) -> None:
    run = shop.accept(draft("dearest", "2500"))
    request = shop.request(run, "dearest")
    shop.approve(request, "ann")
    assert judge_again(shop, money(version=2, middling="90")) == {"effects judged again": 1}
    stands = shop.request(run, "dearest")
    assert (stands.pk, stands.state) == (request.pk, "pending")
    assert stands.policy_id == shop.effect(run, "dearest").policy_id != request.policy_id
    assert kinds(f"request:{request.pk}")[-1] == "request.reruled"
    assert shop.approve(stands, "amir")["state"] == "approved"
    follow()
    assert [row["key"] for row in claim()] == ["dearest"]


def test_what_was_approved_stands_where_the_new_version_asks_the_same(shop: Shop) -> None:
    run = shop.accept(draft("heard", "250"), draft("unheard", "260"))
    shop.approve(shop.request(run, "heard"))
    follow()
    shop.approve(shop.request(run, "unheard"))
    judge_again(shop, money(version=2, small="deny"))
    follow()
    assert set(shop.states(run).values()) == {"ready"}
    assert sorted(row["key"] for row in claim()) == ["heard", "unheard"]


def test_what_a_claim_sent_back_comes_back_where_the_new_version_asks_the_same(shop: Shop) -> None:
    """Whether the clock or a worker sees the new version first makes no difference."""
    run = shop.accept(draft("dear", "250"))
    request = shop.request(run, "dear")
    shop.approve(request)
    follow()
    shop.apply(money(version=2, small="deny"))
    assert claim() == []
    assert shop.states(run) == {"dear": "proposed"}
    sweep()
    assert (shop.states(run), shop.request(run, "dear").pk) == ({"dear": "ready"}, request.pk)
    settle(claimed())
    assert shop.states(run) == {"dear": "succeeded"}


def test_a_denial_that_the_effect_has_not_heard_of_is_not_asked_anew_by_a_new_version(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    shop.deny(shop.request(run, "dear"))
    shop.apply(money(version=2, use="600"))
    with crossing_tenants(), transaction(None):
        assert judging.judge_again_due(CLOCK, 500) == 0
    follow()
    assert shop.states(run) == {"dear": "denied"}


def test_what_is_paused_stays_paused_when_a_new_version_allows_it_as_before(shop: Shop) -> None:
    run = shop.accept(draft("small"))
    hand().execute("update runs_effect set next_attempt_at = null")
    judge_again(shop, money(version=2, middling="90"))
    assert (shop.states(run), shop.effect(run, "small").next_attempt_at) == ({"small": "ready"}, None)


def test_what_a_waiting_run_proposed_is_judged_again_like_all_else(shop: Shop) -> None:
    run = shop.accept(draft("dear", "250"))
    open_wait(shop, run, signal())
    assert shop.run(run).state == "waiting"
    old = shop.request(run, "dear")
    assert judge_again(shop, money(version=2, large="200")) == {"effects judged again": 1}
    assert (shop.request(run, "dear").quorum, old.quorum) == (2, 1)


def test_what_stands_still_takes_no_place_among_what_is_judged_again(shop: Shop) -> None:
    still, going = shop.accept(draft("dear", "250")), shop.accept(draft("dear", "250"))
    hand().execute("update runs_run set state = 'quarantined' where id = %s", [still])
    shop.verified = False
    shop.apply(money(version=2, large="200"))
    with crossing_tenants(), transaction(None):
        assert judging.judge_again_due(CLOCK, 1) == 1
    assert (shop.request(still, "dear").quorum, shop.request(going, "dear").quorum) == (1, 2)


def test_asking_anew_takes_the_same_statements_however_many_are_asked(shop: Shop) -> None:
    counts, run = [], shop.accept(draft("dear", "250"))
    for version, more in ((2, 1), (3, 12)):
        run = shop.accept(*(draft(f"dear {number}", "250") for number in range(more)))
        shop.apply(money(version=version, use=str(600 + version)))
        with crossing_tenants(), transaction(None), CaptureQueriesContext(connections[alias()]) as seen:
            judging.judge_again_due(CLOCK, 500)
        counts.append(len(seen.captured_queries))
    assert counts[0] == counts[1]
    asked = shop.request(run, "dear 11")
    assert (asked.state, asked.use_within_seconds) == ("pending", 603)
    with inside():
        told = Copy.objects.filter(notice__about=asked.pk).values_list("member__user__name", "because", "read_at")
        why = "You were told because you approve for finance."
        assert sorted(told) == [("Amir Saleh", why, None), ("Ann Okafor", why, None)]
        ended = Copy.objects.filter(notice__about=asked.revises_id, notice__kind="approval.ended")
        assert {copy.because for copy in ended} == {"You were told because you were asked."}
