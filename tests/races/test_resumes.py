"""Resumes at once: one continues, the others are refused; and a stale driver beside one changes nothing (R-H3, R-A6)."""

from functools import partial

from runs import driving
from tests.races.at_once import answers, at_once, refusals
from tests.record import findings, kinds
from tests.resuming.again import after_the_lease, again, pinned
from tests.shop import Shop, draft
from tests.work import claim

ROUNDS = 6


def test_two_resumes_of_one_run_one_goes_on_and_the_other_is_refused(shop: Shop) -> None:
    for number in range(ROUNDS):
        run = shop.accept(draft("a"))
        with after_the_lease():
            became = at_once(
                partial(again, shop, run, holder="left", key=f"left-{number}"),
                partial(again, shop, run, holder="right", key=f"right-{number}"),
            )
            assert refusals(became) == ["run_held"]
            (gone_on,) = answers(became)
            assert (gone_on["decision"], gone_on["epoch"]) == ("continue", 2)
        assert kinds(shop.run(run).stream()).count("run.resumed") == 1
        assert len([row for row in claim() if row["key"] == "a"]) <= 1


def test_one_key_twice_at_once_is_one_resume(shop: Shop) -> None:
    for number in range(ROUNDS):
        run = shop.accept(draft("a"))
        with after_the_lease():
            became = at_once(*[partial(again, shop, run, key=f"same-{number}")] * 2)
        assert refusals(became) == []
        assert len({answer["resumption"] for answer in became}) == 1
        assert kinds(shop.run(run).stream()).count("run.resumed") == 1


def test_a_resume_and_the_end_by_the_one_who_was_overtaken(shop: Shop) -> None:
    """LEA-01: the old driver's write comes wholly before the resume, which is then too late, or it is refused."""
    for number in range(ROUNDS):
        run = shop.accept(draft("a"))
        with after_the_lease():
            resumed, failed = at_once(
                partial(again, shop, run, key=f"resume-it-{number}"),
                partial(driving.fail, shop.bot, run, epoch=1, reason="I give up.", key=f"fail-{number}"),
            )
        if refusals([failed]):
            assert (failed.code, resumed["decision"], shop.run(run).state) == ("stale_token", "continue", "running")
        elif refusals([resumed]):
            assert resumed.code == "run_held"
        else:
            assert (resumed["decision"], shop.run(run).state) == ("terminate", "failed")


def test_a_resume_and_a_claim_never_begin_what_a_person_has_to_decide(shop: Shop) -> None:
    shop.apply(pinned())
    for number in range(ROUNDS):
        run = shop.accept(draft("a"), run_type="pinned")
        again(shop, run, holder="first", epoch=1)
        with after_the_lease():
            resumed, claimed = at_once(
                partial(again, shop, run, versions={"workflow": "w-2"}, key=f"decide-{number}"), partial(claim, 4)
            )
            assert resumed["decision"] == "quarantine"
            assert claim() == []
        assert len(claimed) == len(shop.attempts(run, "a"))
    assert findings() == []
