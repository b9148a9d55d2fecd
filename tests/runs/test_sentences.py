"""What the record says of attempts that no worker made, as people read it."""

from typing import Any

import pytest

from runs.sentences import About, sentence

ABOUT = About(numbers={"e": 2}, summaries={})
SAID: list[tuple[str, dict[str, Any], str]] = [
    (
        "attempt.dispatched", {"kind": "act", "number": 1},
        "Began attempt 1 of effect 2; from here on it may have happened.",
    ),
    (
        "attempt.settled", {"outcome": "succeeded", "to": "succeeded", "http_status": None, "sent": None},
        "What came of it was reported: effect 2 succeeded.",
    ),
    (
        "attempt.settled", {"outcome": "rejected", "to": "rejected", "http_status": None, "sent": None, "reason": "No paper."},
        "What came of it was reported: effect 2 was rejected and not done: No paper.",
    ),
    (
        "attempt.settled", {"outcome": "not_sent", "to": "ready", "http_status": None, "sent": False},
        "Nothing left us: effect 2 will be tried again.",
    ),
    (
        "attempt.settled", {"outcome": "unknown", "to": "unknown", "http_status": None, "sent": True},
        "There was no clear answer: effect 2 may have happened or not; nobody knows yet.",
    ),
    (
        "attempt.lost", {"outcome": "unknown", "to": "unknown", "reason": "the agent's lease ended without a report"},
        "The lease of effect 2 ended without a report: it may have happened or not; nobody knows yet.",
    ),
    (
        "attempt.lost", {"outcome": "unknown", "to": "unknown", "reason": "the worker vanished"},
        "The worker that had effect 2 vanished: it may have happened or not; nobody knows yet.",
    ),
    (
        "callback.applied", {"outcome": "succeeded", "to": "succeeded"},
        "The other side told by itself: effect 2 succeeded.",
    ),
    (
        "callback.applied", {"outcome": "rejected", "to": "rejected", "reason": "No paper."},
        "The other side told by itself: effect 2 was rejected and not done: No paper.",
    ),
    (
        "callback.applied", {"outcome": "conflict", "to": "unknown"},
        "The other side told by itself of something that is not ours; a person decides about effect 2.",
    ),
    (
        "callback.noted", {"outcome": "pending", "state": "applied"},
        "The other side told by itself about effect 2; it is still under way.",
    ),
    (
        "callback.noted", {"outcome": "unknown", "state": "unclear"},
        "The other side told by itself about effect 2; nothing was learnt from it.",
    ),
    (
        "callback.waits", {"note": ""},
        "The other side told by itself about effect 2, before it was answered; the message waits for that.",
    ),
    (
        "callback.late", {"outcome": "succeeded"},
        "The other side told by itself about effect 2 (succeeded), too late; that was kept as evidence and changes nothing.",
    ),
    (
        "attempt.dispatched", {"kind": "check", "number": 1},
        "Read, before it acts, whether it may still be done: effect 2 (attempt 1).",
    ),
    (
        "attempt.dispatched", {"kind": "verify", "number": 3},
        "Read whether the world shows effect 2 (attempt 3).",
    ),
    (
        "attempt.settled", {"outcome": "succeeded", "to": "ready", "http_status": 200},
        "The other side answered 200 (succeeded): effect 2 may be done, for its target is as it was left.",
    ),
    (
        "attempt.settled", {"outcome": "conflict", "to": "withdrawn", "http_status": 200, "reason": "It differs."},
        "The other side answered 200 (conflict): effect 2 is not done: It differs.",
    ),
    (
        "attempt.settled", {"outcome": "succeeded", "to": "accepted", "http_status": 200},
        "The other side answered 200 (succeeded): effect 2 is said to be done, and counts once the world shows it.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "facts", "said"), SAID)
def test_an_attempt_is_told_as_what_it_was(kind: str, facts: dict[str, Any], said: str) -> None:
    assert sentence(kind, {"effect": "e", **facts}, ABOUT) == said
