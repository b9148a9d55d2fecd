"""What the API answers to what is done about compensation. A test holds every answer against these."""

from typing import Any, ClassVar

from rest_framework import serializers

from compensation.api import documents, receipts_shown
from compensation.states import ENDING_STATES, ITEM_STATES, PLAN_STATES
from console.http.fields import Anything
from runs.api.documents import OPEN_WORDS, Moment

REPLAYED = "True when the key had been answered before."


class PlannedItem(serializers.Serializer):
    """A work item as it stands right after it was planned."""

    item = serializers.UUIDField()
    number = serializers.IntegerField()
    effect = serializers.UUIDField(help_text="What is made good for.")
    operation = serializers.CharField(allow_blank=True, help_text="Empty: people do it.")
    state = serializers.CharField(help_text=f"{', '.join(ITEM_STATES)}. {OPEN_WORDS}")
    waits_for = serializers.CharField(allow_blank=True)
    acting = serializers.UUIDField(allow_null=True, help_text="The effect that makes good for it, where it has begun.")


class CompensationReceipt(serializers.Serializer):
    """What came of a wish."""

    example: ClassVar[Any] = receipts_shown.ASKED

    run = serializers.UUIDField()
    plan = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Of the plan, within the run.")
    plan_state = serializers.CharField(help_text=f"{', '.join(PLAN_STATES)}. {OPEN_WORDS}")
    items = PlannedItem(many=True)
    state = serializers.CharField(help_text="Of the run.")
    compensation = serializers.CharField()
    version = serializers.IntegerField(help_text="The run's version now.")
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text=REPLAYED)


class WouldBeItem(serializers.Serializer):
    """A work item as it would be planned."""

    effect = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Of the effect.")
    kind = serializers.CharField()
    operation = serializers.CharField(allow_blank=True)
    summary = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    arguments = Anything()
    need = serializers.CharField()
    weight = serializers.IntegerField()
    waits_for = serializers.CharField(allow_blank=True)
    reason = serializers.CharField(allow_blank=True)
    after = serializers.ListField(
        child=serializers.UUIDField(), help_text="Effects that are made good for first; of many the first few."
    )
    after_count = serializers.IntegerField(help_text="How many effects are made good for first.")
    authority = serializers.CharField(allow_blank=True)
    deadline_at = Moment(allow_null=True)
    expects = documents.ExpectedDocument(many=True)
    residue = serializers.ListField(child=serializers.CharField())
    verification = serializers.CharField(allow_blank=True)
    instructions = serializers.CharField(allow_blank=True)
    needs_second = serializers.BooleanField()
    owner_group = serializers.CharField()


class NotPlanned(serializers.Serializer):
    """An effect for which nothing would be planned, and why."""

    effect = serializers.UUIDField()
    number = serializers.IntegerField()
    why = serializers.CharField(
        help_text=f"did_not_happen, already_compensated, compensation_of_compensation, only_reads or not_by_itself. {OPEN_WORDS}"
    )
    item = serializers.UUIDField(allow_null=True, help_text="The work item that covers it already.")


class CompensationPreview(serializers.Serializer):
    """What would be planned."""

    example: ClassVar[Any] = receipts_shown.PREVIEW

    run = serializers.UUIDField()
    preview = serializers.BooleanField()
    approve_first = serializers.BooleanField(help_text="Whether somebody would have to approve the plan.")
    items = WouldBeItem(many=True)
    left = NotPlanned(many=True)
    at = Moment()


class ItemReceipt(serializers.Serializer):
    """Where a work item stands after something was done about it."""

    example: ClassVar[Any] = receipts_shown.ITEM

    item = serializers.UUIDField()
    run = serializers.UUIDField()
    state = serializers.CharField(help_text=f"{', '.join(ITEM_STATES)}. {OPEN_WORDS}")
    waits_for = serializers.CharField(allow_blank=True)
    acting = serializers.UUIDField(allow_null=True)
    version = serializers.IntegerField(help_text="The plan's version now.")
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text=REPLAYED)


class TriedReceipt(ItemReceipt):
    """A work item that is tried again."""

    example: ClassVar[Any] = receipts_shown.TRIED

    tries = serializers.IntegerField()
    begun = serializers.BooleanField(
        help_text="Whether it is tried again. False: no effect could be made for that, and the item's `state_reason` says why."
    )


class OwnedReceipt(ItemReceipt):
    """Who looks after it now."""

    example: ClassVar[Any] = receipts_shown.OWNED

    owner = serializers.UUIDField(allow_null=True, help_text="A member's id.")
    owner_group = serializers.CharField(allow_blank=True)


class EscalatedReceipt(ItemReceipt):
    """Who was told."""

    example: ClassVar[Any] = receipts_shown.ESCALATED

    to = serializers.CharField(help_text="The group that has it now.")
    level = serializers.IntegerField()


class TickedReceipt(ItemReceipt):
    """What of the checklist is open."""

    example: ClassVar[Any] = receipts_shown.TICKED

    place = serializers.IntegerField()
    done = serializers.BooleanField()
    open = serializers.ListField(child=serializers.CharField())


class FiledReceipt(ItemReceipt):
    """A file that stands beside it."""

    example: ClassVar[Any] = receipts_shown.FILED

    file = serializers.UUIDField()
    name = serializers.CharField()
    digest = serializers.CharField(help_text="SHA-256 of the bytes.")


class EndingReceipt(ItemReceipt):
    """What became of a word about how it ends."""

    example: ClassVar[Any] = receipts_shown.ENDING

    ending = serializers.UUIDField()
    is_a = serializers.CharField(help_text="resolve or waive.")
    stands = serializers.CharField(help_text=f"{', '.join(ENDING_STATES)}. {OPEN_WORDS}")
    needs_second = serializers.BooleanField()


class AddedReceipt(ItemReceipt):
    """A work item that somebody added."""

    example: ClassVar[Any] = receipts_shown.ADDED

    plan = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Within the run.")


class PlanReceipt(serializers.Serializer):
    """What became of a plan."""

    example: ClassVar[Any] = receipts_shown.PLAN

    plan = serializers.UUIDField()
    run = serializers.UUIDField()
    state = serializers.CharField(help_text=f"{', '.join(PLAN_STATES)}. {OPEN_WORDS}")
    version = serializers.IntegerField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text=REPLAYED)
