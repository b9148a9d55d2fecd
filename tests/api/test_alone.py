"""Stand-alone requests by REST: an agent asks, waits, uses, reports, and is told apart how each of them ended."""

from typing import Any

import pytest

from tests.api.desk import Answer, Caller, key_for, members_key
from tests.cast import Company, inside, later
from tests.work import sweep

REFUND = {
    "operation": "refund", "target": "order:1042", "arguments": {"order": "1042", "amount": "120.00", "currency": "EUR"},
    "summary": "Refund 120 EUR by hand", "reason": "The parcel arrived broken.",
}  # fmt: skip


def ask(agent: Caller, key: str = "", **more: Any) -> Answer:
    """Have the agent ask."""
    return agent.post("approvals", {**REFUND, **more}, key=key)


def approve(company: Company, asked: Answer, name: str = "ann") -> None:
    """Have a member approve it, on the page."""
    from approvals.deciding import voting

    voting.approve(
        company.actor(name), asked["id"], shown_digest=asked["digest"], reason="", key=f"page-{asked['id']}-{name}"
    )


def deny(company: Company, asked: Answer, **more: Any) -> None:
    """Have a member deny it."""
    from approvals.deciding import voting

    voting.deny(
        company.actor("ann"),
        asked["id"],
        shown_digest=asked["digest"],
        reason="Not this much.",
        key=f"no-{asked['id']}",
        **more,
    )


def use(agent: Caller, asked: Answer, key: str = "") -> Answer:
    """Have the agent use it."""
    return agent.post(f"approvals/{asked['id']}/consume", {"digest": asked["digest"]}, key=key)


def test_the_whole_way(acme: Company, agent: Caller) -> None:
    asked = ask(agent, key="by-hand")
    assert (asked.status, asked["state"], asked["alone"], asked["effect"], asked["key"]) == (
        201,
        "pending",
        True,
        None,
        "by-hand",
    )
    assert asked.headers["Location"] == f"/api/v1/approvals/{asked['id']}"
    approve(acme, asked)
    news = agent.get(f"approvals/{asked['id']}?wait=5s&known=pending")
    assert (news["state"], news["outcome"]) == ("approved", None)
    permit = use(agent, asked, key="use")
    assert (permit.status, permit["arguments"]) == (200, {"amount": "120.00", "currency": "EUR", "order": "1042"})
    assert use(agent, asked, key="use")["replayed"] is True
    told = agent.post(f"approvals/{asked['id']}/outcome", {"outcome": "succeeded", "detail": "R-77"})
    assert (told.status, told["outcome"]) == (200, "succeeded")
    after = agent.get(f"approvals/{asked['id']}")
    assert (after["state"], after["outcome"], after["outcome_detail"]) == ("consumed", "succeeded", "R-77")


def test_sent_again_it_is_found_as_it_stands_now(acme: Company, agent: Caller) -> None:
    asked = ask(agent, key="k")
    approve(acme, asked)
    again = ask(agent, key="k")
    assert (again.status, again["id"], again["state"]) == (200, asked["id"], "approved")
    assert again.headers["Idempotent-Replayed"] == "true"
    other = ask(agent, key="k", summary="Refund 1 EUR")
    assert (other.status, other.code) == (422, "key_reused")


def test_exp_05_the_first_poll_of_a_fresh_one_says_pending(agent: Caller) -> None:
    """One clock, and the deadline that was told: pending until then, expired after it, whether anything swept or not."""
    asked = ask(agent, deadline_seconds=30)
    for seconds in (0, 1, 12, 29):
        with later(seconds=seconds):
            polled = agent.get(f"approvals/{asked['id']}?wait=1s&known=other")
            assert (polled["state"], polled["can_be_decided"], polled["decide_by"]) == (
                "pending",
                True,
                asked["decide_by"],
            )
    with later(seconds=31):
        assert agent.get(f"approvals/{asked['id']}")["can_be_decided"] is False
        sweep()
        assert agent.get(f"approvals/{asked['id']}")["state"] == "expired"


def test_what_the_policy_allows_is_approved_at_once_and_names_nobody(agent: Caller) -> None:
    asked = ask(agent, arguments={"order": "1042", "amount": "20.00", "currency": "EUR"})
    assert (asked.status, asked["state"], asked["decisions"], asked["groups"], asked["quorum"]) == (
        201,
        "approved",
        [],
        [],
        0,
    )
    assert use(agent, asked).status == 200


def test_endings_are_told_apart(acme: Company, agent: Caller) -> None:
    """Page convention 18: which end it was, why, and whether to ask again."""
    denied, expired, withdrawn, lapsed = ask(agent), ask(agent, deadline_seconds=60), ask(agent), ask(agent)
    deny(acme, denied, alternative={"order": "1042", "amount": "60.00", "currency": "EUR"})
    approve(acme, lapsed)
    agent.post(f"approvals/{withdrawn['id']}/withdraw", {"reason": "Done by the shop."})
    with later(hours=2):
        sweep()
        found = {
            word: agent.get(f"approvals/{asked['id']}")
            for word, asked in {"denied": denied, "expired": expired, "withdrawn": withdrawn, "lapsed": lapsed}.items()
        }
    assert {word: (each["state"], each["closing_reason"], each["may_resubmit"]) for word, each in found.items()} == {
        "denied": ("denied", "Not this much.", False),
        "expired": ("expired", "nobody decided in time", True),
        "withdrawn": ("withdrawn", "Done by the shop.", True),
        "lapsed": ("lapsed", "it was not begun in time", True),
    }
    assert found["denied"]["alternative"] == {"order": "1042", "amount": "60.00", "currency": "EUR"}
    assert found["expired"]["decisions"] == []
    for word, each in found.items():
        refused = use(agent, each)
        assert (refused.status, refused.code, refused["verdict"]) == (409, "not_covered", word)


def test_an_effects_own_document_says_the_same(acme: Company, agent: Caller) -> None:
    effect = agent.propose(agent.run())
    asked = agent.get(f"approvals/{effect['approval']['id']}")
    deny(acme, asked)
    told = agent.get(f"effects/{effect['id']}")["approval"]
    assert (told["state"], told["reason"], told["may_resubmit"]) == ("denied", "Not this much.", False)


def test_nothing_reported_is_unknown_before_anybody_swept(acme: Company, agent: Caller) -> None:
    asked = ask(agent)
    approve(acme, asked)
    use(agent, asked)
    assert agent.get(f"approvals/{asked['id']}")["outcome"] is None
    with later(hours=1, seconds=1):
        assert agent.get(f"approvals/{asked['id']}")["outcome"] == "unknown"
        refused = use(agent, asked)
        assert (refused.status, refused.code) == (409, "already_used")
        guessed = agent.post(f"approvals/{asked['id']}/outcome", {"outcome": "failed"})
        assert (guessed.status, guessed.code) == (422, "detail_missing")
        late = agent.post(
            f"approvals/{asked['id']}/outcome", {"outcome": "failed", "detail": "The portal shows no refund."}
        )
        assert late.status == 200
        again = agent.post(f"approvals/{asked['id']}/outcome", {"outcome": "succeeded", "detail": "It was late."})
        assert (again.status, again.code, again["outcome"]) == (409, "outcome_stands", "failed")


def test_a_stranger_finds_nothing_and_a_colleague_reads_only(acme: Company, agent: Caller, stranger: Caller) -> None:
    from console.identity import administration

    colleague = Caller(key_for(acme, administration.add_agent(acme.by, "second-bot", acme.members["ben"])))
    asked = ask(agent)
    approve(acme, asked)
    for caller, read in ((stranger, 404), (colleague, 200)):
        assert caller.get(f"approvals/{asked['id']}").status == read
        for path, body in (
            ("withdraw", {}),
            ("consume", {"digest": asked["digest"]}),
            ("outcome", {"outcome": "succeeded"}),
        ):
            assert caller.post(f"approvals/{asked['id']}/{path}", body).status == 404
    assert agent.get(f"approvals/{asked['id']}")["state"] == "approved"


def test_a_members_key_does_not_ask_and_does_not_use(acme: Company, agent: Caller) -> None:
    tool = Caller(members_key(acme, "ann"))
    asked = ask(agent)
    assert tool.get(f"approvals/{asked['id']}")["id"] == asked["id"]
    for path in ("approvals", f"approvals/{asked['id']}/consume", f"approvals/{asked['id']}/withdraw"):
        refused = tool.post(path, {})
        assert (refused.status, refused.code, refused["whose"]) == (403, "wrong_kind_of_key", "agent")


@pytest.mark.parametrize(
    "more",
    [
        {"operation": "Refund"}, {"operation": ""}, {"operation": "x" * 64}, {"target": ""}, {"summary": " "}, {"summary": "x" * 501},
        {"tier": "highest"}, {"arguments": []}, {"arguments": {"a": float("inf")}}, {"deadline_seconds": 0}, {"policy": "mine"},
        {"irreversible": "yes"},
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(agent: Caller, more: dict[str, Any]) -> None:
    assert ask(agent, **more).status in {400, 422}
    assert agent.get("approvals?mine=true")["items"] == []


def test_arguments_that_nobody_could_read_are_refused(agent: Caller) -> None:
    refused = ask(agent, arguments={"note": "x" * 66_000})
    assert (refused.status, refused.code) == (422, "arguments_too_long")


def test_a_policys_no_is_no_request(agent: Caller, acme: Company) -> None:
    from console.documents import load
    from tests.cast import put_in_force

    denies = (
        "{apiVersion: counterfoil/v1, kind: Policy, name: wipes, version: 1, description: Never., operations: [wipe],\n"
        " rules: [{name: never, then: deny, reason: Nothing is wiped.}], otherwise: deny}"
    )
    put_in_force(acme.by, load(denies))
    refused = ask(agent, operation="wipe")
    assert (refused.status, refused.code, refused["detail"], refused["may_resubmit"]) == (
        403, "denied_by_policy", "Nothing is wiped.", False,
    )  # fmt: skip
    assert agent.get("approvals?mine=true")["items"] == []
    with inside():
        from console.ledger.models import Refusal as KeptRefusal

        assert list(KeptRefusal.objects.values_list("type", flat=True)) == ["denied_by_policy"]
