"""RQ-09: no limit of the queue is shorter than what a contract may ask for."""

import json

from django.conf import settings

from console.doorbell import SHIFTS
from console.env import BASE_DIR
from runs.shift import Terms

MARGIN_SECONDS = 600


def test_a_job_may_last_longer_than_the_longest_attempt_that_begins_at_its_end() -> None:
    """RQ-09"""
    schema = json.loads((BASE_DIR / "runs/contracts/schema/operation.json").read_text(encoding="utf-8"))
    longest = schema["$defs"]["timeout"]["maximum"]
    most = Terms("", "", "").lasts_at_most_seconds + longest + MARGIN_SECONDS
    assert most <= settings.SHIFT_LIMIT_SECONDS
    assert settings.RQ_QUEUES[SHIFTS]["DEFAULT_TIMEOUT"] == settings.SHIFT_LIMIT_SECONDS
