"""What is not confirmed by REST, for operators' tools: the queue, the ways out, owners, questions, findings and their evidence."""

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from console import clock
from console.database import transaction
from console.http import content, cursors
from console.http.asked import Asked
from console.http.attachments import BYTES, attachment
from console.http.conditional import etag
from console.http.describing import CURSOR, EXPECTED, KEY, LIMIT, QUERY, described
from console.http.listing import page
from console.http.parsing import LARGEST_WITH_FILES, ParserWithFiles
from console.http.refusals import NotFound
from console.identity.door import RecoveryDoor, actor, expected, key
from console.identity.models import Member
from console.ledger.actors import Actor
from runs import catalogue
from runs.api import queries
from runs.api import unknown_documents as documents
from runs.api import unknown_present as present
from runs.api.content import Nothing
from runs.api.unknown_content import HandingOver, LettingGo, NewFinding, No, Word, finding
from runs.models import Effect
from runs.states import UNKNOWN
from runs.unknowns import asking, evidence, exits, owning, queue, resolving, seconding
from runs.unknowns.queue import Place, Wanted
from runs.unknowns.standing import document_of, group_of, is_replaced, may_act

FILTERS: Final = ("owner", "operation", "dependency", "overdue", "state", "sort", "limit", "cursor")
OWNER: Final = OpenApiParameter(
    "owner", {"type": "string", "enum": list(queue.OWNERS[1:])}, QUERY,
    description="`mine`: claimed by you; `nobody`: by nobody; `group`: handed to a group of yours.",
)  # fmt: skip
OPERATION: Final = OpenApiParameter(
    "operation", {"type": "string", "minLength": 1}, QUERY, description="An operation's name."
)
DEPENDENCY: Final = OpenApiParameter(
    "dependency", {"type": "string", "minLength": 1}, QUERY, description="A dependency's name."
)
IS_OVERDUE: Final = OpenApiParameter(
    "overdue", bool, QUERY, description="`true`: only what is older than its contract wants."
)
STATE: Final = OpenApiParameter(
    "state", {"type": "string", "enum": list(queue.STATES), "default": UNKNOWN}, QUERY,
    description="`partial`: what was done in part and whose rest nobody has settled.",
)  # fmt: skip
SORT: Final = OpenApiParameter(
    "sort", {"type": "string", "enum": list(queue.SORTS), "default": queue.AGE}, QUERY,
    description="`age`: the oldest first; `consequence`: what is irreversible, then what is consequential, each by age.",
)  # fmt: skip
LETTING_GO = OpenApiExample("let go", value={"reason": "My shift ends."}, request_only=True)
HANDING_OVER = OpenApiExample(
    "to finance", value={"to_group": "finance", "reason": "They see the statements."}, request_only=True
)
FINDING = OpenApiExample(
    "it happened",
    value={
        "exit": "happened", "evidence": "The bank's statement of 10:02 shows it under our key.", "link": "https://bank.example/statements/77",
        "files": [{"name": "statement.txt", "media_type": "text/plain", "content": "MTA6MDIgMTIwLjAwIEVVUg=="}],
        "result": {"receipt": "r-77"}, "reference": "r-77",
    },
    request_only=True,
)  # fmt: skip
AGAIN = OpenApiExample(
    "it did not happen",
    value={
        "exit": "did_not_happen", "then": "retry", "evidence": "The bank knows no such key.", "extra_attempts": 1,
        "reason": "The bank was down for an hour.",
    },
    request_only=True,
)  # fmt: skip
WORD = OpenApiExample("confirmed", value={"reason": "I see it too."}, request_only=True)
NO = OpenApiExample("declined", value={"reason": "That is another payment."}, request_only=True)
OWNING: Final = ("not_an_operator", "not_unknown")
DECIDING: Final = ("not_an_operator", "finding_decided")
TAKING: Final = ("not_unknown", "exit_not_allowed", "attempts_used_up")


class Unknowns(RecoveryDoor):
    """What is not confirmed in a tenant."""

    @described(
        "list_unknown", "List what is not confirmed", gives={200: documents.UnknownPage},
        parameters=[OWNER, OPERATION, DEPENDENCY, IS_OVERDUE, STATE, SORT, LIMIT, CURSOR],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        by, asked = actor(request), Asked(request.query_params, FILTERS)
        wanted = Wanted(
            owner=asked.word("owner", queue.OWNERS[1:]) or "", operation=asked.text("operation") or "",
            dependency=asked.text("dependency") or "", overdue=asked.yes("overdue"),
            state=asked.word("state", queue.STATES) or UNKNOWN, sort=asked.word("sort", queue.SORTS) or queue.AGE,
        )  # fmt: skip
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("unknown", by.tenant_id, by.id, wanted)
        after = None if cursor is None else _place(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            found = queue.unknowns(_member(by), wanted, after, limit + 1)
            shown = _shown(found, clock.now())
        return Response(page(found, limit, lambda effect: shown[effect.pk], _sealed, binding))


class Exits(RecoveryDoor):
    """The ways out of an effect."""

    @described(
        "get_exits", "See the ways out of an effect, and what each leads to", gives={200: documents.ExitsDocument}
    )
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002 - as the address calls it
        by = actor(request)
        with transaction(by.tenant_id):
            effect, member = _effect(by, id), _member(by)
            document = document_of(effect)
            found = exits.exits(
                effect, effect.attempts.order_by("number"), document, clock.now(), replaced=is_replaced(effect)
            )
            waiting = queue.waiting([id])
        shown = {
            "effect": str(id), "run": str(effect.run_id), "state": effect.state, "version": effect.run.ledger_seq,
            "may_act": may_act(member, effect, document), "waiting_finding": str(waiting[id]) if id in waiting else None,
            "exits": [present.way(each) for each in found],
        }  # fmt: skip
        return Response(shown, headers={"ETag": etag(effect.run.ledger_seq)})


class Doing(RecoveryDoor):
    """What the writes share: none of them is a GET."""

    http_method_names = ["post"]


class Claim(Doing):
    """Somebody who looks after an effect."""

    @described(
        "claim_unknown", "Look after an effect from now on", gives={200: documents.OwnerReceipt}, parameters=[KEY],
        problems=[*OWNING, "already_claimed"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named = actor(request), key(request)
        content.read(Nothing, request)
        return Response(owning.claim(by, id, key=named))


class Release(Doing):
    """An effect that nobody looks after any more."""

    @described(
        "release_unknown", "Let an effect go, so that somebody else looks after it",
        takes=LettingGo, gives={200: documents.OwnerReceipt}, parameters=[KEY], examples=[LETTING_GO],
        problems=[*OWNING, "not_claimed", "not_yours_to_release", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(LettingGo, request)
        return Response(owning.release(by, id, reason=sent["reason"], key=named))


class HandOver(Doing):
    """An effect that somebody else looks after from now on."""

    @described(
        "hand_over_unknown", "Hand an effect to a member, or to a group whose members find it",
        takes=HandingOver, gives={200: documents.OwnerReceipt}, parameters=[KEY], examples=[HANDING_OVER],
        problems=[*OWNING, "bad_hand_over", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(HandingOver, request)
        return Response(owning.hand_over(by, id, **sent, key=named))


class Ask(Doing):
    """A question to the other side."""

    @described(
        "ask_now", "Have the other side asked at once what became of an effect", gives={200: documents.AskReceipt}, parameters=[KEY],
        problems=[*OWNING, "asked_just_now", "cannot_be_asked"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named = actor(request), key(request)
        content.read(Nothing, request)
        return Response(asking.ask_now(by, id, key=named))


class Resolutions(RecoveryDoor):
    """What was found of an effect."""

    parser_classes = [ParserWithFiles]
    largest_body = LARGEST_WITH_FILES

    @described(
        "list_resolutions", "List what was found of an effect, in order", gives={200: documents.ResolutionPage}, parameters=[LIMIT, CURSOR]
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, asked = actor(request), Asked(request.query_params, {"limit", "cursor"})
        limit, cursor, binding = asked.limit(), asked.text("cursor"), ("resolutions", by.tenant_id, id)
        after = 0 if cursor is None else cursors.number_of(cursors.unseal(cursor, binding))
        with transaction(by.tenant_id):
            _effect(by, id)
            found = queue.resolutions_after(id, after, limit + 1)
        return Response(page(found, limit, present.resolution, lambda each: cursors.of_number(each.number), binding))

    @described(
        "resolve_effect", "Say what was found of an effect, with evidence; it takes effect, or waits for a second person",
        takes=NewFinding, gives={200: documents.ResolutionReceipt}, parameters=[KEY, EXPECTED], examples=[FINDING, AGAIN],
        problems=["not_an_operator", *TAKING, "finding_waits", "bad_finding", "bad_evidence", "missing_version"],
        more="The body may have 15,728,640 bytes here, so that five files of 2 MiB in base64 fit.",
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, version = actor(request), key(request), expected(request)
        found = finding(content.read(NewFinding, request))
        return Response(resolving.resolve(by, id, found, version=version, key=named))


class Confirm(Doing):
    """A second person's yes."""

    @described(
        "confirm_resolution", "Confirm what somebody else found, which takes effect with that",
        takes=Word, gives={200: documents.ResolutionReceipt}, parameters=[KEY], examples=[WORD],
        problems=[*DECIDING, *TAKING, "second_person", "finding_outdated", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(Word, request)
        return Response(seconding.confirm(by, id, reason=sent["reason"], key=named))


class Decline(Doing):
    """A second person's no."""

    @described(
        "decline_resolution", "Decline what somebody else found; the effect stays as it is",
        takes=No, gives={200: documents.ResolutionReceipt}, parameters=[KEY], examples=[NO],
        problems=[*DECIDING, "second_person", "reason_missing", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(No, request)
        return Response(seconding.decline(by, id, reason=sent["reason"], key=named))


class TakeBack(Doing):
    """A finding that its finder takes back."""

    @described(
        "withdraw_resolution", "Take back what you found, before it is confirmed",
        takes=Word, gives={200: documents.ResolutionReceipt}, parameters=[KEY], examples=[WORD],
        problems=[*DECIDING, "not_your_finding", "reason_too_long"],
    )  # fmt: skip
    def post(self, request: Request, id: UUID) -> Response:  # noqa: A002
        by, named, sent = actor(request), key(request), content.read(Word, request)
        return Response(seconding.withdraw(by, id, reason=sent["reason"], key=named))


class Evidence(RecoveryDoor):
    """A file beside a finding."""

    @described(
        "get_evidence", "Save a file that stands beside a finding",
        gives={(200, BYTES): OpenApiTypes.BINARY},
        more="Always as an attachment, under the media type that it was kept with where that holds no script, else as bytes.",
    )  # fmt: skip
    def get(self, request: Request, id: UUID) -> HttpResponse:  # noqa: A002
        by = actor(request)
        with transaction(by.tenant_id):
            found = evidence.file(by.tenant, id)
        if found is None or found.content is None:
            raise NotFound
        return attachment(found)


def _member(by: Actor) -> Member:
    return Member.objects.select_related("user").get(pk=by.principal, tenant_id=by.tenant)


def _effect(by: Actor, effect_id: UUID) -> Effect:
    effect = queries.effect(effect_id)
    if effect.tenant_id != by.tenant:
        raise NotFound
    return effect


def _shown(effects: list[Effect], now: datetime) -> dict[UUID, Any]:
    contracts = catalogue.operations_by_id([effect.operation_id for effect in effects])
    waiting = queue.waiting([effect.pk for effect in effects])
    return {
        effect.pk: present.unknown(effect, group_of(effect, contracts[effect.operation_id].document), waiting, now)
        for effect in effects
    }


def _sealed(effect: Effect) -> bytes:
    place = queue.place_of(effect)
    return bytes([2 * place.irreversible + place.consequential]) + cursors.of_time(place.at, place.id)


def _place(sealed: bytes) -> Place:
    at, effect_id = cursors.time_of(sealed[1:])
    return Place(at, effect_id, bool(sealed[0] & 2), bool(sealed[0] & 1))
