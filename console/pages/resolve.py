"""One effect that is not confirmed: what is known of it, asking about it, and the ways out, by forms that need no JavaScript."""

from collections.abc import Callable
from uuid import UUID

from django.http import HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from uuid_utils.compat import uuid7

from console.http import keys
from console.http.refusals import NotFound, Refusal
from console.pages import address, finding_form, resolve_card, resolve_receipts, unknown
from console.pages.answers import part_or_page, whole
from console.pages.finding_form import FindingForm, text
from console.pages.room import MemberRequest, Receipt, deed, page, reading
from runs import neighbours
from runs.models import Effect
from runs.unknowns import asking, owning, queue, resolving, seconding
from runs.unknowns.standing import document_of

PARTS = {"facts": "unknown/_facts.html", "tried": "unknown/_tried.html"}


@page("receipt")
def resolve(request: MemberRequest, subject: UUID, number: int) -> HttpResponse:
    """Show one effect with all that helps to find out what became of it; after a deed also its receipt."""
    effect = _found(request, subject, number)
    context = _context(request, effect)
    kept = resolve_receipts.kept(request.by, request.GET.get("receipt", ""), effect.pk)
    context["receipt"] = resolve_receipts.told(kept) if kept else None
    return part_or_page(request, "unknown/resolve.html", PARTS, context)


def _answered(request: MemberRequest, subject: UUID, number: int, became: Receipt | Refusal) -> HttpResponse:
    """Lead to what stands after a deed; show a refused one where it was written, with what was typed and how things stand now."""
    effect = _found(request, subject, number)
    from_queue = unknown.came_from(request)
    if request.htmx and from_queue is not None:
        return unknown.row_again(request, effect, became)
    if isinstance(became, Refusal):
        context = _context(request, effect, request.POST, finding_form.faults(became))
        context["receipt"] = resolve_receipts.told(became)
        return whole(request, "unknown/resolve.html", context, resolve_receipts.status(became))
    words = address.query(receipt=request.POST["idempotency_key"])
    if from_queue is not None:
        return HttpResponseRedirect(unknown.back_to(from_queue, effect, words), status=303)
    return HttpResponseRedirect(f"{reverse('resolve', args=[subject, number])}?{words}", status=303)


@deed(shown=_answered, on="resolve")
def claim_unknown(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Look after it from now on."""
    return owning.claim(request.by, _named(request, subject, number), key=_key(request))


@deed(shown=_answered, on="resolve")
def release_unknown(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Let it go, so that somebody else looks after it."""
    reason = text(request.POST, "why") or "Let go from its page."
    return owning.release(request.by, _named(request, subject, number), reason=reason, key=_key(request))


@deed(shown=_answered, on="resolve")
def hand_over_unknown(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Hand it to a member or to a group."""
    kind, _, name = request.POST.get("to", "").partition(":")
    member = _id(name) if kind == "member" else None
    return owning.hand_over(
        request.by, _named(request, subject, number), to_member=member, to_group=name if kind == "group" else "",
        reason=text(request.POST, "why"), key=_key(request),
    )  # fmt: skip


@deed(shown=_answered, on="resolve")
def ask_unknown(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Have the other side asked now."""
    return asking.ask_now(request.by, _named(request, subject, number), key=_key(request))


@deed(shown=_answered, on="resolve")
def record_finding(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Write down what was found, about exactly what the form showed."""
    with reading(request):
        effect = _found(request, subject, number)
        document, now = document_of(effect), request.now
    form = FindingForm.read(request.POST, request.FILES, document, now)
    return resolving.resolve(request.by, effect.pk, form.finding, version=form.version, key=form.key)


@deed(shown=_answered, on="resolve")
def confirm_finding(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Say as a second person that a finding is so; it takes effect with that."""
    return _judged(request, subject, number, seconding.confirm)


@deed(shown=_answered, on="resolve")
def decline_finding(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Say as a second person that a finding is not shown; everything stays as it is."""
    return _judged(request, subject, number, seconding.decline)


@deed(shown=_answered, on="resolve")
def withdraw_finding(request: MemberRequest, subject: UUID, number: int) -> Receipt:
    """Take one's own finding back."""
    return _judged(request, subject, number, seconding.withdraw)


def _judged(request: MemberRequest, subject: UUID, number: int, judge: Callable[..., Receipt]) -> Receipt:
    """Judge the finding that the form names; one about another effect is none of this one. Raises NotFound."""
    effect_id, finding_id = _named(request, subject, number), _id(request.POST.get("finding", ""))
    with reading(request):
        if finding_id is None or all(
            each.pk != finding_id for each in queue.resolutions([effect_id]).get(effect_id, [])
        ):
            raise NotFound
    return judge(request.by, finding_id, reason=text(request.POST, "word"), key=_key(request))


def _context(
    request: MemberRequest, effect: Effect, sent: QueryDict | None = None, faults: dict[str, str] | None = None
) -> dict[str, object]:
    document = document_of(effect)
    found = queue.resolutions([effect.pk]).get(effect.pk, [])
    context = resolve_card.context(request.member, request.now, effect, document, found, sent, faults)
    keeping = resolve_card.keeping(request.member, effect, document, request.now)
    hands = resolve_card.hands(request.member, effect, document, keeping, str(context["hands_to"]))
    return context | {"hands": hands, "idempotency_key": str(uuid7()), "callbacks": neighbours.callbacks(effect)}


def _found(request: MemberRequest, run_id: UUID, number: int) -> Effect:
    found = neighbours.effect(request.member.tenant_id, run_id, number)
    if found is None:
        raise NotFound
    return found


def _named(request: MemberRequest, run_id: UUID, number: int) -> UUID:
    """Give the id of the effect that the address names. Raises NotFound."""
    with reading(request):
        found = neighbours.named(request.member.tenant_id, run_id, number)
    if found is None:
        raise NotFound
    return found


def _key(request: MemberRequest) -> str:
    return keys.checked(request.POST.get("idempotency_key"))


def _id(written: str) -> UUID | None:
    try:
        return UUID(written)
    except ValueError:
        return None
