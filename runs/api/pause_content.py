"""What an operator's tool may send about pauses."""

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Id, Text
from console.http.reasons import LONGEST_REASON
from runs.states import PAUSE_SCOPES


class NewPause(Content):
    """What is to be paused, and why."""

    scope = serializers.ChoiceField(choices=PAUSE_SCOPES)
    run = Id(required=False, allow_null=True, default=None, help_text="The id of the run, of a pause of a run.")
    name = Text(
        required=False, default="", allow_blank=True, max_length=63,
        help_text="The name of the operation or the run type, of a pause of one.",
    )  # fmt: skip
    emergency = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Of the tenant: what would be asked is denied, and nothing is approved, until it is lifted.",
    )
    reason = Text(max_length=LONGEST_REASON, help_text="Kept in the record, and shown to everybody on every page.")


class Lifting(Content):
    """Why it may go on."""

    reason = Text(max_length=LONGEST_REASON)
