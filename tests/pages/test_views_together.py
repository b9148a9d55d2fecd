"""Several requests decided together: each shown whole, each by the one move, each with a receipt of its own."""

import re
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from runs import driving
from runs.models import Effect
from tests.cast import Company, later, shown, signed_in
from tests.pages.browsing import at_once, text


def address(*effects: Effect) -> str:
    """Give the address at which these are looked at together."""
    return "/approvals/together?" + "&".join(f"request={effect.request_id}" for effect in effects)


def send(
    browser: Client, *effects: Effect, verdict: str = "approve", reason: str = "", key: str = "", **fields: Any
) -> Any:
    """Send the form as the page would."""
    form = {
        "item": [f"{effect.request_id}:{shown(effect)}" for effect in effects], "verdict": verdict, "reason": reason,
        "idempotency_key": key or str(uuid4()), **fields,
    }  # fmt: skip
    return browser.post("/approvals/together/decide", form)


@pytest.fixture
def three(acme: Company) -> list[Effect]:
    """Three refunds of three runs."""
    return [acme.propose(acme.run(), order=str(number)) for number in range(3)]


def states(company: Company, effects: list[Effect]) -> list[str]:
    """Give the states of what they ask."""
    return [company.request(effect).state for effect in effects]


def test_each_is_shown_whole_before_all_are_decided(acme: Company, three: list[Effect]) -> None:
    page = signed_in(acme.ann).get(address(*three)).content.decode()
    for effect in three:
        assert f'name="item" value="{effect.request_id}:{shown(effect)}' in page
    assert page.count('<td class="number">120.00') + page.count(">120.00 EUR<") >= 3
    assert "Approve these 3" in page


def test_its_target_and_what_others_said_are_shown_too(acme: Company) -> None:
    """APR-17: what is approved here is what the card would show, and not a part of it."""
    large = acme.propose(acme.run(), amount="2000.00")  # which takes two
    acme.approve("amir", large, "As agreed.")
    shown_to_ann = text(signed_in(acme.ann).get(address(large)))
    assert "Refund on order:1042 · refund-bot" in shown_to_ann
    assert "Amir Saleh approved" in shown_to_ann
    assert "As agreed." in shown_to_ann


def test_the_form_of_the_page_decides_all_each_with_its_receipt(acme: Company, three: list[Effect]) -> None:
    ann = signed_in(acme.ann)
    page = ann.get(address(*three)).content.decode()
    key = re.findall(r'name="idempotency_key" value="([^"]+)"', page)[0]
    items = re.findall(r'name="item" value="([^"]+)"', page)
    answer = ann.post(
        "/approvals/together/decide",
        {"item": items, "verdict": "approve", "reason": "As agreed.", "idempotency_key": key},
    )
    assert text(answer).count("Recorded.") == 3
    assert "3 of 3 recorded" in text(answer)
    assert states(acme, three) == ["approved"] * 3


def test_what_cannot_be_decided_stops_none_of_the_others(acme: Company, three: list[Effect]) -> None:
    acme.deny("amir", three[0])
    driving.withdraw(acme.bot, three[1].pk, epoch=1, reason="", key="w")
    stale = acme.propose(acme.run(), order="4")
    answer = send(signed_in(acme.ann), *three, item=[
        *(f"{effect.request_id}:{shown(effect)}" for effect in three), f"{stale.request_id}:{'0' * 64}",
    ])  # fmt: skip
    said = text(answer)
    assert "1 of 4 recorded" in said
    for words in ("This was already decided.", "withdrawn before it was decided", "look again before you decide"):
        assert words in said
    assert states(acme, [*three, stale]) == ["denied", "withdrawn", "approved", "pending"]


def test_sent_twice_it_decides_once_and_says_the_same(acme: Company, three: list[Effect]) -> None:
    ann = signed_in(acme.ann)
    first, again = send(ann, *three, key="k"), send(ann, *three, key="k")
    assert text(first).count("Recorded.") == text(again).count("Recorded.") == 3
    for effect in three:
        assert acme.stored(effect).state in {"awaiting_approval", "ready"}


def test_twice_at_once_it_decides_once(acme: Company, three: list[Effect]) -> None:
    browsers = [signed_in(acme.ann) for _ in range(3)]
    answers = at_once([partial(send, browser, *three, key="k") for browser in browsers])
    assert [text(answer).count("Recorded.") for answer in answers] == [3, 3, 3]


def test_several_are_denied_for_one_reason_and_not_without_any(acme: Company, three: list[Effect]) -> None:
    ann = signed_in(acme.ann)
    answer = send(ann, *three, verdict="deny")
    assert answer.status_code == 422
    assert states(acme, three) == ["pending"] * 3
    send(ann, *three, verdict="deny", reason="The order was cancelled.")
    assert [acme.request(effect).closing_reason for effect in three] == ["The order was cancelled."] * 3


def test_the_high_tier_is_never_among_them(acme: Company, three: list[Effect]) -> None:
    high = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    ann = signed_in(acme.ann)
    inbox = ann.get("/approvals").content.decode()
    assert f'name="request" value="{high.request_id}"' not in inbox
    page = ann.get(address(high, *three))
    assert "it is decided by itself" in text(page)
    assert f'value="{high.request_id}:' not in page.content.decode()
    answer = send(ann, high, *three, read="yes")
    assert "3 of 4 recorded" in text(answer)
    assert "This is of the high tier" in text(answer)
    assert acme.request(high).state == "pending"


def test_after_its_time_nothing_is_decided_although_no_sweep_has_passed(acme: Company, three: list[Effect]) -> None:
    with later(minutes=31):
        ann = signed_in(acme.ann)
        assert "Approve these" not in text(ann.get(address(*three)))
        assert text(send(ann, *three)).count("has run out") == 3


def test_the_asker_and_strangers_decide_nothing(acme: Company, globex: Company, three: list[Effect]) -> None:  # APR-07
    assert text(send(signed_in(acme.ben), *three)).count("answers for the agent that asks") == 3
    for name in ("sam", "dora", "oscar"):
        assert "0 of 3 recorded" in text(send(signed_in(acme.members[name]), *three))
    cara = signed_in(globex.cara)
    assert "3 of those that were selected are not here" in text(cara.get(address(*three)))
    theirs = text(send(cara, *three))
    assert "0 of 3 recorded" in theirs
    assert "Refund" not in theirs
    assert states(acme, three) == ["pending"] * 3


def test_a_selection_has_a_bound_and_is_not_nothing(acme: Company, three: list[Effect]) -> None:
    ann = signed_in(acme.ann)
    assert ann.get("/approvals/together").status_code == 400
    assert ann.get("/approvals/together?request=x").status_code == 400
    assert ann.get("/approvals/together?" + "&".join(f"request={uuid4()}" for _ in range(51))).status_code == 422
    wrongs: list[dict[str, Any]] = [
        {"item": []}, {"item": ["x:y"]}, {"verdict": "maybe"}, {"idempotency_key": ""}, {"idempotency_key": "x" * 230},
    ]  # fmt: skip
    for wrong in wrongs:
        assert send(ann, *three, **wrong).status_code == 400, wrong
    assert ann.get("/approvals/together/decide").status_code == 405
    assert states(acme, three) == ["pending"] * 3
