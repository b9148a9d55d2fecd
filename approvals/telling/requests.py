"""News of requests: asked, asked again as time runs out, put off, passed on, ended, and what became of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from approvals.models import BreakGlass, Decision, Request
from approvals.states import PENDING
from approvals.telling import whom, words
from approvals.telling.marks import next_at
from console.identity.models import Agent, Member
from console.ledger.actors import Actor
from console.notices import following, kinds
from console.notices.audience import Audience
from console.notices.models import Copy
from console.notices.posting import News, post_all

BEFORE = "You were told because you were asked."
BECAME = {
    "succeeded": ("Done", "It was done as approved."),
    "unknown": ("Outcome unknown", "Nobody knows whether it happened. It is being found out; it is not simply done again."),
    "partial": ("Done in part", "A part of it was done."),
    "failed": ("Failed", "It was tried and not done."),
    "rejected": ("Refused", "The other side refused it. It was not done."),
    "expired": ("Not done", "Its time ran out before it was begun."),
    "compensated": ("Undone", "It was done, and made good for afterwards."),
}  # fmt: skip


def opened(requests: Sequence[Request], topics: Mapping[UUID, str] | None = None) -> None:
    """Tell whom each request asks. `topics` names for a request what it is part of (a run's goal), by which digests are ordered."""
    for tenant_id, mine in _by_tenant(requests).items():
        to, agents = whom.asked(tenant_id, mine), _agents(mine)
        post_all(tenant_id, kinds.ASKED, [
            _news(
                each, f"To decide: {words.what(each)}", words.asks(each, agents[each.agent_id]), to[each.pk], "asked",
                topic=(topics or {}).get(each.pk, ""),
            )
            for each in mine
        ])  # fmt: skip


def reminded(requests: Sequence[Request], left: str) -> None:
    """Tell whom each request asks, and who has not said their word, that part of the time has gone by: `half` or `most`."""
    said = {
        "half": "Half of the time to decide has gone by.",
        "most": "Nine tenths of the time to decide have gone by.",
    }
    for tenant_id, mine in _by_tenant(requests).items():
        to, agents, voted = whom.asked(tenant_id, mine), _agents(mine), _voted(mine)
        post_all(tenant_id, kinds.REMINDED, [
            _news(
                each, f"Still to decide: {words.what(each)}", f"{said[left]} {words.asks(each, agents[each.agent_id])}",
                _without(to[each.pk], voted.get(each.pk, ())), f"reminded:{left}",
            )
            for each in mine
        ])  # fmt: skip


def escalated(request: Request, to: Collection[str], why: str, by: Actor | None = None) -> None:
    """Tell the groups that are now asked too, and those that were asked before, that it was escalated: by the clock, or by a member.

    `request.groups` names the new groups already; `why` is a sentence."""
    new = whom.asked(request.tenant_id, [request], to)[request.pk]
    before = _told([request], {each.pk for each in new.members} | _self(by))[request.pk]
    everyone = Audience([*new.members, *before.members], f"{new.words}, and {before.words}", {**before.why, **new.why})
    groups, agent = ", ".join(sorted(to)), _agents([request])[request.agent_id]
    title, text = (
        f"Escalated to {groups}: {words.what(request)}",
        f"{words.in_a_line(why)} {words.asks(request, agent)}",
    )
    post_all(request.tenant_id, kinds.ASKED_TOO, [_news(request, title, text, everyone, f"escalated:{groups}")])


def extended(by: Actor, request: Request, reason: str) -> None:
    """Tell those who were told that the deadline was put off; `request.decide_by` is the new one, and reminders go by it."""
    due = next_at(request.created_at, request.decide_by, request.reminders)
    Request.objects.filter(pk=request.pk).update(remind_at=due)
    said = f"{by.name} put the deadline off, saying: {words.in_a_line(reason)} {words.until(request)}"
    title = f"More time: {words.what(request)}"
    _to_told([request], kinds.EXTENDED, lambda _: (title, said), f"extended:{request.extensions}", by)


def ended(by: Actor, requests: Sequence[Request], how: str, reason: str, now: datetime) -> None:
    """Tell those who were told of each request how it ended: its state now, by whom, when and why, on the ways that they were told by.

    Whoever did it is not told, and what was not sent yet is not sent any more."""
    actor = f"by {by.name}, " if by.kind != "system" else ""
    why = f" Said: {words.in_a_line(reason)}" if by.kind != "system" and reason.strip() else ""

    def said(request: Request) -> tuple[str, str]:
        means = words.MEANS[how].format(use_by=words.at(request.use_by), reason=words.in_a_line(reason))
        return f"{words.HOW[how]}: {words.what(request)}", f"{words.HOW[how]} {actor}{words.at(now)}. {means}{why}"

    for tenant_id, mine in _by_tenant(requests).items():
        following.drop(tenant_id, [each.pk for each in mine], now)
        _to_told(mine, kinds.CLOSED, said, f"ended:{how}", by, how)


def became(outcomes: Sequence[tuple[Request, str]], now: datetime) -> None:
    """Tell whoever approved or released each of these what became of it: succeeded, unknown, failed, partial, compensated, and so on."""
    by_id = {request.pk: outcome for request, outcome in outcomes}
    for tenant_id, mine in _by_tenant([request for request, _ in outcomes]).items():
        to = _approved(mine)
        post_all(tenant_id, kinds.BECAME, [_became(each, by_id[each.pk], to[each.pk], now) for each in mine])


def _became(request: Request, outcome: str, to: Audience, now: datetime) -> News:
    title, means = BECAME.get(outcome, ("Not done", f"It was not done: it is {outcome}."))
    said = f"{means} Known since {words.at(now)}."
    return _news(request, f"{title}: {words.what(request)}", said, to, f"became:{outcome}", state=outcome)


def _approved(requests: Sequence[Request]) -> dict[UUID, Audience]:
    """Give for each of these who approved it, or broke the glass for it, and is active."""
    told: dict[UUID, dict[UUID, tuple[Member, str]]] = {each.pk: {} for each in requests}
    said = Decision.objects.filter(request__in=list(told), verdict="approve", withdrawn_at=None)
    for decision in said.filter(member__active=True).select_related("member__user").order_by("member_id"):
        told[decision.request_id][decision.member_id] = (decision.member, "You were told because you approved it.")
    broken = [each.break_glass_id for each in requests if each.break_glass_id]
    for glass in (
        BreakGlass.objects.filter(pk__in=broken, member__active=True).select_related("member__user") if broken else ()
    ):
        why = "You were told because you broke the glass for it."
        told[glass.request_id][glass.member_id] = (glass.member, why)
    return {
        about: Audience(
            [member for member, _ in found.values()], "who approved it", {pk: why for pk, (_, why) in found.items()}
        )
        for about, found in told.items()
    }


def _to_told(
    requests: Sequence[Request],
    kind: str,
    said: Callable[[Request], tuple[str, str]],
    key: str,
    by: Actor | None,
    state: str = PENDING,
) -> None:
    """Post to whoever was told of these requests of one tenant: `said` gives title and text."""
    to = _told(requests, _self(by))
    news = [_news(each, *said(each), to[each.pk], key, state=state) for each in requests]
    post_all(requests[0].tenant_id, kind, news, follows=True)


def _news(
    request: Request, title: str, text: str, to: Audience, key: str, *, state: str = PENDING, topic: str = ""
) -> News:
    return News(
        about=request.pk, title=title, text=text, path=words.path(request), key=f"request:{request.pk}:{key}", to=to, tier=request.tier,
        state=state, deadline_at=request.decide_by, topic=topic,
    )  # fmt: skip


def _told(requests: Sequence[Request], but_not: Collection[UUID] = ()) -> dict[UUID, Audience]:
    """Give for each of these whoever has a copy of a notice about it and is active, with why. In two queries."""
    notices = {"notice__tenant_id": requests[0].tenant_id, "notice__about__among": [each.pk for each in requests]}
    copies = Copy.objects.filter(**notices).exclude(member__in=list(but_not)).values_list("notice__about", "member_id")
    found: dict[UUID, set[UUID]] = {each.pk: set() for each in requests}
    for about, member in copies:
        if about is not None:
            found[about].add(member)
    people = Member.objects.filter(active=True).select_related("user").in_bulk(set().union(*found.values()))
    return {
        about: Audience(
            [people[each] for each in sorted(members) if each in people], "who was told before", dict.fromkeys(members, BEFORE)
        )
        for about, members in found.items()
    }  # fmt: skip


def _without(to: Audience, members: Collection[UUID]) -> Audience:
    return Audience([each for each in to.members if each.pk not in members], to.words, to.why)


def _voted(requests: Sequence[Request]) -> dict[UUID, set[UUID]]:
    found: dict[UUID, set[UUID]] = {}
    said = Decision.objects.filter(request__in=[each.pk for each in requests], withdrawn_at=None)
    for request_id, member_id, voice_id in said.values_list("request_id", "member_id", "voice_id"):
        found.setdefault(request_id, set()).update({member_id, *([voice_id] if voice_id else [])})
    return found


def _agents(requests: Sequence[Request]) -> dict[UUID, str]:
    return dict(Agent.objects.filter(pk__in={each.agent_id for each in requests}).values_list("pk", "name"))


def _by_tenant(requests: Sequence[Request]) -> dict[UUID, list[Request]]:
    found: dict[UUID, list[Request]] = {}
    for each in requests:
        found.setdefault(each.tenant_id, []).append(each)
    return found


def _self(by: Actor | None) -> set[UUID]:
    return {by.id} if by is not None and by.kind == "member" and by.id is not None else set()
