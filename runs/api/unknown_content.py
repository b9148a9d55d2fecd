"""What an operator's tool may send about what is not confirmed, and the finding that it becomes."""

from typing import Any

from rest_framework import serializers

from console.http.content import Content
from console.http.evidence import LARGEST_FILE, LONGEST_EVIDENCE, LONGEST_LINK, LONGEST_NAME, MOST_FILES, Upload
from console.http.fields import Anything, Bytes, Id, Instant, Text, Whole
from console.http.reasons import LONGEST_REASON
from runs.states import RESOLUTION_EXITS
from runs.unknowns import findings
from runs.unknowns.exits import GIVE_UP, RETRY
from runs.unknowns.findings import Finding


class LettingGo(Content):
    """Why somebody looks after it no more."""

    reason = Text(max_length=LONGEST_REASON)


class HandingOver(Content):
    """To whom it is handed, and why: a member or a group, one of the two."""

    to_member = Id(required=False, allow_null=True, default=None, help_text="The id of an active member.")
    to_group = Text(
        required=False, default="", allow_blank=True, max_length=63,
        help_text="A group that somebody belongs to, or a role in the plural, such as `operators`.",
    )  # fmt: skip
    reason = Text(max_length=LONGEST_REASON)


class NewFile(Content):
    """A file beside a finding."""

    name = Text(max_length=LONGEST_NAME)
    media_type = Text(required=False, default="", allow_blank=True, max_length=127)
    content = Bytes(
        max_length=4 * LARGEST_FILE // 3 + 4,
        help_text="The bytes as base64 (RFC 4648, with padding); at most 2 MiB of them.",
    )


class NewFinding(Content):
    """What was found, and by what evidence."""

    exit = serializers.ChoiceField(choices=RESOLUTION_EXITS, help_text="A way out, as the effect's exits list it.")
    then = serializers.ChoiceField(
        choices=[RETRY, GIVE_UP, ""], required=False, default="", help_text="Of what did not happen: retry or give_up."
    )
    evidence = Text(max_length=LONGEST_EVIDENCE, help_text="How it is known, in words.")
    link = Text(
        required=False, default="", allow_blank=True, max_length=LONGEST_LINK,
        help_text="Where the evidence is: an http or https address.",
    )  # fmt: skip
    files = NewFile(many=True, required=False, default=list, max_length=MOST_FILES)  # type: ignore[call-arg]
    reason = Text(
        required=False, default="", allow_blank=True, max_length=findings.LONGEST_REASON,
        help_text="Why more attempts are granted, or why it is handed over.",
    )  # fmt: skip
    result = Anything(required=False, default=None, help_text="Of what happened: any JSON value, kept exactly.")
    reference = Text(
        required=False, default="", allow_blank=True, max_length=findings.LONGEST_REFERENCE,
        help_text="Of what happened: the other side's own name for it.",
    )  # fmt: skip
    look_again_at = Instant(
        required=False, allow_null=True, default=None, help_text="Of what is still pending: when, within 90 days."
    )
    extra_attempts = Whole(
        required=False, default=0, min_value=0, max_value=findings.MOST_EXTRA,
        help_text="How many attempts more than the contract allows, with a reason.",
    )  # fmt: skip
    to_group = Text(
        required=False, default="", allow_blank=True, max_length=63,
        help_text="Of what cannot be told: the group that takes it; empty: the contract's escalation.",
    )  # fmt: skip


class Word(Content):
    """What a second person says of a finding, or who takes theirs back."""

    reason = Text(required=False, default="", allow_blank=True, max_length=LONGEST_REASON)


class No(Content):
    """Why a finding is declined."""

    reason = Text(max_length=LONGEST_REASON)


def finding(sent: dict[str, Any]) -> Finding:
    """Make the finding."""
    files = [Upload(file["name"], file["media_type"], file["content"]) for file in sent["files"]]
    return Finding(**{**sent, "files": files})
