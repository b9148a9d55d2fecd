"""Whoever is stopped by a pause is told of it and of its end, and need not find out by looking (R-D5, R-N4)."""

from console.notices.models import Copy, Notice
from tests import halting
from tests.cast import inside
from tests.halting import EMERGENCY, EVERYTHING, lift, of_operation, pause
from tests.shop import Shop, draft


def told(kind: str) -> list[tuple[str, str, str]]:
    """Give title, text and tier of the notices of a kind."""
    with inside():
        return list(Notice.objects.filter(kind=kind).order_by("posted_at").values_list("title", "text", "tier"))


def who(shop: Shop, kind: str) -> set[str]:
    """Name who was told."""
    with inside():
        ids = set(Copy.objects.filter(notice__kind=kind).values_list("member_id", flat=True))
    return {name for name, member in shop.members.items() if member.pk in ids}


def having(shop: Shop, *roles: str) -> set[str]:
    """Name the members who have one of these roles."""
    return {name for name, member in shop.members.items() if set(member.roles) & set(roles)}


def test_a_paused_operation_is_told_to_operators_and_administrators_but_not_to_who_did_it(shop: Shop) -> None:
    stopped = pause(shop, of_operation(), by="oscar", reason="The bank counts twice.")
    [(title, text, tier)] = told("pause.begun")
    assert (title, tier) == ("Paused: operation pay", "")
    assert "Oscar Wren: The bank counts twice. " in text
    assert who(shop, "pause.begun") == having(shop, "operator", "admin") - {"oscar"}
    lift(shop, stopped, by="dora")
    assert told("pause.lifted")[0][0] == "Goes on: operation pay"
    assert who(shop, "pause.lifted") == having(shop, "operator", "admin") - {"dora"}


def test_of_a_paused_run_whoever_answers_for_its_agent_is_told_too_and_erasing_it_takes_the_words(shop: Shop) -> None:
    run = shop.accept(draft("a"))
    pause(shop, halting.of_run(run), by="oscar")
    owner = next(name for name, member in shop.members.items() if member.pk == shop.agent.owner_id)
    assert owner in who(shop, "pause.begun")
    with inside():
        assert Notice.objects.get(kind="pause.begun").about == run


def test_an_emergency_stop_is_told_to_everybody_who_has_a_role_and_waits_for_no_quiet_hours(shop: Shop) -> None:
    stop = pause(shop, EMERGENCY)
    [(title, _, tier)] = told("pause.begun")
    assert (title, tier) == ("Emergency stop", "high")
    assert who(shop, "pause.begun") == having(shop, "approver", "operator", "admin", "auditor") - {"dora"}
    lift(shop, stop)
    assert told("pause.lifted")[0][0] == "The emergency stop is lifted"


def test_the_same_pause_is_told_once(shop: Shop) -> None:
    pause(shop, EVERYTHING, key="once")
    pause(shop, EVERYTHING, key="once")
    assert len(told("pause.begun")) == 1
