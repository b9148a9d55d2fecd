"""Two at once about what people look at: an agent replaces it, its target is read, somebody decides; one of them wins."""

from functools import partial
from typing import Any
from uuid import UUID

from approvals.models import Request
from runs.proposals import StillOpen
from tests.approvals.lending import NARROW, ONE, approve, lending, loan
from tests.cast import inside
from tests.races.at_once import REPEATED, answers, at_once, refusals
from tests.shop import Shop, draft
from tests.targets.reading import CONTRACT, asked, keep, read, say_yes, stored, take, with_reader
from tests.work import claim, follow, sweep


def instead(shop: Shop, run: UUID, amount: str = "300") -> list[UUID]:
    """Propose another payment in the place of the first."""
    return shop.propose(run, draft("second", amount, supersedes=shop.effect(run, "dear").pk))


def test_somebody_approves_while_the_agent_changes_its_mind(shop: Shop) -> None:
    """The race table: approved and then withdrawn, or the approver is shown the difference; the old one is never done."""
    for _ in range(REPEATED):
        run = shop.accept(draft("dear", "250"))
        request = shop.request(run, "dear")
        became = at_once(partial(shop.approve, request), partial(instead, shop, run))
        assert refusals(became) in ([], ["stale_view"])
        follow()
        assert shop.states(run) == {"dear": "withdrawn", "second": "awaiting_approval"}
        assert stored(request).state == "withdrawn"
        assert claim() == []


def test_a_worker_begins_it_while_the_agent_changes_its_mind(shop: Shop) -> None:
    for _ in range(REPEATED // 2):
        run = shop.accept(draft("dear", "5"))
        became = at_once(claim, partial(instead, shop, run, "6"))
        states = shop.states(run)
        if any(isinstance(each, StillOpen) for each in became):
            assert states == {"dear": "dispatched"}
        else:
            assert (states["dear"], states["second"] in {"ready", "dispatched"}) == ("withdrawn", True)


def test_two_workers_take_one_reading_once(shop: Shop) -> None:
    with_reader(shop)
    for _ in range(REPEATED):
        _, request = asked(shop)
        became: list[Any] = answers(at_once(take, take, take))
        taken = [row for rows in became for row in rows]
        assert [row["request_id"] for row in taken] == [request.pk]
        keep(taken)


def test_the_target_changes_while_somebody_approves(shop: Shop) -> None:
    """Whoever comes first: no approval of one state is ever used on another."""
    with_reader(shop)
    for _ in range(REPEATED // 2):
        run, request = asked(shop)
        read("v1")
        with inside():
            Request.objects.filter(pk=request.pk).update(read_due_at=stored_time(request))
        (row,) = take()
        became = at_once(partial(say_yes, shop, request), partial(keep, [row], "v2"))
        assert refusals(became) in ([], ["stale_view"])
        follow()
        assert claim() == []
        if (
            stored(request).state == "approved"
        ):  # the old state was approved after the reading began: the next reading tells
            read("v2")
        if refusals(became):
            assert (stored(request).state, stored(request).target_version) == ("pending", "v2")
        else:
            assert (stored(request).state, stored(request).target_version) == ("rerouted", "v1")
            follow()
            sweep()
            assert shop.request(run, "dear").revises_id == request.pk


def stored_time(request: Request) -> Any:
    """Give when a request's target was last read."""
    return Request.objects.get(pk=request.pk).target_read_at


def test_the_target_is_read_while_something_fitting_is_proposed(shop: Shop) -> None:
    """Effects are locked before requests, whoever comes: neither waits for the other for ever."""
    lending(shop, ONE, NARROW)
    shop.apply(CONTRACT.replace("name: pay", "name: lend"))
    for _ in range(REPEATED // 2):
        run, request = loan(shop)
        read("v1")
        less = {"path": "arguments.amount", "op": "lte", "value": "100"}
        approve(shop, request, constraints=less, shown_target="v1")
        (row,) = take()
        fitting = draft("second", "90", "lend", supersedes=shop.effect(run, "loan").pk)
        answers(at_once(partial(keep, [row]), partial(shop.propose, run, fitting)))
        follow()
        assert shop.states(run) == {"loan": "withdrawn", "second": "ready"}
        assert stored(request).subject == shop.effect(run, "second").pk
