"""The resume contract, line by line: what a run type's contract must say."""

from collections.abc import Iterator

from console.exact.value import Object
from runs.contracts.lines import Line, present

CHECKED_AGAIN = ("identity", "approval", "policy", "secret", "state")


def _revalidation(contract: Object) -> Iterator[tuple[str, str]]:
    checked = contract.get("revalidate", [])
    return (
        ("revalidate", f"Why is the {each} not checked again on resume?")
        for each in CHECKED_AGAIN
        if each not in checked
    )


RESUME = (
    Line(
        "Persisted state, history, artifacts, schema version",
        ("persisted", "checkpoint.schema_version"),
        present(
            ("persisted", "What is kept of a run, and where are its artifacts?"),
            ("checkpoint.schema_version", "Which version has the agent's own state?"),
        ),
    ),
    Line(
        "Checkpoint boundaries and lost progress",
        (
            *("checkpoint.boundaries", "checkpoint.max_lost_progress"),
            *("checkpoint.max_bytes", "checkpoint.keep", "checkpoint.keep_seconds"),
        ),
        present(
            ("checkpoint.boundaries", "At which boundaries is a checkpoint written?"),
            ("checkpoint.max_lost_progress", "How much accepted progress can a break lose?"),
        ),
    ),
    Line(
        "Timers, subscriptions, children, ownership",
        ("waits", "waiting", "signals", "ownership"),
        present(("waits", "Which timers, events and child runs are waited for?")),
    ),
    Line(
        "Lease, concurrency, fencing",
        ("ownership.lease_seconds", "ownership.concurrency", "ownership.fencing", "ownership.drivers"),
        present(("ownership", "How long does a driver hold a run without a heartbeat?")),
    ),
    Line(
        "Pinned configuration and migration",
        ("pins", "migrations"),
        present(
            ("pins", "What happens on resume when model, prompt, policy, context, interface, workflow or code differ?"),
            ("migrations", "How are older checkpoints migrated (an empty list: there are none)?"),
        ),
    ),
    Line(
        "Revalidation of identity, approval, policy, secret, state",
        ("revalidate",),
        _revalidation,
    ),
    Line(
        "Unknown effects before going on",
        ("unknown.before_continue",),
        present(("unknown", "What happens to unknown effects before a run goes on?")),
    ),
    Line(
        "Recovery time and drain",
        ("objectives.recovery_seconds", "objectives.drain_per_second"),
        present(("objectives", "How fast does a run go on after a break, and how fast is a backlog drained?")),
    ),
    Line(
        "Quarantine and manual recovery",
        ("quarantine.to", "quarantine.path"),
        present(("quarantine", "Who takes a run that cannot be resumed, and what do they do?")),
    ),
    Line(
        "Restore and failure-injection evidence",
        ("evidence.restore", "evidence.failure_injection"),
        present(("evidence", "Which tests show that such a run is restored, and that it survives being broken?")),
    ),
    Line(
        "Success criteria and deadline",
        ("success_criteria", "deadline_seconds", "limits", "cancellation"),
        present(
            ("success_criteria", "What must be true for such a run to have succeeded?"),
            ("deadline_seconds", "By when must such a run have ended?"),
        ),
    ),
)
