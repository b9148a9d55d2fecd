"""The product's settings, on the tests' own PostgreSQL and Valkey."""

import os

from tests import databases

os.environ.update(databases.variables())
os.environ.setdefault("RELAXED_DURABILITY", "yes")  # the tests' disks are not waited for; the crash tests' are

from console.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; the real one is tested by name
