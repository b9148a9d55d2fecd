"""The tests' settings for a server whose long polls look by themselves only once a minute: what is quick there was heard."""

from console.http import listening
from tests.settings import *  # noqa: F403

listening.LOOK_AGAIN_SECONDS = 60.0
