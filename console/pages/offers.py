"""What a card offers besides the question: its seats, in whose name one decides, what may be narrowed, what a denier may say instead."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from approvals import queries
from approvals.breaking.releasing import may_break, terms_of
from approvals.deciding.escalating import others
from approvals.deciding.extending import latest
from approvals.deciding.narrowing import as_asked
from approvals.deciding.revoking import REVOCABLE, may_revoke
from approvals.delegating import lent
from approvals.granting.words import PEOPLE
from approvals.models import Request
from approvals.policies import asked
from approvals.policy_asks import Ask, Narrowable
from approvals.seats import fills, may_fill
from approvals.states import APPROVED, CONSUMED, PENDING
from console.exact import Object, Value, decode
from console.exact.decimals import from_text
from console.exact.paths import Absent, follow
from console.exact.visible import visible
from console.identity.models import Member
from console.ledger.actors import Actor
from console.pages.seats import Seats, seats
from console.pages.templatetags.times import span

AFTERWARDS = {
    "let_finish": "it may finish all the same", "ask_to_cancel": "it is asked to cancel", "compensate": "it is undone as far as it can be",
}  # fmt: skip
SHORT = 200  # characters of an argument for which another may be offered in a line


@dataclass(frozen=True, slots=True)
class Field:
    """An argument for which an approver may give a tighter limit, or a denier another value: its name in the form, what was asked, and
    what stands in it now."""

    name: str
    label: str
    asked: str
    limit: str = ""
    typed: str = ""


@dataclass(frozen=True, slots=True)
class Offers:
    """See the top of approvals/_card.html."""

    seats: list[Seats]
    voices: list[tuple[str, str]]
    narrowable: list[Field]
    offered: list[Field]
    reason_required: bool
    step_up: bool
    finish: str
    grants: bool  # whether its rule lets a standing approval stand in
    may_withdraw: bool
    extend_until: datetime | None
    others: tuple[str, ...]
    may_revoke: bool
    may_break: bool  # whether the member may release it over the heads of its approvers
    broken: UUID | None  # by which breaking of the glass it was released

    @property
    def narrows(self) -> bool:
        """Tell whether a tighter limit was typed, which is not to be out of sight then."""
        return any(each.typed for each in self.narrowable)

    @property
    def offers_another(self) -> bool:
        """Tell whether another value was typed than was asked."""
        return any(each.typed != each.asked for each in self.offered)

    @property
    def steers(self) -> bool:
        """Tell whether there is anything to do besides deciding."""
        return bool(self.may_withdraw or self.extend_until or self.others or self.may_revoke)


def offers(member: Member, by: Actor, request: Request, now: datetime, typed: Mapping[str, str]) -> Offers:
    """Read it for a member, with what they `typed` before; the moves have the last word."""
    ask = asked(request)
    is_open = request.state == PENDING and request.decide_by > now
    told = is_open and request.erased_at is None
    decides = is_open and member.pk not in request.apart and may_fill(member, member.groups, request)
    escalates = decides or (is_open and "admin" in member.roles and member.pk not in request.apart)
    said = [vote for vote in request.decisions.all() if vote.verdict == "approve" and vote.withdrawn_at is None]
    return Offers(
        seats=seats(request),
        voices=_voices(member, request, now) if is_open else [],
        narrowable=[
            replace(each, typed=typed.get(each.name, "")) for each in (_narrowable(request, ask) if told else ())
        ],
        offered=[replace(each, typed=typed.get(each.name, each.asked)) for each in (_offered(request) if told else ())],
        reason_required=bool(ask and ask.reason_required),
        step_up=bool(ask and ask.step_up_within_seconds is not None),
        finish=_finish(request),
        may_withdraw=is_open and any(member.pk in {vote.member_id, vote.voice_id} for vote in said),
        extend_until=latest(request) if decides else None,
        others=others(request) if escalates else (),
        may_revoke=request.state in REVOCABLE and may_revoke(by, request),
        may_break=is_open and terms_of(request) is not None and may_break(member, request),
        broken=request.break_glass_id,
        grants=told and ask is not None and _may_propose(member, request, ask),
    )


def _may_propose(member: Member, request: Request, ask: Ask) -> bool:
    """Tell whether the rule lets a standing approval stand in, of which this member's word may be one of the two."""
    is_asked = "approver" in member.roles and any(fills(member, member.groups, panel) for panel in ask.panels)
    return ask.grants is not None and ask.quorum <= PEOPLE and is_asked and member.pk != request.owner_id


def _voices(member: Member, request: Request, now: datetime) -> list[tuple[str, str]]:
    """Give in whose name the member may decide, where there is a choice, or it is not their own."""
    heard = {vote.voice_id or vote.member_id for vote in request.decisions.all() if vote.withdrawn_at is None}
    handed = [each for each in queries.in_whose_place(member, request, now) if each.giver_id not in heard]
    if not handed:
        return []
    own = queries.decides(member) and may_fill(member, member.groups, request) and member.pk not in heard
    mine = [("", "Your own")] if own else []
    return mine + [
        (str(each.giver_id), f"For {each.giver.user.name}, of {' and '.join(sorted(lent(each)))}") for each in handed
    ]


def _narrowable(request: Request, ask: Ask | None) -> list[Field]:
    """Give what may be tightened: of what the policy names the numbers that were asked, for nothing else has a limit."""
    arguments = decode(request.arguments, 128)
    if ask is None or not isinstance(arguments, dict):
        return []
    bounds = as_asked(ask.narrow, arguments)
    return [_limit(each, {"arguments": arguments}) for each in ask.narrow if tuple(each.path.split(".")) in bounds]


def _limit(each: Narrowable, facts: Value) -> Field:
    found = follow(facts, tuple(each.path.split(".")))
    label = each.path.removeprefix("arguments.").replace("_", " ")
    return Field(f"narrow.{each.path}", label, _text(found), "at most" if each.towards == "less" else "at least")


def _offered(request: Request) -> list[Field]:
    """Give the plain arguments, for each of which whoever denies may say another value.

    What a line of a form cannot hold as it is, or would show as something else, is offered in none: nobody says what they did not type."""
    arguments = decode(request.arguments, 128)
    known = arguments.items() if isinstance(arguments, Mapping) else ()
    plain = [
        (key, value) for key, value in known if isinstance(value, (str, int, Decimal)) and not isinstance(value, bool)
    ]
    return [Field(f"offer.{key}", str(key), _text(value)) for key, value in plain if _fits_a_line(key, _text(value))]


def _fits_a_line(key: str, text: str) -> bool:
    return len(text) <= SHORT and all(visible(each) == each == each.strip() for each in (key, text))


def _text(value: Value | Absent) -> str:
    if isinstance(value, Decimal):
        return format(value, "f")
    return "" if isinstance(value, Absent) or value is None else str(value)


def _finish(request: Request) -> str:
    """Say until when what began under it has to end, and what follows when it has not."""
    if request.finish_within_seconds is None or request.state not in {PENDING, APPROVED, CONSUMED}:
        return ""
    what = AFTERWARDS.get(request.finish_then, request.finish_then) or "it counts as unknown"
    return f"within {span(request.finish_within_seconds)} of its start; else {what}"


def constraints(sent: Mapping[str, str], ask: Ask | None) -> Value | None:
    """Read the tighter limits that a form gives, as a condition over {arguments}; None: none was given."""
    checks: list[Value] = [
        {"path": each.path, "op": "lte" if each.towards == "less" else "gte", "value": text}
        for each in (ask.narrow if ask else ())
        if (text := sent.get(f"narrow.{each.path}", "").strip())
    ]
    return {"all": checks} if len(checks) > 1 else checks[0] if checks else None


def alternative(sent: Mapping[str, str], request: Request) -> Object | None:
    """Read what a denier would say yes to: the arguments as they were asked, with what the form changes; None: it changes nothing."""
    arguments = decode(request.arguments, 128)
    given = {field.name: sent.get(field.name, field.asked).strip() for field in _offered(request)}
    changed = {field.label: given[field.name] for field in _offered(request) if given[field.name] != field.asked}
    if not changed or not isinstance(arguments, dict):
        return None
    return {**arguments, **{key: _like(arguments[key], text) for key, text in changed.items()}}


def _like(asked_for: Any, text: str) -> Value:
    """Read a value as the same kind of thing that was asked; what is no number is taken as the text that it is."""
    is_number = isinstance(asked_for, (int, Decimal)) and from_text(text) is not None
    return decode(text) if is_number else text
