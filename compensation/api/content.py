"""What may be sent about what people do by hand."""

from typing import Any

from rest_framework import serializers

from compensation.deeds import grounds, wanted
from compensation.states import NEEDS, REQUIRED
from console.http.content import Content
from console.http.evidence import LONGEST_EVIDENCE, LONGEST_LINK, MOST_FILES, Upload
from console.http.fields import Id, Text, Whole, YesNo
from console.http.reasons import LONGEST_REASON
from runs.api.unknown_content import NewFile
from runs.contracts.undoing import OWNER


class Because(Content):
    """Why it is done."""

    reason = Text(max_length=LONGEST_REASON)


class SecondWord(Content):
    """What goes with it, if anything."""

    reason = Text(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)


class Accepted(Because):
    """That it goes on although the world is not as it was."""

    seen_digest = Text(max_length=64, help_text="The item's `difference_digest`, as you saw it.")


class Tick(Content):
    """A point of the checklist."""

    place = Whole(min_value=0, max_value=wanted.MOST_POINTS, help_text="Which point, from 0.")
    done = YesNo(required=False, default=True, help_text="false: it is open again.")


class Resolved(Content):
    """That it was made good for in another way, and by what that is known."""

    evidence = Text(max_length=LONGEST_EVIDENCE, help_text="How it is known, in words.")
    link = Text(
        required=False, default="", allow_blank=True, max_length=LONGEST_LINK,
        help_text="Where the evidence is: an http or https address.",
    )  # fmt: skip
    reason = Text(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)
    left = serializers.ListField(
        child=Text(max_length=grounds.LONGEST_LEFT), required=False, default=list, max_length=grounds.MOST_LEFT,
        help_text="What remains all the same, such as a fee.",
    )  # fmt: skip
    files = NewFile(many=True, required=False, default=list, max_length=MOST_FILES)  # type: ignore[call-arg]


class Waived(Content):
    """That it is waived: why, and who may say so."""

    reason = Text(max_length=LONGEST_REASON)
    authority = Text(
        max_length=grounds.LONGEST_AUTHORITY, help_text="By what you may waive it: a rule, a mandate, a person."
    )
    left = serializers.ListField(
        child=Text(max_length=grounds.LONGEST_LEFT), required=False, default=list, max_length=grounds.MOST_LEFT,
        help_text="What remains.",
    )  # fmt: skip


class NewWorkItem(Content):
    """Something that people do about a run."""

    summary = Text(max_length=wanted.LONGEST_SUMMARY, help_text="What is to be done, in a line.")
    instructions = Text(required=False, default="", allow_blank=True, max_length=wanted.LONGEST_INSTRUCTIONS)
    checklist = serializers.ListField(
        child=Text(max_length=wanted.LONGEST_POINT), required=False, default=list, max_length=wanted.MOST_POINTS
    )
    need = serializers.ChoiceField(
        choices=NEEDS, required=False, default=REQUIRED, help_text="required: the run's end waits for it."
    )
    deadline_seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=wanted.LONGEST_SECONDS
    )
    owner_group = Text(required=False, default=OWNER, max_length=63, help_text="The group that looks after it.")
    after = serializers.ListField(
        child=Id(),
        required=False,
        default=list,
        max_length=wanted.MOST_AFTER,
        help_text="Work items of the run that come first.",
    )
    needs_second = YesNo(
        required=False, default=False, help_text="Whether a second person confirms that it is resolved or waived."
    )
    reason = Text(max_length=LONGEST_REASON)


def uploads(files: list[dict[str, Any]]) -> list[Upload]:
    """Make the files that were sent."""
    return [Upload(file["name"], file["media_type"], file["content"]) for file in files]
