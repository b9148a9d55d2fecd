"""How a work item ends by people's word: resolved with evidence or waived with authority, by one person or two; and plans approved."""

from typing import Final
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from compensation.api import receipts
from compensation.api.content import Because, Resolved, SecondWord, Waived, uploads
from compensation.api.deeds import DEED, FILE, ON_ITEM, WITH_REASON, Deed, headers
from compensation.api.shown import FEE
from compensation.api.wishes import sent
from compensation.deeds import ending, plans, seconding
from compensation.models import Ending
from console.database import transaction
from console.http import content
from console.http.describing import described
from console.http.parsing import LARGEST_WITH_FILES, ParserWithFiles
from console.http.refusals import NotFound
from console.identity.door import actor
from console.ledger.actors import Actor

ENDS: Final = (*ON_ITEM, "item_at_work", "ending_waits", "bad_ending", *WITH_REASON)
SECONDS: Final = ("not_an_operator", "ending_decided", "reason_too_long")
CONFIRMS: Final = ("second_person", "ending_outdated", "item_over", "item_at_work", "checklist_open")
APPROVES: Final = ("not_an_operator", "plan_decided", "reason_too_long")


class Resolve(Deed):
    """A work item that was made good for in another way."""

    parser_classes = [ParserWithFiles]
    largest_body = LARGEST_WITH_FILES

    @described(
        "resolve_item", "Say that it was made good for in another way, with evidence; it ends, or waits for a second person",
        takes=Resolved, gives={200: receipts.EndingReceipt}, parameters=DEED, problems=[*ENDS, "checklist_open", "bad_evidence"],
        examples=sent(
            "by hand", evidence="Paid back by hand; the statement of 10:02 shows it.", link="https://bank.example/statements/77",
            left=[FEE], files=[FILE],
        ),
        more="The body may have 15,728,640 bytes here, so that five files of 2 MiB in base64 fit.",
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by, given, said = actor(request), headers(request), content.read(Resolved, request)
        files = uploads(said.pop("files"))
        return Response(ending.resolve(by, id, **said, files=files, **given))


class Waive(Deed):
    """A work item that is waived."""

    @described(
        "waive_item", "Waive it, with a reason and by an authority; it ends, or waits for a second person",
        takes=Waived, gives={200: receipts.EndingReceipt}, parameters=DEED, problems=ENDS,
        examples=sent(
            "a small sum", reason="It is not worth the fee.", authority="The rule for small sums.", left=["2.10 EUR stay unpaid."]
        ),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(Waived, request)
        return Response(ending.waive(by, id, **said, **given))


class Confirm(Deed):
    """A second person's yes."""

    @described(
        "confirm_ending", "Confirm what somebody else said of how a work item ends, which ends it",
        takes=SecondWord, gives={200: receipts.EndingReceipt}, parameters=DEED, problems=[*SECONDS, *CONFIRMS],
        examples=sent("confirmed", reason="I see it too."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID, ending: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(SecondWord, request)
        return Response(seconding.confirm(by, _of_item(by, id, ending), reason=said["reason"], **given))


class Decline(Deed):
    """A second person's no."""

    @described(
        "decline_ending", "Decline what somebody else said of how a work item ends; it stays as it is",
        takes=Because, gives={200: receipts.EndingReceipt}, parameters=DEED, problems=[*SECONDS, "second_person", "reason_missing"],
        examples=sent("declined", reason="That is another payment."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID, ending: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(Because, request)
        return Response(seconding.decline(by, _of_item(by, id, ending), reason=said["reason"], **given))


class TakeBack(Deed):
    """A word that is taken back."""

    @described(
        "withdraw_ending", "Take back what you said of how a work item ends, before it is confirmed",
        takes=SecondWord, gives={200: receipts.EndingReceipt}, parameters=DEED, problems=[*SECONDS, "not_your_ending"],
        examples=sent("taken back", reason="It was another one."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID, ending: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(SecondWord, request)
        return Response(seconding.withdraw(by, _of_item(by, id, ending), reason=said["reason"], **given))


class ApprovePlan(Deed):
    """A plan that may begin."""

    @described(
        "approve_compensation_plan", "Put a plan in force, with which its work items begin",
        takes=SecondWord, gives={200: receipts.PlanReceipt}, parameters=DEED, problems=[*APPROVES, "second_person"],
        examples=sent("approved", reason="As agreed with the customer."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(SecondWord, request)
        return Response(plans.approve_plan(by, id, reason=said["reason"], **given))


class DeclinePlan(Deed):
    """A plan that is not carried out."""

    @described(
        "decline_compensation_plan", "Decline a plan: nothing of it begins by itself",
        takes=Because, gives={200: receipts.PlanReceipt}, parameters=DEED, problems=[*APPROVES, "reason_missing"],
        examples=sent("declined", reason="The customer keeps it after all."),
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, given, said = actor(request), headers(request), content.read(Because, request)
        return Response(plans.decline_plan(by, id, reason=said["reason"], **given))


def _of_item(by: Actor, item_id: UUID, ending_id: UUID) -> UUID:
    """Give the ending if it is one of this item. Raises NotFound."""
    with transaction(by.tenant_id):
        if not Ending.objects.filter(tenant_id=by.tenant, pk=ending_id, item_id=item_id).exists():
            raise NotFound
    return ending_id
