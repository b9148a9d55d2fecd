"""What people do about work items by their tools: the same moves as on pages, the same refusals, and never an agent's (R-J2, CMP-01)."""

import base64
from typing import Any
from uuid import UUID, uuid4

import pytest

from compensation.models import WorkItem
from compensation.queries import trail
from tests import clock
from tests.api.desk import Answer, Caller
from tests.api.test_compensating import ask
from tests.api.test_compensation import agent, oscar, store, tool
from tests.cast import inside
from tests.compensation.test_deeds_erasing import LATER, erase
from tests.compensation.undoing import WHY, answer, done, item_of, plans_of
from tests.races.at_once import at_once
from tests.runs.at_work import once
from tests.runs.banking import Bank, bank
from tests.shop import Shop, one_role, rival, shop
from tests.work import claim, claimed, settle, sweep

__all__ = ["agent", "bank", "one_role", "oscar", "rival", "shop", "store"]
SEEN = "The statement of 10:02 shows it."
FILE = {"name": "statement.txt", "media_type": "text/plain", "content": base64.b64encode(b"10:02 20.00 EUR").decode()}
DEEDS: dict[str, Any] = {
    "run": None, "claim": None, "release": {"reason": WHY}, "assign": {"to_group": "finance", "reason": WHY},
    "retry": {"reason": WHY}, "escalate": {"reason": WHY}, "accept-difference": {"reason": WHY, "seen_digest": "0" * 64},
    "tick": {"place": 0}, "files": FILE, "resolve": {"evidence": SEEN}, "waive": {"reason": WHY, "authority": "Finance."},
}  # fmt: skip


def failed(store: Shop, key: str = "reserve") -> str:
    """Have an item whose effect was refused by the other side, and give its id."""
    run = done(store, key)
    assert ask(tool(store), run).status == 201
    settle(claimed(), "rejected", reason="The hotel has closed.")
    sweep()
    assert item_of(run, key).state in {"failed", "escalated"}
    return str(item_of(run, key).pk)


def do(who: Caller, item: str, deed: str, **body: Any) -> Answer:
    """Do something about an item, by its address; what is not said is what the deed needs at least."""
    sent = DEEDS.get(deed)
    return who.post(f"compensations/{item}/{deed}", None if sent is None else {**sent, **body})


def test_a_failed_item_is_claimed_handed_over_and_let_go(store: Shop, oscar: Caller) -> None:
    item = failed(store)
    claimed_by = do(oscar, item, "claim")
    assert (claimed_by.status, claimed_by["owner"]) == (200, str(store.members["oscar"].pk))
    assert [each["id"] for each in oscar.get("compensations?owner=mine&state=needs_somebody")["items"]] == [item]
    assert do(tool(store, "dora"), item, "claim").code == "already_claimed"
    handed = do(oscar, item, "assign", to_group="finance")
    assert (handed["owner"], handed["owner_group"]) == (None, "finance")
    assert do(oscar, item, "release").code == "not_claimed"
    ann = tool(store, "ann")  # of finance
    assert [each["id"] for each in ann.get("compensations?owner=group")["items"]] == [item]
    assert do(ann, item, "claim").status == 200
    assert do(ann, item, "release")["owner"] is None


def test_it_is_tried_again_by_an_effect_of_its_own_and_is_done(store: Shop, oscar: Caller) -> None:
    item = failed(store)
    again = do(oscar, item, "retry")
    assert (again.status, again["tries"], again["state"]) == (200, 2, "running")
    assert do(oscar, item, "retry").code == "nothing_to_retry"
    answer(claim())
    sweep()
    told = oscar.get(f"compensations/{item}")
    assert told["state"] == "done"
    assert [(each["state"], each["compensates"]) for each in told["tried"]] == [
        ("rejected", told["effect"]["id"]), ("succeeded", told["effect"]["id"]),
    ]  # fmt: skip
    assert oscar.get("compensations")["items"] == []
    assert [each["id"] for each in oscar.get("compensations?state=over")["items"]] == [item]
    over = do(oscar, item, "retry")
    assert (over.status, over.code, over["state"]) == (409, "item_over", "done")


def test_cmp_01_what_is_refused_needs_somebody_and_the_original_says_what_was_tried(
    store: Shop, oscar: Caller, agent: Caller
) -> None:
    item = failed(store)
    told = oscar.get(f"compensations/{item}")
    assert (told["state"], told["state_reason"]) == ("escalated", "The other side refused it: The hotel has closed.")
    assert told["owner_group"] == "operators"
    original = agent.get(f"effects/{told['effect']['id']}")
    listed = agent.get(f"runs/{told['run']}/effects")["items"]
    assert [each["compensated_by"] for each in listed] == [[told["acting"]["id"]], []]
    assert (original["state"], original["compensated_by"]) == ("succeeded", [told["acting"]["id"]])
    assert agent.get(f"runs/{told['run']}/compensation")["unresolved"] == [item]


def test_it_goes_up_its_ladder_until_nobody_stands_above(store: Shop, oscar: Caller) -> None:
    item = failed(store)
    found = [do(oscar, item, "escalate") for _ in range(3)]
    assert found[0]["to"] == "admins"
    assert found[-1].code == "top_of_ladder"


def test_it_is_resolved_by_hand_with_evidence_and_its_run_says_what_remains(store: Shop, oscar: Caller) -> None:
    item = failed(store)
    body = {"link": "https://bank.example/1", "left": ["The hotel keeps 5.00 EUR."], "files": [FILE]}
    ended = do(oscar, item, "resolve", **body)
    assert (ended.status, ended["is_a"]) == (200, "resolve")
    told = oscar.get(f"compensations/{item}")
    (ending,) = told["endings"]
    assert (ending["evidence"], ending["link"], ending["left"]) == (
        SEEN,
        "https://bank.example/1",
        ["The hotel keeps 5.00 EUR."],
    )
    if ending["state"] == "proposed":
        assert do_ending(tool(store, "dora"), item, ending["id"], "confirm").status == 200
        told = oscar.get(f"compensations/{item}")
    assert (told["state"], told["verified_by"], told["left"]) == ("resolved", "person", ["The hotel keeps 5.00 EUR."])
    (file,) = told["files"]
    saved = oscar.client.get(
        f"/api/v1/compensation-files/{file['id']}", headers={"Authorization": f"Bearer {oscar.bearer}"}
    )
    assert (saved.status_code, saved.content, saved["X-Content-Type-Options"]) == (200, b"10:02 20.00 EUR", "nosniff")
    assert saved["Content-Disposition"].startswith("attachment")
    run = oscar.get(f"runs/{told['run']}/compensation")
    assert (run["compensation"], run["unresolved"], run["over"], run["total"]) == ("over", [], 1, 1)
    assert any("5.00 EUR" in each for each in run["residue"])


def do_ending(who: Caller, item: str, ending: str, deed: str, **body: Any) -> Answer:
    """Say the second word."""
    return who.post(f"compensations/{item}/endings/{ending}/{deed}", {"reason": WHY, **body})


def test_a_second_person_confirms_declines_and_the_first_takes_back(store: Shop, oscar: Caller) -> None:
    item, dora = failed(store, "charge"), tool(store, "dora")
    first = do(oscar, item, "waive")
    assert (first["stands"], first["needs_second"], first["state"]) == ("proposed", True, "escalated")
    waits = do(dora, item, "resolve")
    assert (waits.code, waits["ending"]) == ("ending_waits", first["ending"])
    assert do_ending(oscar, item, first["ending"], "confirm").code == "second_person"
    assert do_ending(dora, item, first["ending"], "withdraw").code == "not_your_ending"
    assert do_ending(dora, item, first["ending"], "decline")["stands"] == "declined"
    assert do_ending(dora, item, first["ending"], "confirm").code == "ending_decided"
    second = do(oscar, item, "waive")
    assert do_ending(oscar, item, second["ending"], "withdraw")["stands"] == "withdrawn"
    third = do(oscar, item, "waive", left=["The customer is out 20.00 EUR."])
    ended = do_ending(dora, item, third["ending"], "confirm")
    assert (ended["stands"], ended["state"]) == ("in_force", "waived")
    assert [each["state"] for each in oscar.get(f"compensations/{item}")["endings"]] == [
        "declined",
        "withdrawn",
        "in_force",
    ]


def test_an_ending_is_found_under_its_own_item_only(store: Shop, oscar: Caller) -> None:
    item, other = failed(store, "charge"), failed(store, "reserve")
    said = do(oscar, item, "waive")
    for deed in ("confirm", "decline", "withdraw"):
        assert do_ending(tool(store, "dora"), other, said["ending"], deed).status == 404


def test_people_do_what_no_operation_does_by_instructions_and_a_checklist(store: Shop, oscar: Caller) -> None:
    run = done(store, "notify")
    made = ask(oscar, run)
    item = made["items"][0]["item"]
    told = oscar.get(f"compensations/{item}")
    assert (told["kind"], told["waits_for"], told["owner_group"]) == ("manual", "person", "support")
    assert "Call the customer" in told["instructions"]
    refused = do(oscar, item, "resolve")
    assert (refused.code, refused["open"]) == ("checklist_open", ["Call.", "Write down what was said."])
    assert do(oscar, item, "tick", place=7).code == "no_such_point"
    assert do(oscar, item, "tick")["open"] == ["Write down what was said."]
    assert do(oscar, item, "tick", place=1)["open"] == []
    ticked = oscar.get(f"compensations/{item}")["checklist"]
    assert {each["done_by"] for each in ticked} == {str(store.members["oscar"].pk)}
    assert do(oscar, item, "retry").code == "nothing_to_retry"
    assert do(oscar, item, "run").code == "nothing_to_run"


def test_somebody_adds_a_work_item_to_a_run(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve")
    body = {
        "summary": "Call the hotel",
        "reason": WHY,
        "owner_group": "finance",
        "checklist": ["Call."],
        "deadline_seconds": 600,
    }
    added = oscar.post(f"runs/{run}/work-items", body, key="call")
    assert (added.status, added["state"], added["waits_for"]) == (201, "waiting", "person")
    assert added.headers["Location"] == f"/api/v1/compensations/{added['item']}"
    again = oscar.post(f"runs/{run}/work-items", body, key="call")
    assert (again.status, again["item"], again["replayed"]) == (200, added["item"], True)
    told = oscar.get(f"compensations/{added['item']}")
    assert (told["cause"], told["effect"], told["original"], told["summary"]) == (
        "by_hand",
        None,
        None,
        "Call the hotel",
    )
    assert oscar.post(f"runs/{run}/work-items", {**body, "owner_group": "nobody-here"}).code == "bad_item"


def test_a_plan_that_waits_is_approved_or_declined(store: Shop, oscar: Caller) -> None:
    made = [ask(tool(store, "dora"), done(store, "lend")) for _ in range(2)]
    first, second = (each["plan"] for each in made)
    approved = oscar.post(f"compensation-plans/{first}/approve", {"reason": WHY})
    assert (approved.status, approved["state"]) == (200, "in_force")
    assert oscar.post(f"compensation-plans/{first}/decline", {"reason": WHY}).code == "plan_decided"
    declined = oscar.post(f"compensation-plans/{second}/decline", {"reason": WHY})
    assert declined["state"] == "declined"
    assert [each["state"] for each in oscar.get(f"compensation-plans/{second}")["items"]] == ["dropped"]
    assert tool(store, "ann").post(f"compensation-plans/{second}/approve", {}).code == "not_an_operator"


def test_what_somebody_changed_since_is_shown_and_goes_on_only_as_it_was_seen(
    store: Shop, oscar: Caller, bank: Bank
) -> None:
    """R-J2: it never overwrites a newer legitimate change; whoever says that it may go on says what they saw."""
    run = done(store, "book")
    assert ask(oscar, run).status == 201
    once()
    sweep()
    item = str(item_of(run, "book").pk)
    told = oscar.get(f"compensations/{item}")
    assert (told["state"], told["waits_for"], bank.calls()) == ("waiting", "person", 0)
    assert {each["path"] for each in told["difference"]} == {"body.status", "body.to"}
    stale = do(oscar, item, "accept-difference")
    assert (stale.status, stale.code, stale["seen_digest"]) == (412, "difference_changed", told["difference_digest"])
    assert do(oscar, item, "accept-difference", seen_digest=told["difference_digest"])["tries"] == 2


def test_what_waits_for_its_time_is_put_forward(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve")
    assert ask(oscar, run).status == 201
    settle(claimed(), "transient", to="ready", delay=3600, http=503)
    sweep()
    item = str(item_of(run, "reserve").pk)
    assert claim() == []
    assert do(oscar, item, "run").status == 200
    assert len(claim()) == 1
    at_work = do(oscar, item, "waive")
    assert (at_work.status, at_work.code) == (409, "item_at_work")


def test_the_same_key_does_it_once_and_another_intent_under_it_is_refused(store: Shop, oscar: Caller) -> None:
    item = failed(store)
    for deed in ("claim", "retry"):
        path, body = f"compensations/{item}/{deed}", DEEDS[deed]
        first, again = (oscar.post(path, body, key=f"once-{deed}") for _ in range(2))
        assert (first.status, again.status, again["replayed"]) == (200, 200, True)
    assert oscar.post(f"compensations/{item}/retry", {"reason": "Another."}, key="once-retry").code == "key_reused"
    assert oscar.post(f"compensations/{item}/claim", key=None).code == "missing_key"


def version(who: Caller, item: str) -> str:
    """Give the ETag of an item."""
    return who.get(f"compensations/{item}").headers["ETag"]


@pytest.mark.parametrize("deed", [*DEEDS])
def test_a_deed_about_what_changed_since_it_was_seen_is_refused_with_how_it_stands(
    store: Shop, oscar: Caller, deed: str
) -> None:
    """R-N4: who acts says what they saw; what somebody else put beside it meanwhile is news to them."""
    item = failed(store)
    seen = version(oscar, item)
    assert do(tool(store, "dora"), item, "files").status == 200
    refused = oscar.post(f"compensations/{item}/{deed}", DEEDS[deed], If_Match=seen)
    assert (refused.status, refused.code, refused["state"]) == (412, "stale_version", "escalated")
    assert refused["version"] == oscar.get(f"compensations/{item}")["version"]
    for unread in ('"x"', "12", "W/"):
        assert oscar.post(f"compensations/{item}/{deed}", DEEDS[deed], If_Match=unread).code == "bad_version"


def test_a_deed_about_what_was_seen_is_done_and_again_under_its_key_whatever_came_of_it(
    store: Shop, oscar: Caller
) -> None:
    item = failed(store)
    seen = version(oscar, item)
    for _ in range(2):
        claimed_by = oscar.post(f"compensations/{item}/claim", key="once", If_Match=seen)
        assert claimed_by.status == 200
    assert do(oscar, item, "release", reason=WHY).status == 200
    assert oscar.post(f"compensations/{item}/claim", If_Match="*").status == 200


def test_what_became_of_other_items_and_who_was_told_is_no_news_of_this_one(store: Shop, oscar: Caller) -> None:
    run = done(store, "reserve", "notify")
    assert ask(oscar, run).status == 201
    settle(claimed(), "rejected", reason="The hotel has closed.")
    sweep()
    item, other = (str(item_of(run, key).pk) for key in ("reserve", "notify"))
    seen = version(oscar, item)
    assert do(tool(store, "dora"), other, "claim").status == 200
    level = oscar.get(f"compensations/{item}")["level"]
    with clock.at(90_000):
        sweep()
    assert oscar.get(f"compensations/{item}")["level"] > level, "the clock told the next"
    assert version(oscar, item) != seen
    late = oscar.post(f"compensations/{item}/escalate", DEEDS["escalate"], If_Match=seen)
    assert late.code == "stale_version", "whoever escalates sees who was told"
    assert oscar.post(f"compensations/{item}/waive", DEEDS["waive"], If_Match=seen).status == 200


def test_a_word_about_an_end_and_about_a_plan_is_about_what_was_seen(store: Shop, oscar: Caller) -> None:
    item, dora = failed(store, "charge"), tool(store, "dora")
    said = do(oscar, item, "resolve")
    seen = version(dora, item)
    assert do(oscar, item, "files").status == 200
    for deed in ("confirm", "decline"):
        path = f"compensations/{item}/endings/{said['ending']}/{deed}"
        assert dora.post(path, {"reason": WHY}, If_Match=seen).code == "stale_version", deed
    path = f"compensations/{item}/endings/{said['ending']}/confirm"
    assert dora.post(path, {"reason": WHY}, If_Match=version(dora, item))["state"] == "resolved"
    plan = ask(dora, done(store, "lend"))["plan"]
    seen = oscar.get(f"compensation-plans/{plan}").headers["ETag"]
    (waits,) = oscar.get(f"compensation-plans/{plan}")["items"]
    assert do(dora, waits["id"], "claim").status == 200
    stale = oscar.post(f"compensation-plans/{plan}/approve", {"reason": WHY}, If_Match=seen)
    assert (stale.status, stale.code, stale["state"]) == (412, "stale_version", "proposed")
    seen = oscar.get(f"compensation-plans/{plan}").headers["ETag"]
    assert oscar.post(f"compensation-plans/{plan}/approve", {"reason": WHY}, If_Match=seen).status == 200


def test_two_tools_end_it_at_once_and_one_word_stands(store: Shop) -> None:
    item = failed(store, "reserve")
    oscar, dora = tool(store), tool(store, "dora")
    answers = at_once(lambda: do(oscar, item, "resolve"), lambda: do(dora, item, "waive"))
    assert sorted(each.status for each in answers) == [200, 409]
    assert {each.code for each in answers} <= {None, "ending_waits", "item_over"}


def test_an_agent_does_none_of_it(store: Shop, agent: Caller) -> None:
    item = failed(store)
    for deed in DEEDS:
        refused = do(agent, item, deed)
        assert (refused.status, refused.code, refused["whose"]) == (403, "wrong_kind_of_key", "member"), deed
    run = agent.get(f"compensations/{item}")["run"]
    for path in (f"runs/{run}/work-items", f"compensation-plans/{plans_of(UUID(run))[0].pk}/approve"):
        assert agent.post(path, {"reason": WHY}).code == "wrong_kind_of_key", path
    assert oscar_sees(store, item)["state"] == "escalated"


def oscar_sees(store: Shop, item: str) -> Answer:
    """Look at an item as an operator."""
    return tool(store).get(f"compensations/{item}")


def test_whoever_neither_operates_nor_owns_it_changes_nothing(store: Shop) -> None:
    item = failed(store)
    ann = tool(store, "ann")
    assert ann.get(f"compensations/{item}").status == 200
    for deed in DEEDS:
        refused = do(ann, item, deed)
        assert (refused.status, refused.code) in {(403, "not_an_operator"), (422, "bad_evidence")}, deed
    reader = tool(store, "oscar", "compensation:read")
    assert {do(reader, item, deed)["scope"] for deed in DEEDS} == {"compensation:decide"}


def test_another_tenants_item_is_not_there(store: Shop, rival: Shop) -> None:
    item, stranger = failed(store), tool(rival)
    for deed in DEEDS:
        theirs, absent = do(stranger, item, deed), do(stranger, str(uuid4()), deed)
        assert (theirs.status, theirs.raw) == (404, absent.raw), deed
    run = item_run(item)
    assert stranger.post(f"runs/{run}/work-items", {"summary": "x", "reason": WHY}).status == 404
    for deed in ("approve", "decline"):
        assert stranger.post(f"compensation-plans/{plans_of(run)[0].pk}/{deed}", {"reason": WHY}).status == 404


def item_run(item: str) -> UUID:
    """Give the run of an item."""
    with inside():
        return WorkItem.objects.values_list("run_id", flat=True).get(pk=item)


@pytest.mark.parametrize(
    ("name", "kind", "content"),
    [
        ("page.html", "text/html", b"<script>"),
        ("x.svg", "image/svg+xml", b"<svg/>"),
        ("x.pdf", "application/pdf", b"no pdf"),
    ],
)
def test_files_that_could_run_or_are_not_what_they_say_are_refused(
    store: Shop, oscar: Caller, name: str, kind: str, content: bytes
) -> None:
    item = failed(store)
    sent = {"name": name, "media_type": kind, "content": base64.b64encode(content).decode()}
    assert do(oscar, item, "files", **sent).code == "bad_evidence"
    assert do(oscar, item, "files", name="statement.txt")["name"] == "statement.txt"


def test_of_an_erased_run_it_is_told_what_remains_and_nothing_is_done_any_more(store: Shop, agent: Caller) -> None:
    run = done(store, "charge")
    item = ask(tool(store), run)["items"][0]["item"]
    file = do(tool(store), item, "files")["file"]
    answer(claim())
    sweep()
    store.complete(run)
    with clock.at(LATER):
        erase(store, run)
        oscar = tool(store)
        for told in (oscar.get(f"compensations/{item}"), agent.get(f"compensations/{item}")):
            assert (told["state"], told["summary"], told["arguments"], told["residue"]) == (
                "done",
                "[erased]",
                None,
                [],
            )
            assert told["erased_at"] is not None
            assert told["original"]["arguments"] is None
        run_now = agent.get(f"runs/{run}/compensation")
        assert (run_now["compensation"], run_now["residue"], run_now["over"]) == ("over", [], 1)
        assert agent.get(f"runs/{run}")["residue"] == []
        assert oscar.get(f"compensation-files/{file}").status == 404
        assert do(oscar, item, "claim").code == "item_over"
        gone = ask(oscar, run)
        assert (gone.status, gone.code) == (409, "already_erased")
        with inside(store.tenant.pk):
            lines = trail.trail(store.tenant.pk, UUID(told["plan"])).lines
        assert any("erased" in line.sentence.lower() for line in lines)
