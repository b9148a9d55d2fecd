"""A form of the office as it was sent: the key that makes it safe to send twice, and what a person is told became of it."""

from datetime import datetime
from typing import Any

from django.http import HttpResponseRedirect
from django.urls import reverse

from console.http import conditional, keys
from console.http.refusals import Refusal
from console.pages.address import query
from console.pages.receipts import SAID, given
from console.pages.room import MemberRequest

DONE = {
    "admitted": "Added",
    "changed": "Recorded",
    "added": "Added",
    "stopped": "Stopped",
    "started": "Started again",
    "issued": "A key was issued",
    "revoked": "Revoked",
    "renewed": "It has a new secret",
    "tried": "A test is on its way",
    "paused": "Paused",
    "lifted": "Lifted",
    "sent_again": "It is on its way again",
    "set_aside": "Set aside",
    "released": "Released; it goes on once a process has resumed it",
    "accepted": "Accepted; a resume with these versions goes on",
    "published": "Published. What was judged before is being judged again",
    "proposed": "Proposed; somebody else confirms it",
    "confirmed": "Confirmed; it is in force",
    "declined": "Declined",
    "delegated": "They decide in your place",
    "glass_broken": "The glass is broken; everybody is told",
    "glass_closed": "Closed",
    "glass_reviewed": "Reviewed",
    "unchanged": "It was so already.",
}


def key(request: MemberRequest) -> str:
    """Give the form's key. Raises MissingKey, BadKey."""
    return keys.checked(request.POST.get("idempotency_key"))


def version(request: MemberRequest) -> int | None:
    """Give the version of what the form was shown with; None where it carries none. Raises BadVersion."""
    written = request.POST.get("version", "")
    return conditional.version(f'"{written}"') if written else None


def to(request: MemberRequest, page: str, *named: object) -> HttpResponseRedirect:
    """Lead to a page, so that going back never asks to send the form again; the page finds the receipt by the form's key."""
    words = query(receipt=request.POST.get("idempotency_key", ""))
    return HttpResponseRedirect(f"{reverse(page, args=named)}?{words}", status=303)


def told(request: MemberRequest) -> dict[str, object] | None:
    """Say what became of the form whose key stands in the address, if this member sent one."""
    receipt = given(request.by, request.GET.get("receipt", ""))
    return None if receipt is None else said(receipt)


def said(became: dict[str, Any] | Refusal) -> dict[str, object]:
    """Say what became of a form; see the top of _done.html."""
    if isinstance(became, Refusal):
        return {"done": False, "sentence": SAID.get(became.code, became.detail)}
    at = became.get("at")
    return {
        "done": became.get("receipt") != "unchanged",
        "sentence": DONE.get(str(became.get("receipt")), "Recorded"),
        "at": datetime.fromisoformat(at) if at else None,
    }


def status(became: dict[str, Any] | Refusal) -> int:
    """Give the status of the page that shows it."""
    return became.status if isinstance(became, Refusal) else 200
