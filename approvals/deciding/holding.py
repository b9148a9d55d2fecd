"""What every deed upon a request begins with: its row is held."""

from uuid import UUID

from approvals.models import Request
from console.http.refusals import NotFound


def held(request_id: UUID) -> Request:
    """Lock a request and give it. Raises NotFound."""
    request = Request.objects.select_for_update(no_key=True).filter(pk=request_id).first()
    if request is None:
        raise NotFound
    return request
