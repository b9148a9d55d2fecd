"""The glass is broken by two at once, or denied at once; a delegation is taken back while somebody decides by it."""

from functools import partial
from typing import Any

from approvals.deciding import voting
from approvals.models import BreakGlass, Decision, Request
from tests.breaking.glass import asked, break_it, stored, with_glass
from tests.cast import inside
from tests.delegating.handing import give, take_back
from tests.races.at_once import answers, at_once, refusals
from tests.record import findings, kinds
from tests.shop import Shop

TIMES = 8


def test_two_break_it_at_once_and_it_is_broken_once(shop: Shop) -> None:
    with_glass(shop)
    for _ in range(TIMES):
        _, request = asked(shop)
        became = at_once(partial(break_it, shop, request, "ann"), partial(break_it, shop, request, "dora"))
        assert (len(answers(became)), refusals(became)) == (1, ["already_resolved"])
        with inside():
            assert BreakGlass.objects.filter(request=request).count() == 1
        assert kinds(request.stream()).count("request.glass_broken") == 1


def test_it_is_broken_and_denied_at_once_and_one_stands(shop: Shop) -> None:
    with_glass(shop)
    for _ in range(TIMES):
        _, request = asked(shop)
        became = at_once(partial(break_it, shop, request, "ann"), partial(shop.deny, request, "amir"))
        assert refusals(became) == ["already_resolved"]
        (receipt,) = answers(became)
        assert stored(request).state == receipt["state"]
        with inside():
            assert (
                BreakGlass.objects.filter(request=request).count() + Decision.objects.filter(request=request).count()
                == 1
            )
    assert findings() == []


def by_amirs_word(shop: Shop, request: Request) -> dict[str, Any]:
    """Have ann approve it in amir's place."""
    return voting.approve(
        shop.actor("ann"), request.pk, shown_digest=request.subject_digest.hex(), reason="For him.", key=f"key-{request.pk}",
        voice=shop.members["amir"].pk,
    )  # fmt: skip


def test_a_delegation_is_taken_back_while_somebody_decides_by_it(shop: Shop) -> None:
    shop.change("ann", groups=["legal"])
    for _ in range(TIMES):
        _, request = asked(shop, "2000")
        delegation = give(shop)
        became = at_once(partial(by_amirs_word, shop, request), partial(take_back, shop, delegation))
        assert refusals(became) in ([], ["not_delegated"])
        with inside():
            said = list(Decision.objects.filter(request=request))
        assert len(said) == (refusals(became) == [])
        assert all((word.voice_id, word.delegation_id) == (shop.members["amir"].pk, delegation.pk) for word in said)
    assert findings() == []
