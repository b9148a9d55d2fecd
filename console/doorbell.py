"""Ringing: after a commit, so that what is due happens now and not at the next sweep. Losing a ring loses nothing.

Two bells. `work` wakes the shifts that listen; when none listens, a shift is asked of RQ. `news` wakes long polls and pages in the web
processes; its message names the subjects that changed, split by spaces."""

import logging
from functools import lru_cache

import redis
from django.conf import settings

from console.crashpoint import crashpoint
from console.database import after_commit
from console.telemetry.counting import count

WORK = "counterfoil:work"
NEWS = "counterfoil:news"
SHIFTS = "shifts"
SHIFT_JOB = "runs.jobs.shift"
PATIENCE_SECONDS = 0.2  # what a page can afford
logger = logging.getLogger(__name__)
missed = 0


@lru_cache(maxsize=1)
def line() -> "redis.Redis":
    """Give this process's connection to Redis, with timeouts that a page can afford."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS, protocol=2
    )


def ring_after_commit(*subjects: object, work: bool = True) -> None:
    """Ring once this transaction has committed: for the workers when there may be work, and for whoever waits for `subjects`."""
    names = [str(subject) for subject in subjects]
    after_commit(lambda: ring(*names, work=work))


def ring(*subjects: str, work: bool = True, unheard: bool = False) -> None:
    """Ring now; an unreachable Redis is counted and otherwise ignored, for the sweep finds the rows.

    `unheard`: nobody acted on earlier rings, so a shift is asked for although one listens: it may stand still, or its machine be gone."""
    global missed  # noqa: PLW0603 - a count for the health page
    crashpoint("wake.enqueue")
    try:
        if work and (not line().publish(WORK, "1") or unheard):
            call_a_shift()
        if subjects:
            line().publish(NEWS, " ".join(subjects))
    except (redis.RedisError, OSError) as fault:
        missed += 1
        count("bell_errors")
        logger.warning("the bell did not ring (%s); the sweep will find the work", type(fault).__name__)


def call_a_shift() -> None:
    """Ask RQ for a shift, unless one has been asked for already and has not begun."""
    from django_rq import get_queue  # noqa: PLC0415 - only whoever rings for work pays for the import

    queue = get_queue(SHIFTS)
    if queue.count == 0:
        queue.enqueue(SHIFT_JOB, job_timeout=settings.SHIFT_LIMIT_SECONDS, result_ttl=0, ttl=60, failure_ttl=3600)
