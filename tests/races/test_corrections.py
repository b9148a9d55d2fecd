"""Corrections and limits against claims, proposals and the end of a run: each comes wholly before or wholly after (R-A3, R-H1)."""

from functools import partial

from tests.corrections import acknowledge, correct
from tests.limits import extend, use
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft
from tests.work import claim, settle

ROUNDS = 12
LITTLE = {"op": "lte", "value": 50}


def test_what_is_corrected_and_claimed_at_once_was_begun_or_is_withdrawn_and_never_both(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("dear", "60"))
        claimed, corrected = answers(
            at_once(claim, partial(correct, shop, run, operation="pay", argument="amount", must=LITTLE))
        )
        begun = bool(claimed)
        assert (len(corrected["withdrawn"]), len(corrected["under_way"])) == ((0, 1) if begun else (1, 0))
        assert shop.states(run) == {"dear": "dispatched" if begun else "withdrawn"}
        if begun:
            settle(claimed, "transient", http=503, delay=0)
        assert (shop.states(run), claim()) == ({"dear": "withdrawn"}, [])


def test_a_proposal_and_the_correction_that_it_contradicts_at_once_leave_nothing_to_be_done(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        became = at_once(
            partial(shop.propose, run, draft("dear", "60")),
            partial(correct, shop, run, operation="pay", argument="amount", must=LITTLE),
        )
        assert refusals(became) in ([], ["corrections_unseen"])
        assert shop.states(run) in ({}, {"dear": "withdrawn"})
        assert claim() == []


def test_of_two_corrections_at_once_each_has_its_number_and_the_later_one_counts(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        made = answers(at_once(*[partial(correct, shop, run, f"At most {most}.") for most in (50, 80)]))
        assert sorted(each["number"] for each in made) == [1, 2]
        assert shop.run(run).corrections_count == 2


def test_completing_and_correcting_at_once(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept()
        completed, corrected = at_once(partial(shop.complete, run), partial(correct, shop, run))
        if refusals([completed]):
            assert (completed.code, corrected["number"], shop.state(run)) == ("corrections_unseen", 1, "running")
            acknowledge(shop, run)
            assert shop.complete(run)["state"] == "succeeded"
        else:
            assert (corrected.code, shop.state(run)) == ("run_ended", "succeeded")


def test_two_claims_at_once_begin_no_more_than_is_left(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(*[draft(key) for key in "abcd"], limits={"attempts": 4})
        settle(claim(1), "transient", http=503, delay=0)
        rows = [row for found in answers(at_once(claim, claim)) for row in found]
        rows += claim()
        assert len(rows) == 3
        assert (claim(), shop.state(run)) == ([], "exhausted")
        settle(rows)


def test_usage_beyond_what_is_left_and_a_claim_at_once(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a"), limits={"tokens": 10})
        claimed, used = answers(at_once(claim, partial(use, shop, run, tokens=11)))
        assert (used["state"], shop.state(run)) == ("exhausted", "exhausted")
        assert shop.states(run) == {"a": "dispatched" if claimed else "ready"}
        assert kinds(f"run:{run}").count("run.exhausted") == 1
        if claimed:
            settle(claimed)
            assert shop.states(run) == {"a": "succeeded"}


def test_usage_reported_at_once_is_counted_whole(shop: Shop) -> None:
    run = shop.accept(limits={"cost": "1000"})
    for _ in range(ROUNDS):
        answers(at_once(*[partial(use, shop, run, cost="0.000001", tokens=1)] * 3))
    assert (shop.run(run).used_tokens, str(shop.run(run).used_cost)) == (3 * ROUNDS, "0.000036")


def test_giving_more_and_giving_up_at_once_ends_it_either_way(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a"), limits={"tokens": 10})
        use(shop, run, tokens=11)
        extended, failed = at_once(partial(extend, shop, run, tokens=5), partial(shop.fail, run))
        assert refusals([failed]) == []
        assert refusals([extended]) in ([], ["run_ended"])
        assert (shop.state(run), shop.states(run), claim()) == ("failed", {"a": "withdrawn"}, [])


def test_two_operators_give_more_at_once_and_both_count(shop: Shop) -> None:
    for _ in range(ROUNDS):
        run = shop.accept(draft("a"), limits={"tokens": 10})
        use(shop, run, tokens=11)
        given = answers(at_once(*[partial(extend, shop, run, tokens=5, name=name) for name in ("oscar", "dora")]))
        assert [each["state"] for each in given] == ["running"] * 2
        assert '"tokens":20' in shop.run(run).limits
        settle(claim())
