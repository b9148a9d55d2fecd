"""The ASGI application: what is too large gets no further, our own files are answered at once, and the rest is Django's."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

from django.core.asgi import get_asgi_application

from console import durability
from console.files import FilesFirst
from console.http.size import limited
from console.telemetry import traces

application = limited(FilesFirst(get_asgi_application()))
durability.require()
traces.start("web")
