"""`python -m tests.crash [--table FILE]`: the whole matrix; the exit code says whether all came out as reckoned."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from tests.crash.table import main

    sys.exit(main(sys.argv[1:]))
