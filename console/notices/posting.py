"""Posting a notice: in the caller's transaction, once for each key, with a copy for each member and a delivery for each way out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.bulk import insert, insert_values
from console.doorbell import ring_after_commit
from console.notices import following
from console.notices.audience import Audience, audience
from console.notices.models import Channel, Copy, Delivery, Endpoint, Notice
from console.notices.states import CHANNEL, WAITING, WEBHOOK
from console.notices.ways import Way, Ways, takes

COPY = ("id", "tenant_id", "notice_id", "member_id", "posted_at", "because")
DELIVERY = (
    "id", "tenant_id", "notice_id", "channel", "member_id", "endpoint_id", "via_id", "state", "due_at", "created_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class News:
    """A notice before it is posted, with whom it is told to.

    `tier` of what it is about decides whether it may wait for others (high does not), `state` is what a program reads of it, and
    `deadline_at` is until when somebody can do something. `topic` names what it is part of, by which digests are ordered."""

    about: UUID | None
    title: str
    text: str
    path: str
    key: str
    to: Audience
    tier: str = ""
    state: str = ""
    deadline_at: datetime | None = None
    topic: str = ""


def post(
    tenant_id: UUID, kind: str, *, about: UUID | None, title: str, text: str, path: str, key: str, to_roles: Collection[str] = (),
    to_groups: Collection[str] = (), to_members: Collection[UUID] = (), but_not: Collection[UUID] = (),
) -> Notice | None:  # fmt: skip
    """Post a notice within the caller's transaction; None when this key was used before, for then it has been told.

    Roles, groups and members mean whoever is active now; each gets a copy, an e-mail unless they switched that off, and a message on
    their channels. The tenant's endpoints and channels that take this kind get it too. `but_not` need not be told what they did."""
    told = audience(tenant_id, to_roles, to_groups, to_members, but_not)
    posted = post_all(tenant_id, kind, [News(about, title, text, path, key, told)])
    return posted[0] if posted else None


def post_all(tenant_id: UUID, kind: str, news: Sequence[News], *, follows: bool = False) -> list[Notice]:
    """Post notices within the caller's transaction; those whose key was used before are left out, for they have been told.

    In a constant number of statements. `follows`: it is news of what was told before, and goes the ways that this went."""
    if not news:
        return []
    now = clock.now()
    told = {each.key: each for each in news}
    made = {each.key: _notice(tenant_id, kind, each, now) for each in told.values()}
    # of two at once with one key the second waits here until the first has committed
    written = insert(list(made.values()))
    fresh = [(made[each.key], each) for each in told.values() if made[each.key].pk in written]
    if not fresh:
        return []
    insert_values(Copy, COPY, [
        (uuid7(), tenant_id, notice.pk, member.pk, now, each.to.why.get(member.pk, ""))
        for notice, each in fresh
        for member in each.to.members
    ])  # fmt: skip
    ways = Ways(tenant_id, kind, {member.pk for _, each in fresh for member in each.to.members})
    before = following.told_by(tenant_id, [each.about for _, each in fresh if each.about]) if follows else None
    deliver([
        (notice, way)
        for notice, each in fresh
        for way in ways.of(each.to.members, each.tier, each.deadline_at, now)
        if before is None or way.channel == WEBHOOK or (each.about and way.receiver in before[each.about])
    ])  # fmt: skip
    return [notice for notice, _ in fresh]


def deliver(sent: Sequence[tuple[Notice, Way]]) -> None:
    """Make the deliveries of notices on their ways."""
    insert_values(Delivery, DELIVERY, [
        (
            uuid7(), notice.tenant_id, notice.pk, way.channel, way.member, way.endpoint, way.via, way.state, way.due_at, notice.posted_at,
        )
        for notice, way in sent
    ])  # fmt: skip
    if any(way.state == WAITING for _, way in sent):
        ring_after_commit()


def to_endpoint(endpoint: Endpoint, now: datetime) -> Way:
    """Give the way to an endpoint, due at once."""
    return Way(WEBHOOK, None, endpoint.pk, None, WAITING, now)


def to_channel(channel: Channel, now: datetime) -> Way:
    """Give the way to a channel, due at once."""
    return Way(CHANNEL, None, None, channel.pk, WAITING, now)


def _notice(tenant_id: UUID, kind: str, news: News, now: datetime) -> Notice:
    return Notice(
        id=uuid7(), tenant_id=tenant_id, key=news.key, kind=kind, about=news.about, title=news.title, text=news.text, path=news.path,
        audience=news.to.words, posted_at=now, tier=news.tier, state=news.state, topic=news.topic, deadline_at=news.deadline_at,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Told:
    """A notice for endpoints alone, before it is posted."""

    about: UUID
    title: str
    text: str
    path: str
    key: str


def tell_endpoints(tenant_id: UUID, kind: str, news: Sequence[Told]) -> None:
    """Post notices for machines alone, within the caller's transaction: none at all where no endpoint takes this kind."""
    endpoints = Endpoint.objects.filter(tenant_id=tenant_id, active=True).order_by("pk")
    taking = [each for each in endpoints if takes(each, kind)]
    if not taking:
        return
    now = clock.now()
    posted = insert([
        Notice(
            id=uuid7(), tenant_id=tenant_id, key=each.key, kind=kind, about=each.about, title=each.title, text=each.text, path=each.path,
            audience="endpoints", posted_at=now,
        )
        for each in news
    ])  # fmt: skip
    insert([
        Delivery(
            id=uuid7(), tenant_id=tenant_id, notice_id=notice, channel=WEBHOOK, endpoint=endpoint, state=WAITING, due_at=now,
            created_at=now,
        )
        for notice in posted
        for endpoint in taking
    ])  # fmt: skip
    ring_after_commit()
