"""Panels: the most seats that today's standing approvals can fill, with nobody in two of them (APR-09), by the function the claim asks."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from uuid_utils.compat import uuid7

from approvals.deciding.counting import counted
from approvals.deciding.refusals import AlreadyCounted, NotDelegated, NotEligible, SeparationOfDuties
from approvals.models import Decision, Delegation, Request
from approvals.policy_asks import Panel, panels_written
from console import clock
from console.database import alias
from console.identity.models import Member
from tests.approvals.lending import PANELS, approve, lending, loan, now
from tests.cast import inside
from tests.delegating.handing import give, take_back
from tests.shop import Shop
from tests.superuser import hand
from tests.work import claim, follow

GROUPS = ("finance", "legal", "support")
ROLES = ("admin", "operator")
PEOPLE = ("ann", "amir", "ben", "dora", "oscar")


@dataclass(frozen=True)
class Person:
    """One of the cast, as they stand when it is counted; `says` is in whose place they approved (their own is themselves)."""

    active: bool
    approver: bool
    roles: frozenset[str]
    groups: frozenset[str]
    says: int | None
    lent: frozenset[str]
    revoked: bool
    taken_back: bool


people = st.builds(
    Person, st.sampled_from([True, True, True, False]), st.sampled_from([True, True, True, False]), st.frozensets(st.sampled_from(ROLES)),
    st.frozensets(st.sampled_from(GROUPS)), st.one_of(st.none(), st.integers(0, len(PEOPLE) - 1)), st.frozensets(st.sampled_from(GROUPS)),
    st.sampled_from([False, False, False, True]), st.sampled_from([False, False, False, True]),
)  # fmt: skip
panels = st.lists(
    st.builds(
        lambda groups, quorum, roles: Panel(tuple(sorted(groups)), quorum, tuple(sorted(roles))),
        st.frozensets(st.sampled_from(GROUPS), min_size=1), st.integers(1, 2), st.frozensets(st.sampled_from(ROLES), max_size=1),
    ), min_size=1, max_size=5,
)  # fmt: skip


def one_voice_each(cast: list[Person]) -> bool:
    """Tell whether nobody's voice is heard twice among the words that stand, as the table demands."""
    voices = [person.says for person in cast if person.says is not None and not person.taken_back]
    return len(voices) == len(set(voices))


def seats_filled(asked: Sequence[Panel], cast: Sequence[Person], owner: int) -> int:
    """Count by hand: give each voice a seat, and let it make way for another when it may sit elsewhere."""
    seats = [panel for panel in asked for _ in range(panel.quorum)]
    able: dict[int, list[int]] = {}
    for place, member in enumerate(cast):
        if member.says is None or member.taken_back or not (member.active and member.approver):
            continue
        giver = cast[member.says]
        by_delegation = member.says != place
        if not (giver.active and giver.approver) or owner in {place, member.says} or (by_delegation and member.revoked):
            continue
        groups = giver.groups & member.lent if by_delegation and member.lent else giver.groups
        able[member.says] = [
            seat for seat, panel in enumerate(seats)
            if groups & set(panel.groups) and (not panel.roles or giver.roles & set(panel.roles))
        ]  # fmt: skip
    sits: dict[int, int] = {}

    def seated(voice: int, tried: set[int]) -> bool:
        for seat in able[voice]:
            if seat not in tried:
                tried.add(seat)
                if seat not in sits or seated(sits[seat], tried):
                    sits[seat] = voice
                    return True
        return False

    return sum(seated(voice, set()) for voice in able)


@pytest.fixture
def asked(shop: Shop) -> Request:
    """A loan that one of finance and one of support approve."""
    shop.change("dora", roles=["approver", "admin"], groups=["support"])
    lending(shop, PANELS)
    return loan(shop)[1]


def test_the_count_is_the_most_seats_that_can_be_filled_with_nobody_in_two(shop: Shop, asked: Request) -> None:
    members = [shop.members[name] for name in PEOPLE]

    @settings(max_examples=150, deadline=None)
    @given(
        panels,
        st.lists(people, min_size=len(PEOPLE), max_size=len(PEOPLE)).filter(one_voice_each),
        st.integers(0, len(PEOPLE) - 1),
    )
    def agrees(seats: list[Panel], cast: list[Person], owner: int) -> None:
        with inside(), transaction.atomic(using=alias()):
            _stand(asked, members, seats, cast, owner)
            found = counted(asked)
            transaction.set_rollback(True, using=alias())
        assert found == seats_filled(seats, cast, owner)

    agrees()


def _stand(request: Request, members: list[Member], seats: list[Panel], cast: list[Person], owner: int) -> None:
    for member, person in zip(members, cast, strict=True):
        roles = [*sorted(person.roles), *(["approver"] if person.approver else [])]
        Member.objects.filter(pk=member.pk).update(active=person.active, roles=roles, groups=sorted(person.groups))
    Request.objects.filter(pk=request.pk).update(
        panels=panels_written(seats), quorum=sum(panel.quorum for panel in seats), owner_id=members[owner].pk
    )
    for member, person in zip(members, cast, strict=True):
        if person.says is not None:
            _say(request, member, members[person.says], person)


def _say(request: Request, member: Member, voice: Member, person: Person) -> None:
    at = clock.now()
    delegation = None
    if voice.pk != member.pk:
        delegation = Delegation.objects.create(
            tenant_id=request.tenant_id, giver=voice, taker=member, groups=sorted(person.lent), reason="", starts_at=at,
            ends_at=request.decide_by, created_at=at, revoked_at=at if person.revoked else None,
        )  # fmt: skip
    Decision.objects.create(
        id=uuid7(), tenant_id=request.tenant_id, request=request, member=member, voice=voice, delegation=delegation, verdict="approve",
        shown_digest=bytes(32), via="page", at=at, withdrawn_at=at if person.taken_back else None,
    )  # fmt: skip


def test_two_of_one_panel_are_not_one_of_each(shop: Shop, asked: Request) -> None:
    first = approve(shop, asked, "ann")
    second = approve(shop, asked, "amir")
    assert [(each["receipt"], each["counted"], each["of"]) for each in (first, second)] == [("counted", 1, 2)] * 2
    assert now(asked).state == "pending"
    third = approve(shop, asked, "dora")
    assert (third["receipt"], third["counted"], third["state"]) == ("recorded", 2, "approved")


def test_one_of_both_groups_fills_one_seat_and_whichever_is_needed(shop: Shop, asked: Request) -> None:
    shop.change("ann", groups=["finance", "support"])
    assert approve(shop, asked, "ann")["counted"] == 1
    assert approve(shop, asked, "amir")["state"] == "approved"


def test_a_panel_that_names_roles_is_for_those_who_have_one(shop: Shop) -> None:
    shop.change("ann", roles=["approver", "admin"])
    lending(shop, "panels: [{groups: [finance], roles: [admin]}]")
    _, request = loan(shop)
    with pytest.raises(NotEligible):
        approve(shop, request, "amir")
    shop.change("ann", roles=["approver", "admin"])
    assert approve(shop, request, "ann")["state"] == "approved"


def test_at_use_the_panels_are_counted_as_people_stand_then(shop: Shop) -> None:
    shop.change("dora", roles=["approver", "admin"], groups=["support"])
    lending(shop, PANELS)
    run, request = loan(shop)
    approve(shop, request, "ann")
    approve(shop, request, "dora")
    follow()
    shop.change("dora", groups=["finance"])
    assert claim() == []
    assert shop.states(run) == {"loan": "lapsed"}
    assert shop.effect(run, "loan").state_reason == "quorum_lost"


def test_a_vote_in_anothers_place_fills_their_seat_while_both_stand(shop: Shop) -> None:
    shop.change("dora", roles=["approver", "admin"], groups=["support"])
    lending(shop, PANELS)
    run, request = loan(shop)
    handed = give(shop, "dora", "amir")
    approve(shop, request, "ann")
    assert approve(shop, request, "amir", voice=shop.members["dora"].pk)["state"] == "approved"
    follow()
    take_back(shop, handed, "dora")
    assert claim() == []
    assert shop.effect(run, "loan").state_reason == "quorum_lost"


def test_nobody_is_counted_twice_by_their_own_word_and_anothers(shop: Shop, asked: Request) -> None:
    give(shop, "amir", "ann")
    approve(shop, asked, "ann")
    with pytest.raises(AlreadyCounted):
        approve(shop, asked, "ann", voice=shop.members["amir"].pk)
    shop.change("oscar", roles=["approver"], groups=["finance"])
    give(shop, "ann", "oscar")
    with pytest.raises(AlreadyCounted):
        approve(shop, asked, "oscar", voice=shop.members["ann"].pk)
    assert now(asked).state == "pending"


def test_without_a_delegation_nobody_speaks_in_anothers_place(shop: Shop, asked: Request) -> None:
    with pytest.raises(NotDelegated):
        approve(shop, asked, "ann", voice=shop.members["amir"].pk)


@pytest.mark.parametrize(("taker", "voice"), [("ben", "ann"), ("ann", "ben")])
def test_who_answers_for_the_agent_decides_in_no_place_and_lets_nobody(
    shop: Shop, asked: Request, taker: str, voice: str
) -> None:
    """APR-07: neither giver nor taker."""
    give(shop, voice, taker)
    with pytest.raises(SeparationOfDuties):
        approve(shop, asked, taker, voice=shop.members[voice].pk)
    assert now(asked).ledger_seq == asked.ledger_seq


def test_a_word_kept_before_voices_were_known_is_the_members_own(shop: Shop, asked: Request) -> None:
    approve(shop, asked, "ann")
    with inside():
        decision: UUID = Decision.objects.get(request=asked).pk
    hand().execute("update approvals_decision set voice_id = null where id = %s", [decision])
    shop.change("oscar", roles=["approver"], groups=["finance"])
    give(shop, "ann", "oscar")
    with pytest.raises(AlreadyCounted):
        approve(shop, asked, "oscar", voice=shop.members["ann"].pk)
    with inside():
        assert counted(asked) == 1
    hand().execute("update approvals_decision set voice_id = member_id where id = %s", [decision])
