"""What a driver may send to be kept, and the draft that it becomes."""

from typing import Any

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Anything, Text, Whole
from console.http.refusals import InvalidContent
from runs.checkpoints.draft import VERSIONS, CheckpointDraft, of_text, of_value
from runs.states import BOUNDARIES

MOST_ARTIFACTS = 100
LONGEST_VERSION = 255
LONGEST_NOTE = 2000


class BadCheckpoint(InvalidContent):
    """A checkpoint has one state, as `state` or as `state_text`, or none."""

    code = "bad_checkpoint"


class AgentVersions(Content):
    """What the driver ran with: each a name that changes when the thing does. What is left out is not known."""


for _name in VERSIONS:
    AgentVersions._declared_fields[_name] = Text(required=False, max_length=LONGEST_VERSION)


class NewArtifact(Content):
    """Something that is kept elsewhere: where, and what proves that it is the same."""

    name = Text(max_length=255)
    reference = Text(max_length=1000, help_text="Where it durably is.")
    digest = serializers.RegexField(r"^[0-9a-f]{64}\Z", help_text="SHA-256 of its bytes, in hexadecimal.")
    media_type = Text(required=False, default="", allow_blank=True, max_length=127)
    bytes = Whole(required=False, allow_null=True, default=None, min_value=0)


class NewCheckpoint(Content):
    """What a driver keeps, so that another can go on."""

    schema_version = Whole(
        required=False, allow_null=True, default=None, min_value=0, max_value=1_000_000,
        help_text="The version of the schema of your state. A state without one is kept, and never resumed from.",
    )  # fmt: skip
    versions = AgentVersions(required=False, default=dict, help_text="What you run with now; a resume compares.")
    state = Anything(
        required=False, help_text="Your own state, any JSON value; kept exactly, sealed, marked as derived."
    )
    state_text = Text(
        required=False,
        allow_blank=True,
        help_text="Or your own state as a text, such as one that a library serialized.",
    )
    artifacts = NewArtifact(many=True, required=False, default=list, max_length=MOST_ARTIFACTS)  # type: ignore[call-arg]
    note = Text(
        required=False, default="", allow_blank=True, max_length=LONGEST_NOTE, help_text="For people, in words."
    )
    boundary = serializers.ChoiceField(
        choices=BOUNDARIES,
        required=False,
        default="driver",
        help_text="At which boundary; `driver`: where you saw fit.",
    )


def checkpoint_draft(sent: dict[str, Any]) -> CheckpointDraft:
    """Make the draft of a checkpoint. Raises BadCheckpoint."""
    if "state" in sent and "state_text" in sent:
        raise BadCheckpoint(path="/state_text")
    others = {name: sent[name] for name in ("schema_version", "versions", "note", "boundary")}
    others["artifacts"] = [dict(artifact) for artifact in sent["artifacts"]]
    others["versions"] = dict(sent["versions"])
    if "state_text" in sent:
        return of_text(sent["state_text"], **others)
    return of_value(sent["state"], **others) if "state" in sent else CheckpointDraft(**others)
