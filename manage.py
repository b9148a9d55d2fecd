"""The one door for commands: `python manage.py help` lists them."""

import os
import sys

from django.core.management import execute_from_command_line

from console.env import BadSetting

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    try:
        execute_from_command_line(sys.argv)
    except BadSetting as fault:
        sys.exit(str(fault))
