"""One work item: how it stands, the chain from what was meant to what remains, and every deed about it, by forms without a script."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from uuid_utils.compat import uuid7

from compensation.deeds import checklist, ending, escalating, filing, owning, seconding, trying
from compensation.queries import items
from compensation.queries.items import Chain
from console.http.attachments import attachment
from console.http.evidence import BadEvidence
from console.http.refusals import NotFound, Refusal, StaleVersion
from console.pages import address, finding_form, sent
from console.pages.answers import part_or_page, whole
from console.pages.compensation import card, desk, receipts
from console.pages.finding_form import text, uploads
from console.pages.room import Door, MemberRequest, Receipt, deed, page, reading

PARTS = {"stands": "compensation/_stands.html"}
LET_GO = "Let go from its page."


@page("receipt")
def work_item(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Show one work item; after a deed also its receipt."""
    context = _context(request, _found(request, subject))
    kept = receipts.kept(request.by, request.GET.get("receipt", ""), subject)
    context["receipt"] = receipts.told(kept) if kept else None
    return part_or_page(request, "compensation/item.html", PARTS, context)


@page()
def compensation_file(request: MemberRequest, subject: UUID) -> HttpResponse:
    """Give a file that stands beside a work item, to be saved; one whose contents were erased is not here any more."""
    found = items.file(request.member.tenant_id, subject)
    if found is None or found.content is None:
        raise NotFound
    return attachment(found)


def by_form(form: str) -> Callable[[Callable[..., Receipt]], Door]:
    """Make a function that calls a move the door for one form of the page, which is shown again, with what was typed, if it is refused."""

    def shown(request: MemberRequest, subject: UUID, became: Receipt | Refusal) -> HttpResponse:
        from_desk = desk.came_from(request)
        if request.htmx and from_desk is not None:
            return desk.row_again(request, subject, became)
        if isinstance(became, Refusal):
            chain = _found(request, subject)
            context = _context(request, chain, form, request.POST, finding_form.faults(became))
            context |= {"receipt": receipts.told(became), "fault": receipts.told(became)["sentence"]}
            if isinstance(became, StaleVersion):
                context["news"] = receipts.news(request, chain.item.plan, subject)
            return whole(request, "compensation/item.html", context, receipts.status(became))
        words = address.query(receipt=request.POST["idempotency_key"])
        if from_desk is not None:
            return HttpResponseRedirect(desk.back_to(from_desk, subject, words), status=303)
        return HttpResponseRedirect(f"{reverse('work_item', args=[subject])}?{words}", status=303)

    return deed(shown=shown, on="work_item")


@by_form("claim")
def claim_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Look after it from now on."""
    return owning.claim(request.by, subject, **_as_sent(request))


@by_form("release")
def release_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Let it go, so that somebody else looks after it."""
    return owning.release(request.by, subject, reason=_why(request) or LET_GO, **_as_sent(request))


@by_form("hand_over")
def hand_over_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Hand it to a member or to a group."""
    kind, _, name = request.POST.get("to", "").partition(":")
    member = _id(name) if kind == "member" else None
    group = name if kind == "group" else ""
    return owning.hand_over(
        request.by, subject, to_member=member, to_group=group, reason=_why(request), **_as_sent(request)
    )


@by_form("escalate")
def escalate_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Tell the next in line at once."""
    return escalating.escalate(request.by, subject, reason=_why(request), **_as_sent(request))


@by_form("run")
def run_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Do at once what would be done at its next time."""
    return trying.run_now(request.by, subject, **_as_sent(request))


@by_form("retry")
def retry_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Try once more what was tried in vain."""
    return trying.retry(request.by, subject, reason=_why(request), **_as_sent(request))


@by_form("accept")
def accept_difference(request: MemberRequest, subject: UUID) -> Receipt:
    """Go on although the world is not as the effect left it, as it was shown."""
    seen = request.POST.get("seen_digest", "")
    return trying.accept_difference(request.by, subject, seen_digest=seen, reason=_why(request), **_as_sent(request))


@by_form("resolve")
def resolve_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Say that it was made good for by hand, and how that is known."""
    return ending.resolve(
        request.by, subject, evidence=text(request.POST, "evidence"), link=text(request.POST, "link"), left=_left(request),
        files=uploads(request.FILES), **_as_sent(request),
    )  # fmt: skip


@by_form("waive")
def waive_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Waive it, with a reason and by an authority."""
    return ending.waive(
        request.by,
        subject,
        reason=_why(request),
        authority=text(request.POST, "authority"),
        left=_left(request),
        **_as_sent(request),
    )


@by_form("word")
def confirm_ending(request: MemberRequest, subject: UUID) -> Receipt:
    """Say as a second person that it ends so."""
    return _judged(request, subject, seconding.confirm)


@by_form("word")
def decline_ending(request: MemberRequest, subject: UUID) -> Receipt:
    """Say as a second person that it does not end so; everything stays as it is."""
    return _judged(request, subject, seconding.decline)


@by_form("word")
def withdraw_ending(request: MemberRequest, subject: UUID) -> Receipt:
    """Take back what one said oneself."""
    return _judged(request, subject, seconding.withdraw)


@by_form("tick")
def tick_work_item(request: MemberRequest, subject: UUID) -> Receipt:
    """Tick a point of the checklist off, or open it again."""
    place = request.POST.get("place", "")
    if not (place.isascii() and place.isdigit() and len(place) <= 4):
        raise checklist.NoSuchPoint(path="/place")
    return checklist.tick(request.by, subject, int(place), done=request.POST.get("done") == "yes", **_as_sent(request))


@by_form("file")
def add_evidence(request: MemberRequest, subject: UUID) -> Receipt:
    """Put a file beside it."""
    files = uploads(request.FILES, "file")
    if not files:
        raise BadEvidence("Choose a file first.", path="/file")
    return filing.add_file(request.by, subject, files[0], **_as_sent(request))


def _judged(request: MemberRequest, subject: UUID, judge: Callable[..., Receipt]) -> Receipt:
    """Judge the ending that the form names; one of another work item is none of this one. Raises NotFound."""
    ending_id = _id(request.POST.get("ending", ""))
    with reading(request):
        chain = _found(request, subject)
    if ending_id is None or all(each.id != ending_id for each in chain.endings):
        raise NotFound
    return judge(request.by, ending_id, reason=_why(request), **_as_sent(request))


def _as_sent(request: MemberRequest) -> dict[str, Any]:
    """Read what goes along with every form: its key, and the version of what it was shown with."""
    return {"version": sent.version(request), "key": sent.key(request)}


def _context(
    request: MemberRequest,
    chain: Chain,
    form: str = "",
    typed: QueryDict | None = None,
    faults: dict[str, str] | None = None,
) -> dict[str, object]:
    return card.context(request, chain, form, typed, faults) | {"idempotency_key": str(uuid7())}


def _found(request: MemberRequest, item_id: UUID) -> Chain:
    found = items.item(request.member.tenant_id, item_id)
    if found is None:
        raise NotFound
    return found


def _why(request: MemberRequest) -> str:
    return text(request.POST, "why")


def _left(request: MemberRequest) -> list[str]:
    """Read what remains, a line each."""
    return [line.strip() for line in text(request.POST, "left").splitlines() if line.strip()]


def _id(written: str) -> UUID | None:
    try:
        return UUID(written)
    except ValueError:
        return None
