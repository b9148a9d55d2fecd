"""When another attempt is made, and how long to wait for it at most (R-D2)."""

from dataclasses import dataclass

from console.exact.value import Object


@dataclass(frozen=True, slots=True)
class Retry:
    """What a contract says of retries; spans in seconds. Without a word of it an effect is attempted once."""

    retryable: frozenset[str] = frozenset()
    attempts: int = 1
    total_seconds: float = 86400.0
    base_seconds: float = 1.0
    factor: float = 2.0
    max_seconds: float = 60.0
    honour_retry_after: bool = True
    exhausted: str = "failed"

    def ceiling(self, attempts: int) -> float:
        """Give the longest wait after so many attempts; the wait itself is drawn evenly from nothing to this."""
        wait = self.base_seconds
        for _ in range(attempts - 1):
            wait *= self.factor
            if wait >= self.max_seconds or self.factor == 1:
                break
        return min(wait, self.max_seconds)


def retry(section: Object | None) -> Retry:
    """Read a contract's retry section, in normal form; None is none."""
    if section is None:
        return Retry()
    backoff = section["backoff"]
    return Retry(
        retryable=frozenset(section["retryable"]),
        attempts=int(section["attempts"]),
        total_seconds=float(section["total_seconds"]),
        base_seconds=float(backoff["base_seconds"]),
        factor=float(backoff["factor"]),
        max_seconds=float(backoff["max_seconds"]),
        honour_retry_after=section["honour_retry_after"],
        exhausted=section["exhausted"],
    )
