"""What the API gives about runs, described for its readers. A test holds every answer against these."""

from typing import Any, ClassVar

from rest_framework import serializers

from approvals.api.documents import NarrowingDocument
from console.http.bulk import MOST_ITEMS, BulkDocument, ItemDocument
from console.http.content import Content
from console.http.fields import Anything
from runs.api import shown
from runs.api.content import NewEffectInRun, NewRunInBulk
from runs.failures import BY_NAME
from runs.states import ATTENTION, EFFECT_STATES, RUN_STATES

OPEN_WORDS = "An open list: treat a word that you do not know as one to wait on."
FAILURE_WORDS = f"The class of what went wrong, or null: {', '.join(BY_NAME)}. docs/failures.md says what follows each."


class Moment(serializers.DateTimeField):
    """An instant, UTC, with six digits of fraction."""


class RunDocument(serializers.Serializer):
    """A run."""

    example: ClassVar[Any] = shown.RUN

    id = serializers.UUIDField()
    key = serializers.CharField(help_text="The Idempotency-Key that it was made with.")
    run_type = serializers.CharField()
    run_type_version = serializers.IntegerField()
    goal = serializers.CharField()
    agent = serializers.CharField(help_text="The agent's name.")
    state = serializers.CharField(help_text=f"{', '.join(RUN_STATES)}. {OPEN_WORDS}")
    completes_itself = serializers.BooleanField()
    closing_toward = serializers.CharField(allow_null=True, help_text="What a closing run will end as.")
    closing_reason = serializers.CharField(allow_null=True)
    epoch = serializers.IntegerField(help_text="Send it as Fencing-Token with every write.")
    version = serializers.IntegerField(help_text="Rises with every change; also the ETag.")
    result = Anything()
    unresolved = serializers.ListField(child=serializers.UUIDField(), help_text="Effects that it ended with by name.")
    parent = serializers.UUIDField(  # type: ignore[assignment]  # a field; the metaclass takes it away
        allow_null=True, help_text="The run below which it stands."
    )
    holder = serializers.CharField(
        allow_null=True, help_text="The process that drives it, or drove it last, by its own name."
    )
    lease_expires_at = Moment(
        allow_null=True,
        help_text="Until when nobody else takes it without a further sign of life. Null: nobody has it.",
    )
    resume_due = serializers.BooleanField(help_text="Whether its ready effects wait until a resume has decided.")
    attention = serializers.CharField(
        allow_null=True, help_text=f"Why a person is needed, or null: {', '.join(ATTENTION)}. {OPEN_WORDS}"
    )
    attention_since = Moment(allow_null=True)
    attention_reason = serializers.CharField(allow_null=True)
    corrections = serializers.IntegerField(help_text="How often its user put something right; see its corrections.")
    corrections_seen = serializers.IntegerField(
        help_text="How many of them the driver has taken into account; nothing new is taken from it before all are."
    )  # fmt: skip
    compensation = serializers.CharField(
        allow_null=True,
        help_text="Where it stands with what must be made good for: due, open or over; null: nothing is. An ending run waits for it. "
        + OPEN_WORDS,
    )
    residue = serializers.ListField(
        child=serializers.CharField(),
        help_text="What remains although it was made good for: fees, notices, legal records.",
    )
    deadline_at = Moment(allow_null=True)
    created_at = Moment()
    ended_at = Moment(allow_null=True)
    erased_at = Moment(
        allow_null=True,
        help_text="When the contents were erased; texts are `[erased]` since, and the rest null or empty.",
    )


class AskedDocument(serializers.Serializer):
    """The approval request that stands for an effect."""

    id = serializers.UUIDField()
    state = serializers.CharField()
    decide_by = Moment()
    use_by = Moment(allow_null=True)
    finish_by = Moment(allow_null=True)
    reason = serializers.CharField(allow_null=True, help_text="What was said when it was denied, or why it ended.")
    may_resubmit = serializers.BooleanField(
        help_text="Whether the same may be proposed again, under a new key: nobody said no to it."
    )
    alternative = serializers.DictField(
        allow_null=True,
        help_text="The arguments that whoever denied it would have said yes to; nothing is done by that.",
    )
    narrowing = NarrowingDocument(allow_null=True, help_text="What its approvers tightened.")
    to_fit = serializers.BooleanField(
        help_text="It was approved for less than was asked: propose an effect that `supersedes` this one, differs in nothing but what "
        "`narrowing` speaks of, and is within it. It is released by the same approval, once."
    )


class EffectDocument(serializers.Serializer):
    """An effect: one intent, done at most once."""

    example: ClassVar[Any] = shown.EFFECT

    id = serializers.UUIDField()
    run = serializers.UUIDField()
    run_version = serializers.IntegerField()
    number = serializers.IntegerField()
    key = serializers.CharField()
    operation = serializers.CharField()
    operation_version = serializers.IntegerField()
    executor = serializers.CharField(
        help_text="Who acts: http, python, agent (begin an attempt yourself) or human. An open list."
    )
    summary = serializers.CharField(help_text="What will happen, as people are shown it.")
    target = serializers.CharField()
    arguments = serializers.DictField(
        allow_null=True, help_text="After defaults: exactly what will be done. Decimals are texts. Null once erased."
    )
    reason = serializers.CharField(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]  # a field; the metaclass takes it away
    consequential = serializers.BooleanField()
    irreversible = serializers.BooleanField()
    after = serializers.ListField(child=serializers.UUIDField())
    cleanup = serializers.BooleanField(help_text="Whether it is done although its run is being cancelled.")
    cancel_asked_at = Moment(allow_null=True, help_text="When the other side was first asked to stop it.")
    after_waits = serializers.ListField(
        child=serializers.UUIDField(), help_text="Waits of the run that must be met before it begins."
    )
    supersedes = serializers.UUIDField(allow_null=True)
    compensates = serializers.UUIDField(allow_null=True, help_text="The effect that it makes good for.")
    approved_with = serializers.UUIDField(
        allow_null=True,
        help_text="The request about what it makes good for, where whoever approved that approved this too.",
    )
    digest = serializers.CharField(help_text="SHA-256 of what an approval binds.")
    state = serializers.CharField(help_text=f"{', '.join(EFFECT_STATES)}. {OPEN_WORDS}")
    state_reason = serializers.CharField(allow_null=True)
    verdict = serializers.CharField(help_text="What the policy said: allow, ask or deny.")
    rule = serializers.CharField(allow_null=True)
    approval = AskedDocument(allow_null=True)
    fence = serializers.IntegerField()
    attempts_count = serializers.IntegerField(
        help_text="Attempts of every kind: acts, questions about what became of them, and of what makes good checks and verifications too."
    )
    outcome = serializers.CharField(allow_null=True)
    failure_class = serializers.CharField(allow_null=True, help_text=FAILURE_WORDS)
    result = Anything()
    operation_reference = serializers.CharField(allow_null=True)
    deadline_at = Moment()
    created_at = Moment()
    ended_at = Moment(allow_null=True)
    erased_at = Moment(
        allow_null=True,
        help_text="When the contents were erased; texts are `[erased]` since, and the rest null or empty.",
    )
    unknown_since = Moment(allow_null=True)
    next_attempt_at = Moment(allow_null=True)


class LateDocument(serializers.Serializer):
    """What came back after an attempt had been given up; it changed nothing."""

    outcome = serializers.CharField()
    evidence = Anything()
    evidence_digest = serializers.CharField(allow_null=True)
    at = Moment()


class AttemptDocument(serializers.Serializer):
    """One try."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    kind = serializers.CharField(help_text="act or status.")
    fence = serializers.IntegerField(help_text="Sent to the other side as Fencing-Token.")
    worker = serializers.CharField(help_text="Who carries it out: a worker, the agent, a member.")
    state = serializers.CharField(help_text="running, ended or lost.")
    outcome = serializers.CharField(allow_null=True)
    failure_class = serializers.CharField(allow_null=True, help_text=FAILURE_WORDS)
    http_status = serializers.IntegerField(allow_null=True)
    sent = serializers.BooleanField(allow_null=True, help_text="Whether a byte may have left; null: nobody knows.")
    reason = serializers.CharField(allow_null=True)
    evidence = Anything()
    evidence_digest = serializers.CharField(allow_null=True)
    started_at = Moment()
    lease_expires_at = Moment(allow_null=True, help_text="Until when it is held without a sign of life.")
    ended_at = Moment(allow_null=True)
    late = LateDocument(allow_null=True)


class ListedEffectDocument(EffectDocument):
    """An effect and what makes good for it."""

    example: ClassVar[Any] = shown.EFFECT_LISTED

    compensated_by = serializers.ListField(
        child=serializers.UUIDField(), help_text="Effects that make good for this one, or tried to, in order."
    )


class EffectWithAttemptsDocument(ListedEffectDocument):
    """An effect and everything that was tried."""

    example: ClassVar[Any] = shown.EFFECT_DONE

    superseded_by = serializers.ListField(
        child=serializers.UUIDField(), help_text="Effects that took another way than this one."
    )
    attempts = AttemptDocument(many=True)


class NewRunDocument(RunDocument):
    """A run as accepted, with the effects that came with it."""

    example: ClassVar[Any] = shown.RUN_MADE

    effects = EffectDocument(many=True)


class NewRuns(Content):
    """Runs to be made, 1 to 500, with at most 500 effects in all; each is made or refused on its own."""

    items = NewRunInBulk(many=True, min_length=1, max_length=MOST_ITEMS)  # type: ignore[call-arg]


class NewEffects(Content):
    """Effects to be proposed, 1 to 500; each is accepted or refused on its own, and may wait for those before it."""

    items = NewEffectInRun(many=True, min_length=1, max_length=MOST_ITEMS)  # type: ignore[call-arg]


class BulkRunDocument(ItemDocument):
    """What became of one of the runs."""

    run = NewRunDocument(required=False, help_text="The run, unless it was refused.")


class BulkEffectDocument(ItemDocument):
    """What became of one of the effects."""

    effect = EffectDocument(required=False, help_text="The effect, unless it was refused.")


class BulkOfRuns(BulkDocument):
    """What became of the runs, in their order."""

    example: ClassVar[Any] = shown.BULK_OF_RUNS

    items = BulkRunDocument(many=True)


class BulkOfEffects(BulkDocument):
    """What became of the effects, in their order."""

    example: ClassVar[Any] = shown.BULK_OF_EFFECTS

    items = BulkEffectDocument(many=True)


class EntryDocument(serializers.Serializer):
    """One accepted change, as the record keeps it."""

    seq = serializers.IntegerField()
    kind = serializers.CharField()
    at = Moment()
    actor = serializers.CharField()
    payload = Anything()
    payload_text = serializers.CharField(allow_null=True, help_text="The text whose SHA-256 is `digest`.")
    erased_at = Moment(allow_null=True)
    format = serializers.IntegerField()
    digest = serializers.CharField()
    prev_hash = serializers.CharField()
    hash = serializers.CharField()


class RunPage(serializers.Serializer):
    """Runs, newest first."""

    example: ClassVar[Any] = shown.page(shown.RUN)

    items = RunDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class EffectPage(serializers.Serializer):
    """A run's effects, in their order."""

    example: ClassVar[Any] = shown.page(shown.EFFECT_LISTED)

    items = ListedEffectDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class HistoryPage(serializers.Serializer):
    """A run's history, from its first entry on."""

    example: ClassVar[Any] = shown.page(shown.ENTRY, tenant=shown.TENANT_ID, stream=f"run:{shown.RUN_ID}")

    tenant = serializers.UUIDField(help_text="With the stream, what each `hash` covers beside the entry itself.")
    stream = serializers.CharField()
    items = EntryDocument(many=True)
    next_cursor = serializers.CharField(allow_null=True)


class RunReceipt(serializers.Serializer):
    """What became of a run."""

    example: ClassVar[Any] = shown.RUN_RECEIPT

    run = serializers.UUIDField()
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class PermitDocument(serializers.Serializer):
    """The permit for one attempt: what is to be done, exactly, and until when."""

    example: ClassVar[Any] = shown.PERMIT

    attempt = serializers.UUIDField()
    number = serializers.IntegerField()
    effect = serializers.UUIDField()
    run = serializers.UUIDField()
    operation = serializers.CharField()
    summary = serializers.CharField()
    target = serializers.CharField()
    arguments = serializers.DictField(help_text="Exactly what was permitted. Do this and nothing else.")
    effect_key = serializers.CharField(help_text="Send it along to the other side: the same for every attempt.")
    fence = serializers.IntegerField(
        help_text="Send it as Fencing-Token with heartbeats and the report, and to the other side."
    )
    lease_expires_at = Moment(help_text="Report, or give a sign of life, before then.")
    ends_at = Moment(help_text="Beyond this no sign of life renews the lease.")
    deadline_at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class LeaseDocument(serializers.Serializer):
    """How long an attempt is held now."""

    example: ClassVar[Any] = shown.LEASE_NOW

    attempt = serializers.UUIDField()
    lease_expires_at = Moment()
    ends_at = Moment()


class ReportReceipt(serializers.Serializer):
    """What a report made of the effect."""

    example: ClassVar[Any] = shown.REPORT

    attempt = serializers.UUIDField()
    effect = serializers.UUIDField()
    outcome = serializers.CharField()
    state = serializers.CharField(help_text="The state of the effect now.")
    reason = serializers.CharField(allow_blank=True)
    next_attempt_at = Moment(allow_null=True, help_text="From when it may be begun again, where it may.")
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")


class EffectReceipt(serializers.Serializer):
    """What became of an effect."""

    example: ClassVar[Any] = shown.EFFECT_RECEIPT

    effect = serializers.UUIDField()
    state = serializers.CharField()
    at = Moment()
    replayed = serializers.BooleanField(required=False, help_text="True when the key had been answered before.")
