"""Answers are written exactly: what came in as 2^53 + 1 goes out as that."""

from typing import Any

from rest_framework.renderers import BaseRenderer

from console.exact import canonical


class ExactJSONRenderer(BaseRenderer):
    """`application/json`, written by console.exact; problems keep their own media type."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else canonical(data).encode()
