"""Faults of a contract's times: attempts fit into the retries, retries into the deadline, and keys outlive both."""

from collections.abc import Iterator

from console.documents import Fault
from console.exact.value import Object


def time_faults(contract: Object) -> Iterator[Fault]:
    """Give the faults of an operation's times and retries."""
    retry: Object = contract.get("retry", {})
    deadline = contract.get("deadline_seconds")
    attempt = contract.get(contract["executor"], {}).get("attempt_timeout_seconds")
    total = retry.get("total_seconds")
    retention = contract.get("key", {}).get("retention_seconds")
    at = f"/{contract['executor']}/attempt_timeout_seconds"
    if deadline is not None and attempt is not None and attempt >= deadline:
        yield Fault(at, "out_of_range", "One attempt must take less than the deadline.")
    if retry and retry["attempts"] > 1 and attempt is not None and attempt >= total:
        yield Fault(
            at, "out_of_range", "One attempt must take less than retry.total_seconds, or there is never a second."
        )
    if deadline is not None and total is not None and total > deadline:
        yield Fault("/retry/total_seconds", "out_of_range", "This must be within deadline_seconds.")
    if deadline is not None and retention is not None and retention < deadline:
        yield Fault("/key/retention_seconds", "out_of_range", "A key is kept at least for deadline_seconds.")
    if retry:
        yield from _retry_faults(retry)


def _retry_faults(retry: Object) -> Iterator[Fault]:
    backoff = retry["backoff"]
    if backoff["base_seconds"] > backoff["max_seconds"]:
        yield Fault("/retry/backoff/base_seconds", "out_of_range", "This must be within max_seconds.")
    if backoff["max_seconds"] > retry["total_seconds"]:
        yield Fault("/retry/backoff/max_seconds", "out_of_range", "This must be within total_seconds.")
    for both in sorted(set(retry["retryable"]) & set(retry["non_retryable"])):
        yield Fault("/retry/non_retryable", "contradiction", f"{both} cannot be both tried again and not.")
    if retry["attempts"] > 1 and not retry["retryable"]:
        yield Fault("/retry/attempts", "contradiction", "There is no second attempt while no outcome is retryable.")
