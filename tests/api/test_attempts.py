"""What an agent does itself, by REST: begun with the run's epoch, kept and reported with the attempt's fence, each refusal by name."""

import pytest

from console.documents import load
from tests import clock
from tests.api.desk import Answer, Caller, contracts, key_for
from tests.cast import Company, put_in_force
from tests.permits import DONE, LEASE, label, phone


@pytest.fixture
def press(acme: Company, agent: Caller) -> Caller:
    """acme's agent, which prints labels itself."""
    put_in_force(acme.by, [*load(label()), *load(phone())])
    return agent


def ready(press: Caller, operation: str = "label") -> Answer:
    """Have an effect that can be begun."""
    effect = {"key": "a", "operation": operation, "arguments": {"to": "bob", "amount": "10"}}
    made = press.run(effect)
    return press.get(f"effects/{made['effects'][0]['id']}")


def begun(press: Caller, effect: Answer, key: str = "") -> Answer:
    """Begin it."""
    return press.post(f"effects/{effect['id']}/attempts", key=key, token=1)


def test_the_whole_way_from_ready_to_done(press: Caller) -> None:
    effect = ready(press)
    assert (effect["executor"], effect["state"]) == ("agent", "ready")
    permit = begun(press, effect)
    assert (permit.status, permit["arguments"], permit["effect"]) == (200, {"to": "bob", "amount": "10"}, effect["id"])
    attempt = f"attempts/{permit['attempt']}"
    beat = press.post(f"{attempt}/heartbeat", key=None, token=permit["fence"])
    assert (beat.status, beat["lease_expires_at"] >= permit["lease_expires_at"]) == (200, True)
    said = {"outcome": "succeeded", "result": DONE, "reference": "L-77", "evidence": "Printed."}
    receipt = press.post(f"{attempt}/report", said, token=permit["fence"])
    assert (receipt.status, receipt["state"]) == (200, "succeeded")
    seen = press.get(f"effects/{effect['id']}")
    assert (seen["result"], seen["operation_reference"]) == ({"label": "L-77", "weight": "1.5"}, "L-77")
    (tried,) = seen["attempts"]
    assert (tried["worker"].partition(":")[0], tried["evidence"]["evidence"], tried["lease_expires_at"]) == (
        "agent",
        "Printed.",
        None,
    )


def test_each_is_done_once_for_its_key(press: Caller) -> None:
    effect = ready(press)
    first, again = begun(press, effect, "mine"), begun(press, effect, "mine")
    assert (again["attempt"], again["replayed"]) == (first["attempt"], True)
    other = begun(press, effect, "other")
    assert (other.status, other.code, other["state"]) == (409, "already_held", "dispatched")
    report = (f"attempts/{first['attempt']}/report", {"outcome": "rejected", "reason": "No paper."})
    told, retold = (
        press.post(*report, key="r", token=first["fence"]),
        press.post(*report, key="r", token=first["fence"]),
    )
    assert ({**told.document, "replayed": True}, retold.status) == (retold.document, 200)
    assert press.post(*report, token=first["fence"]).code == "already_reported"


@pytest.mark.parametrize("what", ["heartbeat", "report", "hand-back"])
def test_the_fence_is_asked_for_and_compared(press: Caller, what: str) -> None:
    permit = begun(press, ready(press))
    body = {"outcome": "succeeded", "result": DONE} if what == "report" else {}
    address = f"attempts/{permit['attempt']}/{what}"
    assert press.post(address, body).code == "missing_token"
    assert press.post(address, body, token="one").code == "bad_token"
    other = press.post(address, body, token=permit["fence"] + 1)
    assert (other.status, other.code, other["state"]) == (409, "stale_fence", "dispatched")


def test_a_report_after_the_lease_is_refused_and_shown_as_late(press: Caller) -> None:
    effect = ready(press)
    permit = begun(press, effect)
    with clock.at(LEASE + 1):
        late = press.post(
            f"attempts/{permit['attempt']}/report", {"outcome": "succeeded", "result": DONE}, token=permit["fence"]
        )
    assert (late.status, late.code) == (409, "lease_lost")
    assert press.get(f"effects/{effect['id']}")["attempts"][0]["late"]["outcome"] == "succeeded"


@pytest.mark.parametrize(
    ("said", "code", "path"),
    [
        ({}, "invalid", "/outcome"), ({"outcome": "fine"}, "invalid", "/outcome"), ({"outcome": "denied"}, "outcome_not_taken", "/outcome"),
        ({"outcome": "succeeded"}, "bad_result", "/result/label"),
        ({"outcome": "succeeded", "result": {**DONE, "x": 1}}, "bad_result", "/result/x"),
        ({"outcome": "succeeded", "result": []}, "bad_result", "/result"),
        ({"outcome": "succeeded", "how": "well"}, "unknown_field", "/how"),
        ({"outcome": "rejected", "reason": "x" * 4001}, "invalid", "/reason"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_report_is_said_with_its_place(press: Caller, said: object, code: str, path: str) -> None:
    permit = begun(press, ready(press))
    refused = press.post(f"attempts/{permit['attempt']}/report", said, token=permit["fence"])
    assert (refused.status, refused.code, refused["path"]) == (422, code, path)


def test_what_was_handed_back_is_ready_again(press: Caller) -> None:
    effect = ready(press)
    permit = begun(press, effect)
    back = press.post(f"attempts/{permit['attempt']}/hand-back", {"reason": "No labels."}, token=permit["fence"])
    assert (back.status, back["state"], back["outcome"]) == (200, "ready", "not_sent")
    assert begun(press, effect)["number"] == 2


def test_beginning_takes_no_body_the_epoch_and_what_is_the_agents_to_do(press: Caller) -> None:
    effect = ready(press)
    address = f"effects/{effect['id']}/attempts"
    assert press.post(address, {"fast": True}, token=1).code == "unknown_field"
    assert press.post(address).code == "missing_token"
    assert press.post(address, token=2).code == "stale_token"
    assert press.post(address, key=None, token=1).code == "missing_key"
    theirs = begun(press, ready(press, "phone"))
    assert (theirs.status, theirs.code, theirs["executor"]) == (403, "not_by_you", "human")
    assert begun(press, effect).status == 200


def test_a_stranger_sees_nothing_of_it(press: Caller, globex: Company) -> None:
    contracts(globex)
    stranger = Caller(key_for(globex))
    effect = ready(press)
    permit = begun(press, effect)
    assert begun(stranger, effect).code == "not_found"
    for what in ("heartbeat", "report", "hand-back"):
        body = {"outcome": "succeeded", "result": DONE} if what == "report" else {}
        assert stranger.post(f"attempts/{permit['attempt']}/{what}", body, token=1).code == "not_found"


def test_what_went_wrong_is_named_by_its_class(press: Caller) -> None:
    effect = ready(press)
    assert press.get(f"effects/{effect['id']}")["failure_class"] is None
    permit = begun(press, effect)
    press.post(f"attempts/{permit['attempt']}/report", {"outcome": "rejected", "reason": "No."}, token=permit["fence"])
    seen = press.get(f"effects/{effect['id']}")
    assert (seen["state"], seen["failure_class"]) == ("rejected", "business_rejection")
    assert [tried["failure_class"] for tried in seen["attempts"]] == ["business_rejection"]


def test_another_way_is_told_on_both_effects(press: Caller) -> None:
    first = ready(press)
    permit = begun(press, first)
    press.post(f"attempts/{permit['attempt']}/report", {"outcome": "rejected", "reason": "No."}, token=permit["fence"])
    way = {"operation": "label", "arguments": {"to": "bob", "amount": "5"}, "supersedes": first["id"]}
    second = press.post(f"runs/{first['run']}/effects", way, token=1)
    assert (second.status, second["supersedes"]) == (201, first["id"])
    assert press.get(f"effects/{first['id']}")["superseded_by"] == [second["id"]]
    begun(press, second)
    third = press.post(f"runs/{first['run']}/effects", {**way, "supersedes": second["id"]}, token=1)
    assert (third.status, third.code, third["state"]) == (409, "superseded_still_open", "dispatched")


def test_a_lost_write_is_an_unknown_outcome(press: Caller) -> None:
    effect = ready(press)
    permit = begun(press, effect)
    press.post(f"attempts/{permit['attempt']}/report", {"outcome": "unknown", "reason": "?"}, token=permit["fence"])
    seen = press.get(f"effects/{effect['id']}")
    assert (seen["state"], seen["failure_class"]) == ("unknown", "unknown_outcome")
