"""No message tells a secret, an argument beyond the summary, or how to decide: every kind about approvals is scanned."""

from datetime import timedelta
from typing import Any

import pytest
from uuid_utils.compat import uuid7

from approvals import telling
from approvals.models import BreakGlass, Delegation, Grant, Request
from console import clock
from console.notices import kinds, letters
from console.notices.models import Notice
from console.notices.posting import News, post_all
from tests.cast import Company, inside

PLANTED = "sesame-open-now"
LONG = "word " * 400


@pytest.fixture(autouse=True)
def _named(settings: Any) -> None:
    settings.PUBLIC_URL = "https://app.example.com"


def planted(acme: Company) -> Request:
    """Have a request whose arguments, snapshot and target's state hold secrets, and whose texts are long and of several lines."""
    request = acme.request(acme.propose(acme.run(), reason=f"Because of\n{LONG}"))
    with inside():
        Request.objects.filter(pk=request.pk).update(
            arguments=f'{{"token":"{PLANTED}"}}', shown=f'{{"token":"{PLANTED}"}}', target_state=f'{{"token":"{PLANTED}"}}',
            outcome_detail=PLANTED, reason=PLANTED, summary=f"Refund\n{LONG}",
        )  # fmt: skip
        return Request.objects.get(pk=request.pk)


def everything(acme: Company, request: Request) -> None:
    """Tell everything that there is to tell."""
    with inside(acme.tenant.pk):
        now, ann, amir = clock.now(), acme.actor("ann"), acme.actor("amir")
        telling.reminded([request], "half")
        telling.escalated(request, ["support"], "Nobody decided.")
        telling.extended(ann, request, "It needs longer.")
        telling.ended(ann, [request], "denied", "Paid already.", now)
        telling.became([(request, "succeeded")], now)
        days = {"starts_at": now, "ends_at": now + timedelta(days=1), "created_at": now}
        grant = Grant(
            id=uuid7(), tenant_id=acme.tenant.pk, operation="refund", target_pattern="order:*", constraint=f'"{PLANTED}"', uses_most=5,
            owner=acme.ann, groups=["finance"], purpose="Small ones", state="active", confirmed_by=acme.amir, **days,
        )  # fmt: skip
        telling.grant_proposed(ann, grant)
        telling.grant_confirmed(amir, grant)
        telling.grant_ended(amir, grant, "revoked", "Too many.")
        delegation = Delegation(
            id=uuid7(),
            tenant_id=acme.tenant.pk,
            giver=acme.ann,
            taker=acme.amir,
            reason="On leave.",
            revoked_at=now,
            **days,
        )
        telling.delegation_given(ann, delegation)
        telling.delegation_revoked(ann, delegation)
        glass = BreakGlass(
            id=uuid7(), tenant_id=acme.tenant.pk, request=request, member=acme.ann, target=request.target, reason="The bank closes.",
            opened_at=now, ends_at=now + timedelta(hours=1), review="It was.", justified=True,
        )  # fmt: skip
        telling.glass_broken(ann, glass, request)
        telling.glass_ended(glass, request)
        telling.glass_reviewed(amir, glass, request)
        telling.policy_published(ann, request.policy, 12)


def test_no_kind_tells_a_secret_or_how_to_decide(acme: Company) -> None:
    request = planted(acme)
    everything(acme, request)
    with inside():
        told = list(Notice.objects.order_by("posted_at"))
    assert {each.kind for each in told} >= {
        kind.name for kind in kinds.KINDS if kind.name.partition(".")[0] in {"approval", "grant", "delegation", "break_glass", "policy"}
    } - {kinds.DIGEST}  # fmt: skip
    for each in told:
        letter = _letter(each)
        for said in (letters.body(letter).decode(), letters.message(letter), letters.subject(letter)):
            assert PLANTED not in said, each.kind
            for word in ("decide?", "approve=", "deny=", "token=", "/decisions", "csrf", "idempotency"):
                assert word not in said, each.kind
        assert len(each.title) < 400, each.kind
        assert "\n" not in each.title


def test_what_is_left_out_is_said(acme: Company) -> None:
    request = planted(acme)
    with inside(acme.tenant.pk):
        telling.reminded([request], "most")
    with inside():
        assert "… (more on the page)" in Notice.objects.get(kind=kinds.REMINDED).title


def test_words_that_others_wrote_are_words_and_nothing_else(acme: Company) -> None:
    request = planted(acme)
    hostile = "{use_by} %s {0} <b>\u202egnp.exe"
    with inside(acme.tenant.pk):
        telling.ended(acme.actor("ann"), [request], "approved", hostile, clock.now())
    with inside():
        found = Notice.objects.get(kind=kinds.CLOSED)
    said = letters.message(_letter(found))
    assert "{use_by} %s {0} <b>\\u202egnp.exe" in said
    assert "\u202e" not in said


def test_a_key_that_was_used_is_not_told_again(acme: Company) -> None:
    request = planted(acme)
    for _ in range(2):
        with inside(acme.tenant.pk):
            telling.reminded([request], "half")
    with inside(acme.tenant.pk):
        assert Notice.objects.filter(kind=kinds.REMINDED).count() == 1
        news = News(None, "t", "x", "/", "k", telling.whom.asked(acme.tenant.pk, [request])[request.pk])
        assert len(post_all(acme.tenant.pk, kinds.ASKED, [news, news])) == 1


def _letter(notice: Notice) -> letters.Letter:
    return letters.Letter(
        delivery_id=uuid7(), attempt=1, channel="channel", tenant="acme", notice_id=notice.pk, kind=notice.kind, about=notice.about,
        title=notice.title, text=notice.text, path=notice.path, posted_at=notice.posted_at, address="json", wanted=True, endpoint_id=None,
        sealed_secret=None, because="You were told because you approve for finance.", state=notice.state, until=notice.deadline_at,
    )  # fmt: skip
