"""The door to every page: who may come in, by which method, with which words in the address; and how a deed is answered.

A page reads in one transaction that the database itself keeps read-only: a GET changes nothing. A deed acts first, in the move's own
transaction; then what stands is read again and shown, whatever became of it."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import wraps
from typing import TypeAlias, cast
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

from console.database import rows, transaction
from console.http.refusals import BadRequest, Refusal
from console.identity.members import member_actor, member_of
from console.identity.models import Member
from console.identity.step_up import StepUpNeeded
from console.identity.stepping_up import stepped_up_at
from console.ledger.actors import Actor
from console.pages import errors, proving, signing_in
from console.pages.nav import Nav
from console.telemetry import context

PART = "part"
READS = ("GET", "HEAD")
WRITES = ("POST",)
READ_ONLY = "select set_config('transaction_read_only', 'on', true), cf_now() as now"


class MemberRequest(HttpRequest):
    """A request of a signed-in member."""

    member: Member
    by: Actor
    nav: Nav
    now: datetime
    htmx: HtmxDetails


Door: TypeAlias = Callable[..., HttpResponseBase]
Receipt: TypeAlias = dict[str, object]
Deed: TypeAlias = Callable[..., Receipt]  # (request, what the address names)
Shown: TypeAlias = Callable[..., HttpResponse]  # (request, what the address names, receipt or refusal)


class UnknownParameter(BadRequest):
    """The address holds a word that this page does not know; ignoring a filter would show what nobody asked for."""

    code = "unknown_parameter"


class NotText(BadRequest):
    """The address or the form holds a character that is no text."""

    code = "not_text"


def page(*parameters: str) -> Callable[[Callable[..., HttpResponseBase]], Door]:
    """Make a view a page for members, whose address may hold these parameters."""

    def decorate(view: Callable[..., HttpResponseBase]) -> Door:
        @wraps(view)
        def entered(request: HttpRequest, **address: object) -> HttpResponseBase:
            def answer(asked: MemberRequest) -> HttpResponseBase:
                _check_words(asked.GET.lists(), {PART, *parameters})
                with reading(asked):
                    return view(asked, **address)

            return _let_in(request, READS, _address(request), answer)

        return entered

    return decorate


def deed(shown: Shown, on: str) -> Callable[[Deed], Door]:
    """Make a function that calls a move the door for a member's POST, about one thing where the address names one.

    `shown` answers with what stands afterwards, given the move's receipt or its refusal; `on` names the page where the form is."""

    def decorate(act: Deed) -> Door:
        @wraps(act)
        def entered(request: HttpRequest, **address: UUID | str) -> HttpResponseBase:
            named = tuple(address.values())

            def answer(asked: MemberRequest) -> HttpResponse:
                _check_words(asked.GET.lists(), set())
                _check_words(asked.POST.lists(), None)
                became = _done(act, asked, named)
                if isinstance(became, StepUpNeeded):
                    return proving.ask(asked, reverse(on, args=named))
                proving.forget(asked, reverse(on, args=named))
                with reading(asked):
                    return shown(asked, *named, became)

            return _let_in(request, WRITES, reverse(on, args=named), answer)

        return entered

    return decorate


@contextmanager
def reading(asked: MemberRequest) -> Iterator[None]:
    """Open the transaction in which a page reads, on the database's time; the database refuses any change inside it."""
    with transaction(asked.member.tenant_id):
        asked.now = rows(READ_ONLY)[0]["now"]
        yield


def _done(act: Deed, asked: MemberRequest, named: tuple[UUID | str, ...]) -> Receipt | Refusal:
    try:
        return act(asked, *named)
    except Refusal as refusal:
        return refusal


def _let_in(
    request: HttpRequest, methods: tuple[str, ...], here: str, answer: Callable[[MemberRequest], HttpResponseBase]
) -> HttpResponseBase:
    """Answer a member; show anybody else the way; and turn a refusal that nothing else shows into its error page."""
    member = member_of(request)
    if member is None:
        return _private(signing_in.the_way(request, here))
    if member.user.first_password:
        return _private(signing_in.to_own_password(request))
    if request.method not in methods:
        return _private(errors.wrong_method(request, methods))
    asked = cast("MemberRequest", request)
    asked.member, asked.nav = member, Nav(member)
    asked.by = member_actor(member, via="page", stepped_up_at=stepped_up_at(request))
    context.bind(tenant=member.tenant_id, principal=asked.by)
    try:
        return _private(answer(asked))
    except Refusal as refusal:
        return _private(errors.refused(request, refusal))


def _check_words(given: Iterable[tuple[str, list[str]]], known: set[str] | None) -> None:
    for name, values in given:
        if known is not None and name not in known:
            raise UnknownParameter
        if any("\x00" in text for text in (name, *values)):
            raise NotText


def _private(answer: HttpResponseBase) -> HttpResponseBase:
    answer["Cache-Control"] = "no-store"
    patch_vary_headers(answer, ["HX-Request", "Cookie"])
    return answer


def _address(request: HttpRequest) -> str:
    """Give this page's own address, without the part that htmx asked for."""
    words = request.GET.copy()
    words.pop(PART, None)
    return f"{request.path}?{words.urlencode()}" if words else request.path
