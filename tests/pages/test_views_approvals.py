"""The queue, the card and the decision: one decision, and the truth shown every time."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from approvals.models import Decision
from console.ledger.models import Refusal
from runs import driving
from runs.models import Effect
from tests.cast import Company, inside, later, shown, signed_in, work
from tests.pages.browsing import HTMX, at_once, from_a_later_version, text, without_tokens


def form(effect: Effect, verdict: str = "approve", **fields: str) -> dict[str, str]:
    """Fill the decision form in as the card of the effect would send it."""
    return {"verdict": verdict, "reason": "", "shown_digest": shown(effect), "idempotency_key": str(uuid4()), **fields}


def decide(browser: Client, effect: Effect, verdict: str = "approve", *, htmx: bool = True, **fields: str) -> Any:
    """Send it."""
    return browser.post(
        f"/approvals/{effect.request_id}/decide", form(effect, verdict, **fields), headers=HTMX if htmx else {}
    )


def decisions(effect: Effect) -> list[tuple[str, str]]:
    """Give who decided what."""
    with inside():
        found = Decision.objects.filter(request=effect.request_id).select_related("member__user").order_by("at")
        return [(decision.member.user.name, decision.verdict) for decision in found]


def refusals(effect: Effect) -> list[str]:
    """Give the refusals that were kept about a request."""
    with inside():
        return list(
            Refusal.objects.filter(subject=str(effect.request_id)).order_by("id").values_list("type", flat=True)
        )


def test_approving_releases_it(acme: Company) -> None:
    effect = acme.propose(acme.run())
    answer = decide(signed_in(acme.ann), effect, reason="Matches the statement.")
    assert answer.status_code == 200
    assert "Recorded." in text(answer)
    assert acme.request(effect).state == "approved"
    work(result={"refund": "rf_1"})
    assert acme.stored(effect).state == "succeeded"
    assert decisions(effect) == [("Ann Okafor", "approve")]


def test_denying_ends_it_and_tells_why(acme: Company) -> None:
    effect = acme.propose(acme.run())
    answer = decide(signed_in(acme.ann), effect, "deny", reason="Already paid back in October.")
    assert answer.status_code == 200
    assert "It will not be done" in text(answer)
    work()
    assert (acme.stored(effect).state, acme.stored(effect).state_reason) == ("denied", "Already paid back in October.")


def test_an_answer_to_htmx_is_the_card_with_its_row(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.propose(acme.run("Another"), amount="77.00")
    told = decide(signed_in(acme.ann), effect).content.decode()
    assert told.lstrip().startswith("<article")
    assert f'id="row-{effect.request_id}"' in told
    assert 'hx-swap-oob="true"' in told
    assert "data-next" in told


def test_a_decision_without_javascript_leads_to_the_card_with_its_receipt(acme: Company) -> None:
    effect = acme.propose(acme.run())
    ann = signed_in(acme.ann)
    sent = form(effect)
    for _ in range(2):
        answer = ann.post(f"/approvals/{effect.request_id}/decide", sent)
        assert (answer.status_code, answer["Location"]) == (
            303,
            f"/approvals/{effect.request_id}?receipt={sent['idempotency_key']}",
        )
        assert answer["Cache-Control"] == "no-store"
        page = ann.get(answer["Location"])
        assert page.content.lstrip().startswith(b"<!doctype html>")
        assert "Recorded." in text(page)
    for other in (
        signed_in(acme.amir).get(answer["Location"]),
        ann.get(f"/approvals/{effect.request_id}?receipt=another"),
    ):
        assert "Recorded." not in text(other)


def test_a_refusal_without_javascript_is_the_whole_page_under_its_status(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.deny("amir", effect)
    answer = decide(signed_in(acme.ann), effect, htmx=False)
    assert answer.status_code == 409
    assert answer.content.lstrip().startswith(b"<!doctype html>")
    assert "Amir Saleh denied" in text(answer)


def test_the_form_sends_what_the_card_shows(acme: Company) -> None:
    effect = acme.propose(acme.run())
    browser = signed_in(acme.ann)
    page = browser.get(f"/approvals/{effect.request_id}").content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    assert fields["shown_digest"] == shown(effect)
    answer = browser.post(f"/approvals/{effect.request_id}/decide", fields | {"verdict": "approve"})
    assert answer.status_code == 303
    assert acme.request(effect).state == "approved"


def test_the_page_shows_the_effective_arguments(acme: Company) -> None:  # APR-03
    effect = acme.propose(acme.run(), amount="100", currency="EUR")
    said = text(signed_in(acme.ann).get(f"/approvals/{effect.request_id}"))
    assert "amount 100" in said
    assert "currency EUR" in said


def test_nothing_of_a_long_text_is_cut(acme: Company) -> None:  # APR-17
    reason = "x" * 1800 + " DELETE-ALL"
    effect = acme.propose(acme.run(), reason=reason)
    assert reason in signed_in(acme.ann).get(f"/approvals/{effect.request_id}").content.decode()


def test_what_agents_write_is_shown_as_typed(acme: Company) -> None:  # SEC-05
    nasty = """</script><img src=x onerror=alert(1)>"><svg onload=alert(1)>[x](javascript:alert(1))"""
    run = acme.run(goal=nasty)
    effect = acme.propose(run, reason=nasty, order=nasty[:60])
    browser = signed_in(acme.ann)
    for address in (
        "/",
        "/approvals",
        f"/approvals/{effect.request_id}",
        "/runs",
        f"/runs/{run.pk}",
        "/runs?q=onerror",
    ):
        page = browser.get(address).content.decode()
        assert "&lt;img src=x" in page
        assert "<img src=x" not in page
        assert "<svg onload" not in page


# The second person, the second click, the second tab


def test_twice_at_once_is_one_decision_and_the_truth_both_times(acme: Company) -> None:  # UI-06
    effect = acme.propose(acme.run())
    sent = form(effect)
    answers = at_once([lambda: post(acme, "ann", effect, sent) for _ in range(5)])
    assert [status for status, _ in answers] == [200] * 5
    assert all("Recorded." in said and "Approved, and not started yet" in said for _, said in answers)
    assert decisions(effect) == [("Ann Okafor", "approve")]


def test_of_two_people_at_once_one_decides_and_the_other_is_told_so(acme: Company) -> None:  # APR-01
    for verdict in ("approve", "deny") * 3:
        effect = acme.propose(acme.run())
        ours, theirs = form(effect, "approve"), form(effect, "deny", reason="No.")
        if verdict == "deny":
            ours, theirs = theirs, ours
        answers = at_once([lambda: post(acme, "ann", effect, ours), lambda: post(acme, "amir", effect, theirs)])  # noqa: B023
        assert sorted(status for status, _ in answers) == [200, 409]
        winner, said = decisions(effect), next(said for status, said in answers if status == 409)
        assert len(winner) == 1
        assert "already decided" in said
        assert f"{winner[0][0]} {'approved' if winner[0][1] == 'approve' else 'denied'}" in said
        assert acme.request(effect).state == ("approved" if winner[0][1] == "approve" else "denied")
        assert refusals(effect) == ["already_resolved"]


def test_a_second_try_later_is_told_what_stands(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.deny("amir", effect, "Wrong order.")
    answer = decide(signed_in(acme.ann), effect)
    assert answer.status_code == 409
    assert "Nothing was recorded. This was already decided. Amir Saleh denied" in text(answer)
    assert "Wrong order." in text(answer)
    assert "<form" not in answer.content.decode()


def test_the_same_form_for_another_verdict_changes_nothing(acme: Company) -> None:
    effect = acme.propose(acme.run())
    sent = form(effect)
    browser = signed_in(acme.ann)
    browser.post(f"/approvals/{effect.request_id}/decide", sent, headers=HTMX)
    answer = browser.post(
        f"/approvals/{effect.request_id}/decide", sent | {"verdict": "deny", "reason": "No."}, headers=HTMX
    )
    assert answer.status_code == 422
    assert "already used to decide otherwise" in text(answer)
    assert acme.request(effect).state == "approved"


def test_a_quorum_counts_people(acme: Company) -> None:  # APR-09
    effect = acme.propose(acme.run(), amount="1500.00")
    ann = signed_in(acme.ann)
    assert "1 of 2 approvals are in" in text(decide(ann, effect))
    again = decide(ann, effect)
    assert again.status_code == 409
    assert "already counted" in text(again)
    assert acme.request(effect).state == "pending"
    assert f'id="row-{effect.request_id}"' not in ann.get("/approvals").content.decode()
    assert f'id="row-{effect.request_id}"' in ann.get("/approvals?whose=others").content.decode()
    assert "Your word on this is already counted" in text(ann.get(f"/approvals/{effect.request_id}"))
    decide(signed_in(acme.amir), effect)
    assert acme.request(effect).state == "approved"


# Who may not


def test_whoever_answers_for_the_agent_does_not_decide(acme: Company) -> None:  # APR-07
    effect = acme.propose(acme.run())
    ben = signed_in(acme.ben)
    page = ben.get(f"/approvals/{effect.request_id}")
    assert "does not decide" in text(page)
    assert 'name="verdict"' not in page.content.decode()
    for number, verdict in enumerate(("approve", "deny"), 1):
        answer = decide(ben, effect, verdict, reason="x")
        assert answer.status_code == 403
        assert "answers for the agent that asks" in text(answer)
        assert refusals(effect) == ["separation_of_duties"] * number
    assert acme.request(effect).state == "pending"


def test_members_outside_the_group_do_not_decide(acme: Company) -> None:
    effect = acme.propose(acme.run())
    for name in ("sam", "dora", "oscar"):
        browser = signed_in(acme.members[name])
        assert 'name="verdict"' not in browser.get(f"/approvals/{effect.request_id}").content.decode()
        answer = decide(browser, effect)
        assert answer.status_code == 403
        assert "other groups" in text(answer)
    assert decisions(effect) == []


def test_the_card_offers_exactly_what_the_decision_allows(acme: Company) -> None:
    for name in acme.members:
        effect = acme.propose(acme.run())
        browser = signed_in(acme.members[name])
        offered = 'name="verdict"' in browser.get(f"/approvals/{effect.request_id}").content.decode()
        assert offered == (decide(browser, effect).status_code == 200), name


def test_another_tenants_request_is_not_here(acme: Company, globex: Company) -> None:  # SEC-01
    effect = acme.propose(acme.run())
    cara = signed_in(globex.cara)
    theirs = decide(cara, effect)
    nothing = cara.post(f"/approvals/{uuid4()}/decide", form(effect), headers=HTMX)
    assert (theirs.status_code, without_tokens(theirs)) == (404, without_tokens(nothing))
    assert decisions(effect) == []
    assert "Refund" not in text(cara.get("/approvals"))


def test_whoever_is_signed_out_decides_nothing(acme: Company) -> None:  # UI-01
    effect = acme.propose(acme.run())
    back = f"/accounts/login/?next=%2Fapprovals%2F{effect.request_id}"
    plain = decide(Client(), effect, htmx=False)
    assert (plain.status_code, plain["Location"]) == (303, back)
    assert decide(Client(), effect)["HX-Redirect"] == back
    assert decisions(effect) == []


def test_a_decision_is_a_post(acme: Company) -> None:
    effect = acme.propose(acme.run())
    ann = signed_in(acme.ann)
    for method in ("get", "head", "put", "delete"):
        answer = getattr(ann, method)(f"/approvals/{effect.request_id}/decide")
        assert (answer.status_code, answer["Allow"]) == (405, "POST")


# What is no longer as it was


def test_another_digest_than_the_one_in_force_is_a_stale_view(acme: Company) -> None:  # APR-12
    effect = acme.propose(acme.run())
    answer = decide(signed_in(acme.ann), effect, shown_digest="0" * 64, reason="typed before")
    assert answer.status_code == 412
    assert "What changed since you looked" in text(answer)
    assert "typed before" in answer.content.decode()
    assert decisions(effect) == []
    assert refusals(effect) == ["stale_view"]


@pytest.mark.parametrize("digest", ["", "zz", "é", "0" * 10_000])
def test_a_digest_that_is_none_is_a_stale_view(acme: Company, digest: str) -> None:
    assert decide(signed_in(acme.ann), acme.propose(acme.run()), shown_digest=digest).status_code == 412


def test_past_its_time_nothing_is_decided(acme: Company) -> None:  # EXP-01
    effect = acme.propose(acme.run())
    with later(minutes=31):
        ann = signed_in(acme.ann)
        page = ann.get(f"/approvals/{effect.request_id}")
        assert 'name="verdict"' not in page.content.decode()
        assert "expired and will not be done" in text(page)
        for verdict in ("approve", "deny"):
            answer = decide(ann, effect, verdict, reason="late")
            assert answer.status_code == 409
            assert "has run out" in text(answer)
        assert "Nothing waits for" in text(ann.get("/approvals"))
    assert acme.request(effect).state == "pending"


def test_what_was_withdrawn_is_not_decided(acme: Company) -> None:
    effect = acme.propose(acme.run())
    driving.withdraw(acme.bot, effect.pk, epoch=1, reason="The customer changed their mind.", key="w")
    answer = decide(signed_in(acme.ann), effect)
    assert answer.status_code == 409
    assert "withdrawn before it was decided" in text(answer)
    assert "The customer changed their mind." in text(answer)


def test_a_newer_policy_asks_anew(acme: Company) -> None:
    effect = acme.propose(acme.run())
    acme.new_policy(2)
    answer = decide(signed_in(acme.ann), effect)
    assert answer.status_code == 409
    assert "The policy changed" in text(answer)


# The form itself


def test_a_denial_needs_a_reason(acme: Company) -> None:
    effect = acme.propose(acme.run())
    for reason in ("", "   ", "x" * 2001):
        answer = decide(signed_in(acme.ann), effect, "deny", reason=reason)
        assert answer.status_code == 422
        assert 'aria-invalid="true"' in answer.content.decode()
    assert decisions(effect) == []


def test_lines_of_a_reason_count_once(acme: Company) -> None:
    effect = acme.propose(acme.run())
    assert decide(signed_in(acme.ann), effect, "deny", reason="\r\n".join(["y"] * 1000)).status_code == 200


def test_the_high_tier_is_read_before_it_is_approved(acme: Company) -> None:
    effect = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    ann = signed_in(acme.ann)
    answer = decide(ann, effect, reason="fine")
    assert answer.status_code == 422
    assert "Say that you have read" in text(answer)
    assert "fine" in answer.content.decode()
    assert decide(ann, effect, read="yes").status_code == 200


def test_the_high_tier_is_denied_without_further_ado(acme: Company) -> None:
    effect = acme.propose(acme.run(run_type="close-invoice"), "transfer")
    assert decide(signed_in(acme.ann), effect, "deny", reason="No.").status_code == 200


@pytest.mark.parametrize(
    "fields",
    [
        {"verdict": "maybe"}, {"verdict": ""}, {"idempotency_key": ""}, {"idempotency_key": "x" * 256}, {"reason": "a\x00b"},
        {"idempotency_key": "\x00"},
    ],
)  # fmt: skip
def test_a_form_that_cannot_be_read_records_nothing(acme: Company, fields: dict[str, str]) -> None:
    effect = acme.propose(acme.run())
    ann = signed_in(acme.ann, raise_request_exception=False)
    answer = ann.post(f"/approvals/{effect.request_id}/decide", form(effect) | fields, headers=HTMX)
    assert answer.status_code == 400
    assert decisions(effect) == []


def test_a_form_without_fields_records_nothing(acme: Company) -> None:
    effect = acme.propose(acme.run())
    ann = signed_in(acme.ann, raise_request_exception=False)
    for body, kind in (
        ({}, None),
        (b"\xff\xfe", "text/plain"),
        (b'{"verdict": "approve"}', "application/json"),
        (b"--x", "multipart/form-data; boundary=x"),
    ):
        sent: dict[str, Any] = {"data": body} | ({"content_type": kind} if kind else {})
        assert ann.post(f"/approvals/{effect.request_id}/decide", **sent).status_code == 400
    assert decisions(effect) == []


def test_a_state_of_a_later_version_is_shown_and_not_acted_on(acme: Company) -> None:  # UPG-03
    effect = acme.propose(acme.run())
    change = f"update approvals_request set state = 'pondered' where id = '{effect.request_id}'"
    with from_a_later_version("approvals_request", "approvals_request_state_known", change):
        ann = signed_in(acme.ann)
        page = ann.get(f"/approvals/{effect.request_id}")
        assert page.status_code == 200
        assert "unknown state: pondered" in text(page).lower()
        assert 'name="verdict"' not in page.content.decode()
        assert ann.get("/approvals").status_code == 200
        assert decide(ann, effect).status_code == 409


def post(company: Company, name: str, effect: Effect, sent: dict[str, str]) -> tuple[int, str]:
    """Send a decision form from a browser of one's own, and give what came back."""
    answer = signed_in(company.members[name]).post(f"/approvals/{effect.request_id}/decide", sent, headers=HTMX)
    return answer.status_code, text(answer)
