"""The ASGI application: what is too large gets no further, our own files are answered at once, and the rest is Django's."""

import atexit
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.asgi import get_asgi_application

from console import durability, env
from console.files import FilesFirst
from console.http.size import limited
from console.ledger import tallies
from console.telemetry import traces

application = limited(FilesFirst(get_asgi_application()))
durability.require()
traces.start("web")
atexit.register(tallies.carrier(env.dsn("DATABASE_URL")).stop)
