"""The same key from many at once: one effect, one entry, and the same answer for all (IDM-01, R-E3)."""

from functools import partial
from uuid import UUID

from console.http.refusals import Refusal
from runs import intake
from runs.drafts import Accepted, EffectDraft, Proposed, RunDraft
from runs.models import Effect, Run
from tests.cast import inside
from tests.races.at_once import answers, at_once, refusals
from tests.record import kinds
from tests.shop import Shop, draft

MANY = 20


def propose(shop: Shop, run: UUID, effect: EffectDraft) -> Proposed:
    """Propose one effect."""
    return intake.propose(shop.bot, run, [effect], epoch=1)[0]


def accept(shop: Shop, posted: list[RunDraft]) -> Accepted:
    """Accept one run."""
    return intake.accept(shop.bot, posted)[0]


def test_the_same_effect_from_twenty_at_once(shop: Shop) -> None:
    run = shop.accept()
    made = answers(at_once(*[partial(propose, shop, run, draft("a", "250"))] * MANY))
    assert len(made) == MANY
    assert {each.effect_id for each in made} == {shop.effect(run, "a").pk}
    assert [each.created for each in made].count(True) == 1
    assert kinds(f"run:{run}") == ["run.accepted", "effect.proposed"]


def test_the_same_run_from_twenty_at_once(shop: Shop) -> None:
    posted = shop.draft(draft("a"), draft("b", "250"), key="monday")
    made = answers(at_once(*[partial(accept, shop, [posted])] * MANY))
    assert len({each.run_id for each in made}) == 1
    assert [each.created for each in made].count(True) == 1
    with inside():
        assert (Run.objects.count(), Effect.objects.count()) == (1, 2)


def test_the_same_effect_of_the_whole_tenant_from_many_runs_at_once(shop: Shop) -> None:
    for number in range(3):
        runs = [shop.accept() for _ in range(6)]
        news = draft(f"launch {number}", operation="announce")
        made = answers(at_once(*(partial(propose, shop, run, news) for run in runs)))
        assert len(made) == len(runs)
        assert len({each.effect_id for each in made}) == 1
        assert [each.created for each in made].count(True) == 1


def test_the_same_key_with_other_content_at_once(shop: Shop) -> None:
    for _ in range(8):
        run = shop.accept()
        became = at_once(partial(shop.propose, run, draft("a", "1")), partial(shop.propose, run, draft("a", "2")))
        assert (len(answers(became)), refusals(became)) == (1, ["key_reused"])


def test_runs_accepted_together_in_opposite_orders(shop: Shop) -> None:
    for number in range(5):
        drafts = [shop.draft(draft("a"), key=f"{number}-{place}") for place in range(8)]
        one, two = answers(
            at_once(partial(intake.accept, shop.bot, drafts), partial(intake.accept, shop.bot, drafts[::-1]))
        )
        assert [each.run_id for each in one] == [each.run_id for each in two[::-1]]
        assert {each.created for each in one} != {each.created for each in two}


def test_each_of_many_effects_proposed_at_once_has_a_number_of_its_own(shop: Shop) -> None:
    run = shop.accept()
    answers(at_once(*(partial(shop.propose, run, draft(f"e{number}")) for number in range(MANY))))
    with inside():
        numbers = sorted(Effect.objects.filter(run=run).values_list("number", flat=True))
    assert numbers == list(range(1, MANY + 1))


def test_bulk_requests_at_once_in_opposite_orders_make_each_run_once(shop: Shop) -> None:
    for number in range(4):
        drafts = [shop.draft(draft("a", "0" if place == 3 else "9"), key=f"{number}-{place}") for place in range(8)]
        news = shop.draft(draft(f"launch {number}", operation="announce"), key=f"{number}-news")
        one, two = answers(
            at_once(
                partial(intake.accept_each, shop.bot, [news, *drafts]),
                partial(intake.accept_each, shop.bot, [*drafts[::-1], news]),
            )
        )
        assert [refusal.code for refusal in [*one, *two] if isinstance(refusal, Refusal)] == ["bad_arguments"] * 2
        made = [each for each in [*one, *two] if isinstance(each, Accepted)]
        assert len({each.run_id for each in made}) == 8
        assert sum(each.created for each in made) == 8
