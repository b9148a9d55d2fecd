"""R-G2: a place in the record is a checkpoint by itself: folding up to it tells what a checkpoint of that moment would have told."""

from typing import Any
from uuid import UUID

from approvals.deciding import voting
from console.ledger.models import Entry
from runs.checkpoints import facts
from runs.checkpoints.authoritative import authoritative, told
from runs.corrections.acknowledging import acknowledge
from runs.corrections.making import correct
from runs.models import Run
from tests.cancels import cancel
from tests.cast import inside
from tests.checkpoints.keeping import keep
from tests.pending import open_wait, timer
from tests.shop import Shop, draft
from tests.work import claim, settle, sweep


def last(run: Run) -> Entry:
    return Entry.objects.filter(stream=run.stream()).order_by("-seq")[0]


def now_and_folded(shop: Shop, run: UUID) -> tuple[Any, Any]:
    with inside():
        row = Run.objects.get(pk=run)
        ours = authoritative(row)
        ours.pop("schedule")
        return ours, told(facts.then(row, last(row)))


def test_folding_up_to_now_tells_what_the_rows_say(shop: Shop) -> None:
    run = shop.accept(
        draft("done"), draft("lost"), draft("asked", "200"), draft("next", after=["done"]), holder="first"
    )
    for row in claim():
        settle(row, "succeeded" if row["key"] == "done" else "unknown", reference="r-1")
    report: Any = {"name": "report", "reference": "s3://kept/report", "digest": "ab" * 32}
    keep(shop, run, {"plan": 1}, artifacts=[report], versions={"model": "m-1"})
    asked = shop.request(run, "asked")
    voting.approve(shop.actor("ann"), asked.pk, shown_digest=asked.subject_digest.hex(), reason="", key="yes")
    sweep()
    rows, folded = now_and_folded(shop, run)
    assert folded == rows
    assert rows["artifacts"][0]["reference"] == "s3://kept/report"


def test_a_place_tells_what_stood_then_and_nothing_of_later(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    row = shop.run(run)
    with inside():
        place, before = last(row), authoritative(row)
    before.pop("schedule")
    settle(claim(), "succeeded")
    with inside():
        assert told(facts.then(Run.objects.get(pk=run), place)) == before
    assert [each["key"] for each in before["effects"]["pending"]] == ["a"]


def test_waits_signals_corrections_cancellations_and_children_are_told_alike_too(shop: Shop) -> None:
    run = shop.accept(draft("first", "200"), draft("then"), goal="Pay the house", holder="first")
    child = shop.accept(draft("part"), goal="Pay a part", parent=run, parent_epoch=1)
    open_wait(shop, run, timer(0, name="now", parks=False), timer(60, name="later", parks=False))
    correct(shop.actor("oscar"), run, text="Not that one.", contradicts={"operation": "pay"}, key="correction")
    acknowledge(shop.bot, run, epoch=1, number=1, key="seen")
    cancel(shop, run, scope="run")
    rows, folded = now_and_folded(shop, run)
    assert folded == rows
    assert {each["name"]: each["state"] for each in rows["waits"]} == {"now": "met", "later": "withdrawn"}
    assert [(each["id"], each["state"]) for each in rows["children"]] == [(str(child), "running")]
    assert [each["text"] for each in rows["corrections"]["each"]] == ["Not that one."]
    assert [each["scope"] for each in rows["cancellation"]["each"]] == ["run"]
