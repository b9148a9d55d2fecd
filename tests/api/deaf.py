"""The tests' settings, with a Redis that is not there."""

from tests.settings import *  # noqa: F403

REDIS_URL = "redis://127.0.0.1:1/0"
