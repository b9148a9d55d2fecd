"""The product's settings, on the tests' own PostgreSQL and Valkey."""

import os

from tests import databases

os.environ.update(databases.variables())
os.environ.setdefault("RELAXED_DURABILITY", "yes")  # the tests' disks are not waited for; the crash tests' are

from console import doorbell
from console.settings import *  # noqa: F403

doorbell.PATIENCE_SECONDS = 10.0  # a bell that rings late on a busy machine rings all the same

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; the real one is tested by name
