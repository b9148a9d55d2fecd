"""What an agent may send about runs and effects, and the drafts that it becomes."""

from typing import Any

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Anything, Document, Id, Key, Text, Whole, YesNo
from console.http.refusals import InvalidContent
from runs import performing
from runs.drafts import EffectDraft, RunDraft

LONGEST_DEADLINE = 366 * 24 * 3600
MOST_AT_ONCE = 500


class NewEffect(Content):
    """One intent."""

    operation = Text(max_length=63, help_text="The name of an operation contract.")
    arguments = Document(
        help_text="As the contract's schema says. Amounts may be numbers or texts; they are kept exactly."
    )
    target = Text(
        required=False,
        allow_null=True,
        default=None,
        max_length=400,
        help_text="`type:id`, where the contract has no template for it.",
    )
    after = serializers.ListField(
        child=Text(max_length=255), required=False, default=list, max_length=100,
        help_text="Ids or keys of effects of the same run; this one begins when all of them have succeeded.",
    )  # fmt: skip
    reason = Text(
        required=False, default="", allow_blank=True, max_length=2000, help_text="Why; shown to those who are asked."
    )
    required = YesNo(  # type: ignore[assignment]  # a field; the metaclass takes it away
        required=False, allow_null=True, default=None, help_text="Whether the run's outcome needs it; else as the contract says."
    )  # fmt: skip
    supersedes = Id(
        required=False, allow_null=True, default=None, help_text="The effect that this changed strategy replaces."
    )
    deadline_seconds = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_DEADLINE)
    after_waits = serializers.ListField(
        child=Text(max_length=63), required=False, default=list, max_length=20,
        help_text="Ids or names of waits of the run; this one begins when all of them have been met.",
    )  # fmt: skip
    cleanup = YesNo(
        required=False, default=False,
        help_text="Whether it is done although the run is being cancelled; only of operations that the run type names for it.",
    )  # fmt: skip


class NewEffectInRun(NewEffect):
    """One intent that comes with its run, with its own key."""

    key = Key(
        max_length=255,
        help_text="Names this effect within the run, as Idempotency-Key does for one that is posted alone.",
    )


class NewRun(Content):
    """What an agent sets out to do."""

    run_type = Text(max_length=63, help_text="The name of a run type contract.")
    goal = Text(max_length=2000)
    completes_itself = YesNo(
        required=False, default=False, help_text="Whether the run ends by itself once every effect has ended."
    )
    deadline_seconds = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_DEADLINE)
    holder = Text(
        required=False,
        default="",
        allow_blank=True,
        max_length=255,
        help_text="The process that drives the run, by a name of its own.",
    )
    parent = Id(  # type: ignore[assignment]  # a field; the metaclass takes it away
        required=False, allow_null=True, default=None,
        help_text="The run below which it stands: one that you drive, whose epoch goes along as Parent-Token.",
    )  # fmt: skip
    limits = Document(
        required=False, allow_null=True, default=None,
        help_text="What the run may use, at most what its type's contract allows: `attempts`, `cost` (a decimal, as text), `tokens`, "
        "`children`, `wall_seconds`.",
    )  # fmt: skip
    effects = NewEffectInRun(many=True, required=False, default=list, max_length=MOST_AT_ONCE)  # type: ignore[call-arg]


class NewRunInBulk(NewRun):
    """One of several runs, with its own key."""

    key = Key(max_length=255, help_text="Names this run, as Idempotency-Key does for one that is posted alone.")


class Completion(Content):
    """How a run ended, as its driver sees it."""

    result = Anything(required=False, default=None, help_text="Any JSON value; kept exactly.")
    accept_unresolved = serializers.ListField(
        child=Id(), required=False, default=list, max_length=MOST_AT_ONCE,
        help_text="Unknown or partial effects to end with by name, where the run type allows it.",
    )  # fmt: skip


class GivingUp(Content):
    """Why a run failed."""

    reason = Text(max_length=2000)


class Withdrawal(Content):
    """Why an effect is not wanted any more."""

    reason = Text(required=False, default="", allow_blank=True, max_length=2000)


class Nothing(Content):
    """Nothing, or an empty object: the address and the headers say all."""


class NewReport(Content):
    """What came of an attempt."""

    outcome = serializers.ChoiceField(
        choices=performing.OUTCOMES,
        help_text="One that the contract lists; `unknown` (nobody can tell) and `not_sent` (nothing was done) can always be reported.",
    )
    result = Anything(
        required=False, default=None, help_text="As the contract's schema of the result says; kept exactly."
    )
    reason = Text(
        required=False, default="", allow_blank=True, max_length=performing.LONGEST, help_text="Why, in words."
    )
    reference = Text(
        required=False,
        default="",
        allow_blank=True,
        max_length=performing.LONGEST,
        help_text="The other side's own name for it.",
    )
    evidence = Text(
        required=False, default="", allow_blank=True, max_length=performing.LONGEST,
        help_text="How it is known, in words or as a durable reference; kept with its digest.",
    )  # fmt: skip


class HandingBack(Content):
    """Why an attempt was not begun after all."""

    reason = Text(required=False, default="", allow_blank=True, max_length=performing.LONGEST)


def run_draft(sent: dict[str, Any], key: str, parent_epoch: int | None = None) -> RunDraft:
    """Make the draft of a run."""
    effects = [effect_draft(effect, effect["key"]) for effect in sent["effects"]]
    return RunDraft(
        key=key, run_type=sent["run_type"], goal=sent["goal"], completes_itself=sent["completes_itself"],
        deadline_seconds=sent["deadline_seconds"], effects=effects, holder=sent["holder"].strip(), parent=sent["parent"],
        parent_epoch=parent_epoch, limits=sent["limits"],
    )  # fmt: skip


def effect_draft(sent: dict[str, Any], key: str) -> EffectDraft:
    """Make the draft of an effect."""
    return EffectDraft(
        key=key, operation=sent["operation"], arguments=sent["arguments"], target=sent["target"], after=sent["after"],
        reason=sent["reason"], required=sent["required"], supersedes=sent["supersedes"], deadline_seconds=sent["deadline_seconds"],
        after_waits=sent["after_waits"], cleanup=sent["cleanup"],
    )  # fmt: skip


def placed(refusal: InvalidContent, draft: RunDraft) -> InvalidContent:
    """Say where in the body a fault of one of the run's effects is: a contract's `path` counts from the effect."""
    key, operation = refusal.facts.get("key"), refusal.facts.get("operation")
    for place, effect in enumerate(draft.effects):
        if effect.key == key or (key is None and effect.operation == operation):
            before = f"/effects/{place}"
            refusal.facts["path"] = before + refusal.facts.get("path", "")
            for fault in refusal.facts.get("errors", []):
                fault["path"] = before + fault["path"]
            break
    return refusal
