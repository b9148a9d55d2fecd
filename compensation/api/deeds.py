"""What people do about a work item, by their tools: looked after, tried again, put forward, ticked off, with files beside it."""

from typing import Any, Final
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import receipts
from compensation.api.content import Accepted, Because, NewWorkItem, Tick
from compensation.api.wishes import sent
from compensation.deeds import checklist, escalating, filing, manual, owning, trying
from console.http import content
from console.http.describing import AS_SEEN, KEY, described
from console.http.evidence import Upload
from console.http.parsing import LARGEST_WITH_FILES, ParserWithFiles
from console.identity.door import CompensationDoor, actor, key, version
from runs.api.content import Nothing
from runs.api.shown import TENANT_ID
from runs.api.unknown_content import HandingOver, LettingGo, NewFile

ON_ITEM: Final = ("not_an_operator", "item_over")
WITH_REASON: Final = ("reason_missing", "reason_too_long")
AGAIN: Final = (
    "item_at_work", "ending_waits", "nothing_to_retry", "compensation_may_have_happened", "compensation_by_people",
)  # fmt: skip
FILE: Final = {"name": "statement.txt", "media_type": "text/plain", "content": "MTA6MDIgMTIwLjAwIEVVUg=="}


DEED: Final = [KEY, AS_SEEN]


class Deed(CompensationDoor):
    """What the writes share: none of them is a GET."""

    http_method_names = ["post"]


def headers(request: Request) -> dict[str, Any]:
    """Read what goes along with a deed: its key, and the version that was seen where it says one. Raises MissingKey, BadKey, BadVersion."""
    return {"key": key(request), "version": version(request)}


class Run(Deed):
    """A work item that is put forward."""

    @described(
        "run_item_now", "Do at once what would be done at its next time", gives={200: receipts.ItemReceipt}, parameters=DEED,
        problems=[*ON_ITEM, "item_at_work", "nothing_to_run"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, given = actor(request), headers(request)
        content.read(Nothing, request)
        return Response(trying.run_now(by, id, **given))


class Retry(Deed):
    """A work item that is tried again."""

    @described(
        "retry_item", "Try once more what was tried in vain, by an effect of its own",
        takes=Because, gives={200: receipts.TriedReceipt}, parameters=DEED, problems=[*ON_ITEM, *AGAIN, *WITH_REASON],
        examples=sent("the bank is back", reason="The bank is back."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(Because, request)
        return Response(trying.retry(by, id, reason=asked["reason"], **given))


class AcceptDifference(Deed):
    """A world that is not as it was, and may stay so."""

    @described(
        "accept_difference", "Go on although the world is not as the effect left it: what was seen is expected from now on",
        takes=Accepted, gives={200: receipts.TriedReceipt}, parameters=DEED,
        problems=[*ON_ITEM, *AGAIN, "difference_changed", *WITH_REASON],
        examples=sent("seen", seen_digest="f" * 64, reason="The guest moved it by a day; cancel it all the same."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(Accepted, request)
        return Response(trying.accept_difference(by, id, **asked, **given))


class Claim(Deed):
    """Somebody who looks after a work item."""

    @described(
        "claim_item", "Look after a work item from now on", gives={200: receipts.OwnedReceipt}, parameters=DEED,
        problems=[*ON_ITEM, "already_claimed"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given = actor(request), headers(request)
        content.read(Nothing, request)
        return Response(owning.claim(by, id, **given))


class Release(Deed):
    """A work item that nobody looks after any more."""

    @described(
        "release_item", "Let a work item go, so that somebody else looks after it",
        takes=LettingGo, gives={200: receipts.OwnedReceipt}, parameters=DEED,
        problems=[*ON_ITEM, "not_claimed", "not_yours_to_release", *WITH_REASON], examples=sent("let go", reason="My shift ends."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(LettingGo, request)
        return Response(owning.release(by, id, reason=asked["reason"], **given))


class Assign(Deed):
    """A work item that somebody else looks after from now on."""

    @described(
        "assign_item", "Hand a work item to a member, or to a group whose members find it",
        takes=HandingOver, gives={200: receipts.OwnedReceipt}, parameters=DEED, problems=[*ON_ITEM, "bad_hand_over", *WITH_REASON],
        examples=sent("to somebody", to_member=TENANT_ID, reason="She knows the hotel."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(HandingOver, request)
        return Response(owning.hand_over(by, id, **asked, **given))


class Escalate(Deed):
    """A work item that goes up its ladder."""

    @described(
        "escalate_item", "Tell the next on its ladder now, although their time has not come",
        takes=Because, gives={200: receipts.EscalatedReceipt}, parameters=DEED,
        problems=[*ON_ITEM, "needs_nobody", "top_of_ladder", *WITH_REASON], examples=sent("it hurries", reason="The guest flies tonight."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(Because, request)
        return Response(escalating.escalate(by, id, reason=asked["reason"], **given))


class TickOff(Deed):
    """A checklist."""

    @described(
        "tick_item", "Tick a point of the checklist off, or open it again",
        takes=Tick, gives={200: receipts.TickedReceipt}, parameters=DEED, problems=[*ON_ITEM, "no_such_point"],
        examples=sent("the first", place=0, done=True),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(Tick, request)
        return Response(checklist.tick(by, id, asked["place"], done=asked["done"], **given))


class AddFile(Deed):
    """Evidence."""

    parser_classes = [ParserWithFiles]
    largest_body = LARGEST_WITH_FILES

    @described(
        "add_item_file", "Put a file beside a work item",
        takes=NewFile, gives={200: receipts.FiledReceipt}, parameters=DEED, problems=[*ON_ITEM, "bad_evidence"],
        examples=sent("a statement", **FILE),
        more="PDF, JPEG, PNG, GIF, WebP, plain text and CSV, at most 2 MiB each and 20 beside one item; the bytes are what the type says.",
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, asked = actor(request), headers(request), content.read(NewFile, request)
        return Response(filing.add_file(by, id, Upload(asked["name"], asked["media_type"], asked["content"]), **given))


class AddItem(Deed):
    """A work item that somebody adds."""

    @described(
        "add_work_item", "Add a work item for people to a run",
        takes=NewWorkItem, gives={201: receipts.AddedReceipt, 200: receipts.AddedReceipt}, parameters=[KEY],
        problems=["not_an_operator", "bad_item", *WITH_REASON],
        examples=sent(
            "a call", summary="Call the hotel", instructions="Ask for Ms Berger.", checklist=["Call.", "Write down what was said."],
            need="required", deadline_seconds=86400, owner_group="support", reason="The guest asks for it.",
        ),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, asked = actor(request), key(request), content.read(NewWorkItem, request)
        receipt = manual.add_manual(by, id, **asked, key=named)
        if receipt.get("replayed"):
            return Response(receipt)
        return Response(receipt, status=201, headers={"Location": f"/api/v1/compensations/{receipt['item']}"})
