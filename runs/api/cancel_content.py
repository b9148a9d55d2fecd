"""What may be sent about cancelling, and about going back."""

from rest_framework import serializers

from console.http.content import Content
from console.http.fields import Text, Whole
from runs.api.content import LONGEST_DEADLINE
from runs.states import CANCELLATION_MODES


class CancellingRun(Content):
    """The wish that a run stops."""

    reason = Text(max_length=2000)
    scope = serializers.ChoiceField(
        choices=["run", "tree"], required=False, allow_null=True, default=None,
        help_text="The run alone, or with all that it started; else as its contract says.",
    )  # fmt: skip
    mode = serializers.ChoiceField(
        choices=CANCELLATION_MODES, required=False, allow_null=True, default=None,
        help_text="`graceful` leaves the driver time to clean up, `immediate` takes its token; else as the contract says.",
    )  # fmt: skip


class CancellingEffect(Content):
    """The wish that an effect is not done."""

    reason = Text(max_length=2000)


class Reopening(Content):
    """Why a run goes on after its end."""

    reason = Text(max_length=2000)
    deadline_seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_DEADLINE,
        help_text="Within how many seconds it must end; needed where its deadline has passed.",
    )  # fmt: skip


class SeeingTo(Content):
    """What was done about that which was left."""

    reason = Text(max_length=2000)
