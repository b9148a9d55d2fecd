"""Corrections by REST: made on a user's word, listed, acknowledged; what contradicts them is refused."""

from tests.api.desk import Answer, Caller

NO_MORE = {
    "text": "At most 50 euros.", "source": "message 14",
    "contradicts": {"operation": "refund", "argument": "amount", "must": {"op": "lte", "value": "50"}},
}  # fmt: skip


def refund(amount: str) -> dict[str, object]:
    """Write a refund."""
    return {"operation": "refund", "arguments": {"order": "1042", "amount": amount, "currency": "EUR"}}


def made(agent: Caller) -> Answer:
    """Make a run that would refund too much."""
    effects = [{"key": "refund", **refund("120.00")}]
    return agent.post(
        "runs", {"run_type": "customer-case", "goal": "Make order 1042 right", "effects": effects}, key="the run"
    )


def test_a_correction_withdraws_is_listed_and_has_to_be_acknowledged(agent: Caller) -> None:
    run = made(agent)
    receipt = agent.post(f"runs/{run['id']}/corrections", NO_MORE, key="word")
    assert (receipt.status, receipt["number"], receipt["withdrawn"]) == (200, 1, [run["effects"][0]["id"]])
    assert agent.get(f"effects/{run['effects'][0]['id']}")["state"] == "withdrawn"
    [listed] = agent.get(f"runs/{run['id']}/corrections")["items"]
    assert (listed["text"], listed["says"], listed["seen"]) == (
        "At most 50 euros.", "refund only where the amount is at most 50", False,
    )  # fmt: skip
    refused = agent.post(f"runs/{run['id']}/effects", refund("40"), key="less", token=1)
    assert (refused.status, refused.code, refused["corrections"]) == (409, "corrections_unseen", 1)
    seen = agent.post(f"runs/{run['id']}/corrections/acknowledge", {"number": 1}, key="seen", token=1)
    assert (seen.status, seen["seen"]) == (200, 1)
    refused = agent.post(f"runs/{run['id']}/effects", refund("51"), key="more", token=1)
    assert (refused.status, refused.code, refused["correction"]) == (409, "contradicts_correction", 1)
    assert agent.post(f"runs/{run['id']}/effects", refund("40"), key="less", token=1).status == 201
    assert (agent.get(f"runs/{run['id']}")["corrections"], agent.get(f"runs/{run['id']}")["corrections_seen"]) == (1, 1)


def test_what_is_not_understood_is_refused_with_its_place(agent: Caller) -> None:
    run = made(agent)
    wrong = {
        **NO_MORE,
        "contradicts": {"operation": "refund", "argument": "amount", "must": {"op": "like", "value": 1}},
    }
    refused = agent.post(f"runs/{run['id']}/corrections", wrong, key="word")
    assert (refused.status, refused.code, refused["path"]) == (422, "bad_correction", "/contradicts/must/op")
    refused = agent.post(f"runs/{run['id']}/corrections/acknowledge", {"number": 1}, key="seen", token=1)
    assert (refused.status, refused.code) == (422, "no_such_correction")
