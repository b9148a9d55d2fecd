"""A tool proves that it is really its member who decides; wrong tries are counted, a proof is one person's and for a while."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from console.documents import load
from console.identity.adapter import account
from console.identity.models import StepUp
from tests.api.desk import Caller, members_key
from tests.breaking.glass import POLICY
from tests.cast import PASSWORD, Company, inside, later, put_in_force, signed_in
from tests.pages.proving import code, forget_tries, one_half_minute, set_up_app
from tests.record import told

__all__ = ["one_half_minute"]
pytestmark = pytest.mark.usefixtures("one_half_minute")
STEPPED = (
    POLICY.replace("[pay, wire]", "[refund]")
    .replace("use_within_seconds: 900,", "use_within_seconds: 900, step_up: {{within_seconds: 300}},")
    .replace("name: money", "name: refunds", 1)
    .format(version=1)
)


@pytest.fixture
def ann(acme: Company) -> Caller:
    """The tool of an approver."""
    return Caller(members_key(acme, "ann"))


@pytest.fixture
def asked(acme: Company) -> Any:
    """Something for which the policy wants a fresh proof."""
    put_in_force(acme.by, load(STEPPED))
    return acme.request(acme.propose(acme.run(), amount="2000.00"))


def decide(caller: Caller, request: Any, proof: str | None = None) -> Any:
    """Approve it."""
    headers = {"Idempotency-Key": f"k-{uuid4()}"} | ({"Step-Up-Proof": proof} if proof else {})
    body = {"verdict": "approve", "shown_digest": request.subject_digest.hex(), "reason": "Seen."}
    return caller.post(f"approvals/{request.pk}/decisions", body, **headers)


def test_a_decision_that_needs_a_proof_takes_one(acme: Company, ann: Caller, asked: Any) -> None:
    refused = decide(ann, asked)
    assert (refused.status, refused.code, refused["within_seconds"]) == (403, "step_up_needed", 300)
    given = ann.post("step-up", {"password": PASSWORD})
    assert given.status == 200
    with inside():
        kept = StepUp.objects.get()
    assert given["proof"] not in str(kept.__dict__)
    assert given["proof"] not in str(told(f"tenant:{acme.tenant.pk}"))
    amir = Caller(members_key(acme, "amir"))
    assert decide(amir, asked, given["proof"]).code == "bad_proof"
    with later(seconds=301):
        assert decide(ann, asked, given["proof"]).code == "bad_proof"
    assert decide(ann, asked, given["proof"])["receipt"] == "counted"


@pytest.mark.parametrize(
    "sent", [{}, {"password": "wrong"}, {"code": "000000"}, {"password": PASSWORD, "code": "000000"}]
)
def test_what_proves_nothing_is_refused(ann: Caller, sent: dict[str, str]) -> None:
    answer = ann.post("step-up", sent)
    assert (answer.status, answer.code) == (403, "proof_refused")


def test_who_has_a_second_factor_needs_its_code(acme: Company, ann: Caller) -> None:
    secret = set_up_app(signed_in(acme.ann))
    forget_tries()
    assert ann.post("step-up", {"password": PASSWORD}).code == "proof_refused"
    assert ann.post("step-up", {"code": code(secret)}).status == 200
    assert ann.post("step-up", {"code": code(secret)}).code == "proof_refused"


def test_wrong_tries_are_counted_with_those_of_signing_in(acme: Company, ann: Caller) -> None:
    for _ in range(5):
        assert ann.post("step-up", {"password": "wrong"}).code == "proof_refused"
    answer = ann.post("step-up", {"password": PASSWORD})
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (429, "too_many_tries", "300")
    page = Client().post("/accounts/login/", {"login": acme.ann.user.email, "password": PASSWORD})
    assert b"Too many" in page.content


def test_wrong_passwords_are_counted_for_an_account_whatever_host_and_port_were_asked(
    acme: Company, ann: Caller, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "ours.example"]
    wrong = {"login": acme.ann.user.email, "password": "wrong"}
    for place, host in enumerate(["ours.example", "ours.example:1", "localhost:2", "localhost:3", "ours.example:4"]):
        browser = Client(headers={"host": host}, REMOTE_ADDR=f"192.0.2.{place}")
        assert b"Too many" not in browser.post("/accounts/login/", wrong).content
    elsewhere = Client(headers={"host": "ours.example:5"}, REMOTE_ADDR="192.0.2.6")
    assert b"Too many" in elsewhere.post("/accounts/login/", wrong | {"password": PASSWORD}).content
    assert ann.post("step-up", {"password": PASSWORD}).code == "too_many_tries"


@pytest.mark.parametrize("written", ["ANN@acme.example", "ann@acme.example ", "a\uff4en@acme.example"])
def test_an_account_is_counted_once_however_its_address_is_written(written: str) -> None:
    assert account(written) == account("ann@acme.example")


def test_wrong_proofs_are_counted(ann: Caller, asked: Any) -> None:
    codes = [decide(ann, asked, "cfp_guess").code for _ in range(12)]
    assert codes == ["bad_proof"] * 10 + ["too_many_tries"] * 2


def test_it_is_for_keys_that_decide(acme: Company, agent: Caller) -> None:
    assert agent.post("step-up", {"password": PASSWORD}).code == "wrong_kind_of_key"
    reader = Caller(members_key(acme, "ann", scopes=["approvals:read"]))
    assert reader.post("step-up", {"password": PASSWORD}).code == "missing_scope"
