"""What the API takes and gives about standing approvals, described for its readers."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar, Final
from uuid import UUID

from rest_framework import serializers

from approvals.granting.terms import LONGEST_PURPOSE, LONGEST_TARGET, MOST_SECONDS, MOST_USES, Terms
from approvals.models import Grant
from approvals.states import GRANT_STATES
from console.clock import instant
from console.exact import Value, decode, number_text
from console.http.content import Content
from console.http.fields import Anything, Id, Instant, Text, Whole
from console.http.reasons import LONGEST_REASON

GRANT_ID, MEMBER_ID = "019a2b00-0000-7000-8000-000000000091", "019a2b00-0000-7000-8000-000000000092"
AGENT_ID, MADE, ENDS = (
    "019a2b00-0000-7000-8000-000000000093",
    "2026-03-02T09:00:00.000000Z",
    "2026-03-09T09:00:00.000000Z",
)
SMALL: Final[Value] = {"path": "arguments.amount", "op": "lte", "value": "50"}
TERMS: Final[dict[str, Any]] = {
    "operation": "refund", "target_pattern": "order:*", "uses": 50, "ends_at": ENDS, "purpose": "Small refunds of the summer sale",
    "agent": AGENT_ID, "run_type": "customer-case", "constraint": SMALL, "amount_path": "arguments.amount", "amount_most": "2000",
    "rate_most": 10, "rate_seconds": 60, "starts_at": MADE,
}  # fmt: skip
GRANT: Final[dict[str, Any]] = {
    "id": GRANT_ID, **TERMS, "groups": ["finance"], "state": "active", "ended_reason": None,
    "owner": {"id": MEMBER_ID, "name": "Ann Okafor"}, "confirmed_by": {"id": AGENT_ID, "name": "Amir Saleh"}, "confirmed_at": MADE,
    "uses_taken": 3, "amount_taken": "120", "last_used_at": MADE, "created_at": MADE, "ended_at": None, "version": 5,
}  # fmt: skip


class PersonNamed(serializers.Serializer):
    """A member."""

    example: ClassVar[Any] = {"id": MEMBER_ID, "name": "Ann Okafor"}

    id = serializers.UUIDField()
    name = serializers.CharField()


class NewGrant(Content):
    """What a standing approval would allow."""

    operation = Text(max_length=63)
    target_pattern = Text(max_length=LONGEST_TARGET, help_text="One target, or how targets begin and then `*`.")
    uses = Whole(min_value=1, max_value=MOST_USES, help_text="How often in all.")
    ends_at = Instant()
    purpose = Text(max_length=LONGEST_PURPOSE)
    agent = Id(required=False, allow_null=True, default=None, help_text="The agent that it serves; null: any.")
    run_type = Text(required=False, default="", allow_blank=True, max_length=63, help_text="Empty: any.")
    constraint = Anything(required=False, allow_null=True, default=None, help_text="A condition over {arguments}.")
    amount_path = Text(
        required=False, default="", allow_blank=True, max_length=200, help_text="The argument that is added up."
    )
    amount_most = Text(
        required=False, allow_null=True, default=None, max_length=40, help_text="To how much, an exact decimal."
    )
    rate_most = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=MOST_USES)
    rate_seconds = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=MOST_SECONDS)
    starts_at = Instant(required=False, allow_null=True, default=None)


class GrantEnding(Content):
    """Why it ends."""

    reason = Text(max_length=LONGEST_REASON, help_text="Kept in the record, and told to everyone it stands in for.")


class GrantDocument(serializers.Serializer):
    """A standing approval."""

    example: ClassVar[Any] = GRANT

    id = serializers.UUIDField()
    operation = serializers.CharField()
    agent = serializers.UUIDField(allow_null=True, help_text="null: any.")
    run_type = serializers.CharField(help_text="Empty: any.")
    target_pattern = serializers.CharField()
    constraint = serializers.JSONField(allow_null=True)
    uses = serializers.IntegerField()
    uses_taken = serializers.IntegerField(help_text="Spent and held.")
    amount_path = serializers.CharField()
    amount_most = serializers.CharField(allow_null=True)
    amount_taken = serializers.CharField(help_text="Spent and held.")
    rate_most = serializers.IntegerField(allow_null=True)
    rate_seconds = serializers.IntegerField(allow_null=True)
    starts_at = serializers.CharField()
    ends_at = serializers.CharField()
    groups = serializers.ListField(child=serializers.CharField(), help_text="Whose approvals it stands in for.")
    purpose = serializers.CharField()
    state = serializers.CharField(help_text=f"{', '.join(GRANT_STATES)}.")
    ended_reason = serializers.CharField(allow_null=True)
    owner = PersonNamed()
    confirmed_by = PersonNamed(allow_null=True)
    confirmed_at = serializers.CharField(allow_null=True)
    last_used_at = serializers.CharField(allow_null=True)
    created_at = serializers.CharField()
    ended_at = serializers.CharField(allow_null=True)
    version = serializers.IntegerField()


class GrantPage(serializers.Serializer):
    """Standing approvals, the latest made first."""

    example: ClassVar[Any] = {"items": [GRANT], "next_cursor": None}

    items = GrantDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class GrantReceipt(serializers.Serializer):
    """What became of a standing approval."""

    example: ClassVar[Any] = {"receipt": "confirmed", "grant": GRANT_ID, "state": "active", "at": MADE}

    receipt = serializers.CharField()
    grant = serializers.UUIDField()
    state = serializers.CharField()
    at = serializers.CharField()
    asked_all_the_same = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Rules that ask people all the same."
    )
    uses_taken = serializers.IntegerField(required=False)
    replayed = serializers.BooleanField(required=False, help_text="Sent before with this key; this is its receipt.")


def terms(sent: dict[str, Any], amount: Decimal | None) -> Terms:
    """Give the terms that a body says."""
    same = (
        "operation",
        "target_pattern",
        "purpose",
        "run_type",
        "constraint",
        "amount_path",
        "rate_most",
        "rate_seconds",
    )
    return Terms(
        uses_most=sent["uses"], agent_id=sent["agent"], ends_at=_utc(sent["ends_at"]), amount_most=amount,
        starts_at=_utc(sent["starts_at"]) if sent["starts_at"] else None, **{name: sent[name] for name in same},
    )  # fmt: skip


def grant(found: Grant) -> dict[str, Any]:
    """Show a grant."""
    return {
        "id": str(found.pk), "operation": found.operation, "agent": _id(found.agent_id), "run_type": found.run_type,
        "target_pattern": found.target_pattern, "constraint": decode(found.constraint) if found.constraint else None,
        "uses": found.uses_most, "uses_taken": found.uses_taken, "amount_path": found.amount_path,
        "amount_most": None if found.amount_most is None else number_text(found.amount_most),
        "amount_taken": number_text(found.amount_taken), "rate_most": found.rate_most, "rate_seconds": found.rate_seconds,
        "starts_at": instant(found.starts_at), "ends_at": instant(found.ends_at), "groups": list(found.groups), "purpose": found.purpose,
        "state": found.state, "ended_reason": found.ended_reason or None,
        "owner": {"id": str(found.owner_id), "name": found.owner.user.name},
        "confirmed_by": {"id": str(found.confirmed_by_id), "name": found.confirmed_by.user.name} if found.confirmed_by else None,
        "confirmed_at": instant(found.confirmed_at), "last_used_at": instant(found.last_used_at), "created_at": instant(found.created_at),
        "ended_at": instant(found.ended_at), "version": found.ledger_seq,
    }  # fmt: skip


def _id(found: UUID | None) -> str | None:
    return str(found) if found else None


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC)
