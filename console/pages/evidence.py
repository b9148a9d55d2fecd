"""A file that stands beside a finding, as it was uploaded: saved, never shown inside a page of ours."""

from uuid import UUID

from django.http import HttpResponse

from console.http.attachments import attachment
from console.http.refusals import NotFound
from console.pages.room import MemberRequest, page
from runs.unknowns import evidence as kept


@page()
def evidence(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Give the file, to be saved; one whose contents were erased is not here any more."""
    found = kept.file(request.member.tenant_id, subject)
    if found is None or found.content is None:
        raise NotFound
    return attachment(found)
