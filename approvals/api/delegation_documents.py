"""What the API takes and gives about delegations, described for its readers."""

from datetime import UTC, datetime
from typing import Any, ClassVar, Final

from rest_framework import serializers

from approvals.api.grant_documents import PersonNamed
from approvals.delegating.giving import LONGEST_DAYS, LONGEST_REASON, MOST_OPERATIONS, Terms
from approvals.delegating.queries import stands
from approvals.models import Delegation
from console.clock import instant
from console.http.content import Content
from console.http.fields import Id, Instant, Text
from console.identity.models import Member

DELEGATION_ID, TAKER_ID = "019a2b00-0000-7000-8000-0000000000a1", "019a2b00-0000-7000-8000-0000000000a2"
GIVER: Final[dict[str, Any]] = {"id": "019a2b00-0000-7000-8000-0000000000a3", "name": "Ann Okafor"}
MADE, ENDS = "2026-03-02T09:00:00.000000Z", "2026-03-09T09:00:00.000000Z"
TERMS: Final[dict[str, Any]] = {
    "operations": ["refund"], "groups": ["finance"], "starts_at": MADE, "ends_at": ENDS, "reason": "On leave until Monday.",
}  # fmt: skip
DELEGATION: Final[dict[str, Any]] = {
    "id": DELEGATION_ID, "giver": GIVER, "taker": {"id": TAKER_ID, "name": "Amir Saleh"}, **TERMS, "state": "standing",
    "created_at": MADE, "revoked_at": None,
}  # fmt: skip


class NewDelegation(Content):
    """Whom the key's member lets decide in their place, and how far."""

    taker = Id(help_text="The id of another active approver; `GET /delegations/takers` names them.")
    operations = serializers.ListField(
        child=Text(max_length=63), required=False, default=list, max_length=MOST_OPERATIONS, help_text="By their names; none: all."
    )  # fmt: skip
    groups = serializers.ListField(
        child=Text(max_length=63), required=False, default=list, max_length=50, help_text="Of the giver's own; none: all of them."
    )  # fmt: skip
    starts_at = Instant(required=False, allow_null=True, default=None, help_text="null: now.")
    ends_at = Instant(help_text=f"At most {LONGEST_DAYS} days from now.")
    reason = Text(max_length=LONGEST_REASON, help_text="Kept with the delegation, and told to whoever takes it.")


class DelegationDocument(serializers.Serializer):
    """One member lets another decide in their place."""

    example: ClassVar[Any] = DELEGATION

    id = serializers.UUIDField()
    giver = PersonNamed(help_text="Whose word it is; a decision names them as its `voice`.")
    taker = PersonNamed()
    operations = serializers.ListField(child=serializers.CharField(), help_text="Empty: all.")
    groups = serializers.ListField(child=serializers.CharField(), help_text="Empty: all of the giver's.")
    starts_at = serializers.CharField()
    ends_at = serializers.CharField()
    reason = serializers.CharField()
    state = serializers.CharField(help_text="to_come, standing, ended, revoked. An open list.")
    created_at = serializers.CharField()
    revoked_at = serializers.CharField(allow_null=True)


class DelegationPage(serializers.Serializer):
    """Delegations, the latest given first."""

    example: ClassVar[Any] = {"items": [DELEGATION], "next_cursor": None}

    items = DelegationDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class Taker(serializers.Serializer):
    """Somebody who may decide in the member's place."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    groups = serializers.ListField(child=serializers.CharField(), help_text="For which they approve themselves.")


class Takers(serializers.Serializer):
    """Who may decide in the member's place, by name; at most 200."""

    example: ClassVar[Any] = {"items": [{"id": TAKER_ID, "name": "Amir Saleh", "groups": ["finance"]}]}

    items = Taker(many=True)


class DelegationReceipt(serializers.Serializer):
    """What became of a delegation."""

    example: ClassVar[Any] = {"receipt": "delegated", "delegation": DELEGATION_ID, "at": MADE}

    receipt = serializers.CharField(help_text="`delegated`, `revoked`, or `unchanged` where it was over already.")
    delegation = serializers.UUIDField()
    at = serializers.CharField()
    replayed = serializers.BooleanField(required=False, help_text="Sent before with this key; this is its receipt.")


def terms(sent: dict[str, Any]) -> Terms:
    """Give the terms that a body says."""
    starts_at: datetime | None = sent["starts_at"]
    return Terms(
        tuple(sent["operations"]), tuple(sent["groups"]), starts_at.astimezone(UTC) if starts_at else None,
        sent["ends_at"].astimezone(UTC), sent["reason"],
    )  # fmt: skip


def delegation(found: Delegation, now: datetime) -> dict[str, Any]:
    """Show a delegation; `now` is the database's time."""
    return {
        "id": str(found.pk), "giver": _person(found.giver), "taker": _person(found.taker), "operations": list(found.operations),
        "groups": list(found.groups), "starts_at": instant(found.starts_at), "ends_at": instant(found.ends_at), "reason": found.reason,
        "state": stands(found, now), "created_at": instant(found.created_at), "revoked_at": instant(found.revoked_at),
    }  # fmt: skip


def taker(member: Member) -> dict[str, Any]:
    """Show somebody who may decide in another's place."""
    return {**_person(member), "groups": list(member.groups)}


def _person(member: Member) -> dict[str, Any]:
    return {"id": str(member.pk), "name": member.user.name}
