"""What an agent may send about signals, and the drafts that it becomes."""

from typing import Any

from console.http.content import Content
from console.http.fields import Anything, Text, Whole
from runs.signals.drafts import SignalDraft
from runs.signals.receiving import LONGEST_CORRELATION, LONGEST_NAME

LONGEST_KEPT = 366 * 24 * 3600


class NewSignalToRun(Content):
    """News for one run."""

    name = Text(max_length=LONGEST_NAME, help_text="What kind of news it is, as the wait names it.")
    body = Anything(required=False, default=None, help_text="What it says: any JSON value of at most 65,536 bytes.")
    keep_seconds = Whole(
        required=False, allow_null=True, default=None, min_value=1, max_value=LONGEST_KEPT,
        help_text="How long it is kept for a wait that is not there yet; thirty days unless told.",
    )  # fmt: skip


class NewSignal(NewSignalToRun):
    """News for whoever waits for it."""

    correlation = Text(
        max_length=LONGEST_CORRELATION,
        help_text="What it is about, exactly as the wait names it; a wait that names nothing has its run's id.",
    )


def draft(sent: dict[str, Any], correlation: str) -> SignalDraft:
    """Make the draft of a signal."""
    return SignalDraft(sent["name"], correlation, sent["body"], sent["keep_seconds"])
