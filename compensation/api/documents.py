"""What the API gives about compensation, described for its readers. A test holds every answer against these."""

from typing import Any, ClassVar

from rest_framework import serializers

from compensation.api import shown
from compensation.states import CAUSES, ENDING_STATES, ENDINGS, ITEM_STATES, PLAN_STATES, WAITS_FOR
from console.http.fields import Anything
from runs.api.documents import OPEN_WORDS, AttemptDocument, EffectDocument, Moment
from runs.api.shown import page
from runs.api.unknown_documents import PersonDocument, ResolutionDocument

MOST_UNRESOLVED = 500


class NamedEffectDocument(serializers.Serializer):
    """An effect, as far as a work item names it; GET /effects/{id} shows all of it."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    operation = serializers.CharField()
    summary = serializers.CharField()
    state = serializers.CharField()
    state_reason = serializers.CharField(allow_null=True)


class RungDocument(serializers.Serializer):
    """A step of the ladder: so long after it needs somebody, this group is told and takes it over."""

    after_seconds = serializers.IntegerField()
    to = serializers.CharField()


class ExpectedDocument(serializers.Serializer):
    """What must still be so before it acts."""

    path = serializers.CharField()
    equals = Anything()
    digest = serializers.CharField(
        required=False,
        help_text="Of the whole, where somebody accepted something so long that `equals` has only its beginning.",
    )


class DifferenceDocument(serializers.Serializer):
    """What was found otherwise than it must be."""

    path = serializers.CharField()
    expected = Anything()
    found = Anything(help_text="What stands there; of what is longer than 1,000 characters the first 1,000.")
    found_length = serializers.IntegerField(required=False, help_text="Where it was cut: how many characters it has.")
    found_digest = serializers.CharField(required=False, help_text="Where it was cut: the SHA-256 of the whole.")


class TickDocument(serializers.Serializer):
    """A line of the checklist, and who ticked it off."""

    text = serializers.CharField()
    done_by = serializers.CharField(allow_null=True, required=False, help_text="A member's id.")
    done_at = Moment(allow_null=True, required=False)


class WorkItemDocument(serializers.Serializer):
    """One thing that is to be made good for, by an effect of its own or by people."""

    example: ClassVar[Any] = shown.ITEM

    id = serializers.UUIDField()
    plan = serializers.UUIDField()
    cause = serializers.CharField(help_text=f"Why it was planned: {', '.join(CAUSES)}. {OPEN_WORDS}")
    run = serializers.UUIDField()
    run_state = serializers.CharField()
    number = serializers.IntegerField(help_text="Within the run.")
    kind = serializers.CharField(help_text="effect: an operation makes good for it; manual: people do.")
    effect = NamedEffectDocument(allow_null=True, help_text="What happened and is made good for.")
    acting = NamedEffectDocument(allow_null=True, help_text="The effect that does it, in its last try.")
    tries = serializers.IntegerField()
    operation = serializers.CharField(allow_null=True, help_text="The compensating operation. Null: people do it.")
    arguments = Anything(
        help_text="Of the compensating effect. Null while what happened is not known, and once erased."
    )
    summary = serializers.CharField()
    target = serializers.CharField(allow_null=True)
    need = serializers.CharField(help_text="required: the run's end waits for it; or allowed.")
    weight = serializers.IntegerField(help_text="How much depends on it, from 0 to 9.")
    state = serializers.CharField(help_text=f"{', '.join(ITEM_STATES)}. {OPEN_WORDS}")
    waits_for = serializers.CharField(
        allow_null=True, help_text=f"What a waiting item waits for: {', '.join(filter(None, WAITS_FOR))}. {OPEN_WORDS}"
    )
    state_reason = serializers.CharField(allow_null=True)
    says = serializers.CharField(help_text="Its state, as a sentence.")
    after = serializers.ListField(
        child=serializers.UUIDField(), help_text="Work items that must be over first; of many the first few."
    )
    after_count = serializers.IntegerField(help_text="How many work items had to be over first when it was planned.")
    authority = serializers.CharField(allow_null=True)
    deadline_at = Moment(allow_null=True)
    overdue = serializers.BooleanField()
    expects = ExpectedDocument(many=True, help_text="What must still be so, read before it acts.")
    difference = DifferenceDocument(
        many=True, help_text="What was found instead: somebody is asked, and nothing was done."
    )
    difference_digest = serializers.CharField(
        allow_null=True, help_text="Goes along when somebody lets it go on although the world is another."
    )
    residue = serializers.ListField(child=serializers.CharField(), help_text="What is expected to remain.")
    left = serializers.ListField(child=serializers.CharField(), help_text="What remained.")
    verification = serializers.CharField(allow_null=True)
    verified_by = serializers.CharField(
        allow_null=True, help_text="world, answer or person: how it is known to be done."
    )
    instructions = serializers.CharField(allow_null=True)
    checklist = TickDocument(many=True)
    needs_second = serializers.BooleanField(help_text="Whether a second person confirms that it is resolved or waived.")
    ladder = RungDocument(many=True)
    level = serializers.IntegerField(help_text="Steps of the ladder that were taken.")
    escalated_at = Moment(allow_null=True)
    owner = PersonDocument(allow_null=True)
    owner_group = serializers.CharField(allow_null=True)
    owned_at = Moment(allow_null=True)
    created_at = Moment()
    started_at = Moment(allow_null=True)
    ended_at = Moment(allow_null=True)
    erased_at = Moment(allow_null=True)
    version = serializers.IntegerField(help_text="Of its plan: rises with every change of any of its items.")


class DeskCountsDocument(serializers.Serializer):
    """How many open items each filter holds, up to 10,000."""

    open = serializers.IntegerField()
    needs_somebody = serializers.IntegerField()
    waiting = serializers.IntegerField()
    at_work = serializers.IntegerField()
    mine = serializers.IntegerField()
    group = serializers.IntegerField()
    nobody = serializers.IntegerField()
    required = serializers.IntegerField()  # type: ignore[assignment]  # a field; the metaclass takes it away
    overdue = serializers.IntegerField()


class WorkItemPage(serializers.Serializer):
    """The desk: work items by deadline and weight, those without a deadline last; what is over, newest first."""

    example: ClassVar[Any] = page(shown.ITEM, counts=shown.COUNTS)

    items = WorkItemDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    counts = DeskCountsDocument()


class CompensationPlanDocument(serializers.Serializer):
    """Why something is made good for in a run, and whether it may begin."""

    id = serializers.UUIDField()
    run = serializers.UUIDField()
    number = serializers.IntegerField(help_text="Within the run.")
    cause = serializers.CharField(help_text=f"{', '.join(CAUSES)}. {OPEN_WORDS}")
    reason = serializers.CharField(allow_null=True)
    state = serializers.CharField(help_text=f"{', '.join(PLAN_STATES)}. {OPEN_WORDS}")
    version = serializers.IntegerField()
    asked_by = serializers.CharField(help_text="agent:…, member:… or system:….")
    asked_by_name = serializers.CharField()
    asked_at = Moment()
    decided_by = PersonDocument(allow_null=True)
    decided_at = Moment(allow_null=True)
    decided_reason = serializers.CharField(allow_null=True)
    erased_at = Moment(allow_null=True)


class PlanWithItemsDocument(CompensationPlanDocument):
    """A plan with its work items, in order."""

    example: ClassVar[Any] = shown.PLAN_WITH_ITEMS

    items = WorkItemDocument(many=True)


class TriedEffectDocument(EffectDocument):
    """An effect with everything that was tried."""

    example: ClassVar[Any] = shown.CHARGE

    attempts = AttemptDocument(many=True)


class EndingDocument(serializers.Serializer):
    """What somebody said ends a work item, and whether it stands."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    ending = serializers.CharField(help_text=" or ".join(ENDINGS))
    evidence = serializers.CharField(allow_null=True)
    link = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_null=True)
    authority = serializers.CharField(allow_null=True, help_text="By what it was waived.")
    left = serializers.ListField(child=serializers.CharField(), help_text="What remains.")
    needs_second = serializers.BooleanField()
    state = serializers.CharField(help_text=f"{', '.join(ENDING_STATES)}. {OPEN_WORDS}")
    proposed_by = PersonDocument()
    proposed_at = Moment()
    decided_by = PersonDocument(allow_null=True)
    decided_at = Moment(allow_null=True)
    decided_reason = serializers.CharField(allow_null=True)


class WorkItemFileDocument(serializers.Serializer):
    """A file beside a work item."""

    id = serializers.UUIDField(help_text="GET /api/v1/compensation-files/{id} gives its bytes.")
    name = serializers.CharField()
    media_type = serializers.CharField()
    size = serializers.IntegerField()
    digest = serializers.CharField(help_text="SHA-256 of the bytes.")
    uploaded_by = PersonDocument()
    uploaded_at = Moment()


class ChainDocument(WorkItemDocument):
    """A work item from the original intent to what remains."""

    example: ClassVar[Any] = shown.CHAIN

    run_ended_at = Moment(allow_null=True)
    of_plan = CompensationPlanDocument(help_text="Its plan: who asked, when and why.")
    original = TriedEffectDocument(allow_null=True, help_text="What was meant, its approval and what came of it.")
    found = ResolutionDocument(many=True, help_text="What people found of the original.")
    tried = TriedEffectDocument(many=True, help_text="The compensating effects, in order.")
    before = serializers.ListField(
        child=serializers.UUIDField(), help_text="Work items that come first, as `after` names them."
    )
    behind = serializers.ListField(
        child=serializers.UUIDField(), help_text="Work items that wait for this one; of many the first few."
    )
    behind_count = serializers.IntegerField(help_text="How many work items wait for this one, or waited.")
    endings = EndingDocument(many=True)
    files = WorkItemFileDocument(many=True)


class RunCompensationDocument(serializers.Serializer):
    """Where a run stands with what it makes good for."""

    example: ClassVar[Any] = shown.OF_RUN

    run = serializers.UUIDField()
    run_state = serializers.CharField()
    run_version = serializers.IntegerField()
    compensation = serializers.CharField(
        allow_null=True, help_text=f"due, open or over; null: nothing is to be made good for. {OPEN_WORDS}"
    )
    total = serializers.IntegerField(help_text="Work items, without those that were dropped.")
    over = serializers.IntegerField(help_text="How many of those are done, resolved or waived.")
    needs_somebody = serializers.IntegerField(help_text="How many failed, were escalated, or wait for a person.")
    residue = serializers.ListField(child=serializers.CharField(), help_text="What remained, once it is over.")
    unresolved = serializers.ListField(
        child=serializers.UUIDField(),
        help_text=f"Work items that are not made good for, still open or waived: the first {MOST_UNRESOLVED}.",
    )
    unresolved_total = serializers.IntegerField(help_text="How many of those there are.")
    plans = PlanWithItemsDocument(
        many=True, help_text="Of the items on this page, each with those of them that are its own."
    )
    next_cursor = serializers.CharField(allow_null=True)


class BacklogDocument(serializers.Serializer):
    """What is open now."""

    open = serializers.IntegerField()
    needs_somebody = serializers.IntegerField(help_text="Failed, escalated, or waiting for a person.")
    overdue = serializers.IntegerField()
    oldest_seconds = serializers.FloatField(allow_null=True, help_text="Since the oldest was planned.")
    by_state = serializers.DictField(child=serializers.IntegerField())


class OutcomesDocument(serializers.Serializer):
    """What became of work items that ended."""

    ended = serializers.IntegerField()
    done = serializers.IntegerField(help_text="An effect made good for it, and that was verified.")
    resolved = serializers.IntegerField(help_text="People did it, with evidence.")
    waived = serializers.IntegerField(help_text="With authority it was not made good for.")
    dropped = serializers.IntegerField(help_text="There was nothing to make good for; counted in no share.")
    escalated = serializers.IntegerField(help_text="Of those that ended: somebody had to be called.")
    success_rate = serializers.FloatField(allow_null=True, help_text="`done` of all but the dropped; null of none.")
    escalation_rate = serializers.FloatField(
        allow_null=True, help_text="`escalated` of all but the dropped; null of none."
    )
    median_seconds = serializers.FloatField(allow_null=True, help_text="From planned to done.")
    p95_seconds = serializers.FloatField(allow_null=True)


class PeriodDocument(OutcomesDocument):
    """What ended in a day or a week."""

    def get_fields(self) -> dict[str, Any]:
        return {"from": serializers.DateField(help_text="Its first day."), **super().get_fields()}


class OperationNumbersDocument(OutcomesDocument):
    """One compensating operation."""

    operation = serializers.CharField(allow_null=True, help_text="Null: what people do.")
    open = serializers.IntegerField()


class RemainsDocument(serializers.Serializer):
    """Something that remained, and of how many work items."""

    text = serializers.CharField()
    counted = serializers.IntegerField()


class FeesDocument(serializers.Serializer):
    """What compensating cost in one currency."""

    currency = serializers.CharField(allow_null=True, help_text="Null where it was not said.")
    amount = serializers.CharField(help_text="An exact decimal: the `fee` of results, added up.")
    counted = serializers.IntegerField(help_text="Over so many acts.")


class NumbersDocument(serializers.Serializer):
    """How compensation does."""

    example: ClassVar[Any] = shown.NUMBERS

    as_of = Moment()
    since = Moment(help_text="What ended since then is counted.")
    by = serializers.CharField()
    zone = serializers.CharField()
    counted_all = serializers.BooleanField(
        help_text="False: there was more than 10000 of something, and the latest were counted."
    )
    backlog = BacklogDocument()
    whole = OutcomesDocument()
    periods = PeriodDocument(many=True)
    operations = OperationNumbersDocument(many=True)
    remains = RemainsDocument(many=True, help_text="The twenty most frequent, by their words.")
    fees = FeesDocument(many=True)
