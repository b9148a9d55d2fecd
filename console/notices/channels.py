"""Channels by apprise: the tenant's own and each member's; added, tried, changed, stopped, started. Each change is on the tenant's stream.

What administrators see of a member's own is that it is there; what is sent to it is that member's business."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.exact import Object
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.identity.models import Member, Tenant
from console.identity.office import NotAdministrator, check_administers, hold, told
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move, once
from console.notices import chatting, posting, sealing
from console.notices.kinds import NAMES, TEST
from console.notices.models import Channel, Notice

MOST = 20  # of a tenant, and of a member
LONGEST_URL = 1000
LONGEST_LABEL = 80
TIERS = ("low", "normal", "high")


class BadChannel(InvalidContent):
    """This is no address of apprise, or none of the services that channels may use; docs/notices.md names them."""

    code = "bad_channel"


class BadLabel(InvalidContent):
    """A channel has a name, of at most 80 characters."""

    code = "bad_label"


class UnknownTaking(InvalidContent):
    """There is no such kind of notice, or no such tier."""

    code = "unknown_taking"


class TooManyChannels(Refusal):
    """There are twenty channels already, stopped ones among them."""

    code = "too_many_channels"


class ChannelStopped(Refusal):
    """This channel is stopped; start it again first."""

    code = "channel_stopped"


@move("add channel")
def add(by: Actor, url: str, *, label: str, own: bool, kinds: list[str], tiers: list[str], key: str) -> dict[str, Any]:
    """Add a channel, one's own or the tenant's, for some kinds and tiers (none named: all). Its address is kept sealed and never shown.

    Raises NotAdministrator, BadChannel, BadLabel, UnknownTaking, TooManyChannels."""
    url, label, takes = url.strip(), _label(label), _takes(kinds, tiers)
    asked = {"url": sha256(url.encode()).hexdigest(), "label": label, "own": own, **takes}

    def act() -> dict[str, Any]:
        scheme = _scheme(url)
        tenant = hold(by.tenant)
        if not own:
            check_administers(by)
        member = _standing(by) if own else None
        if Channel.objects.filter(tenant_id=tenant.pk, member=member).count() >= MOST:
            raise TooManyChannels
        now, named = clock.now(), uuid7()
        channel = Channel(
            id=named, tenant_id=tenant.pk, member=member, label=label, scheme=scheme, sealed_url=sealing.seal(named, url), active=True,
            created_at=now, **takes,
        )  # fmt: skip
        channel.save(force_insert=True)
        chains.append(tenant, tenant.pk, [("channel.added", _told(channel))], by, now)
        return {"receipt": "added", "channel": str(named), "at": instant(now)}

    return once(by, key, "add channel", asked, act)


@move("change channel")
def change(by: Actor, channel_id: UUID, *, kinds: list[str], tiers: list[str], key: str) -> dict[str, Any]:
    """Say anew what a channel takes. Raises NotFound, UnknownTaking."""
    return _changed(by, "change channel", channel_id, _takes(kinds, tiers), "changed", key)


@move("stop channel")
def stop(by: Actor, channel_id: UUID, *, key: str) -> dict[str, Any]:
    """Send a channel nothing more; what waits for it is given up. Raises NotFound."""
    return _changed(by, "stop channel", channel_id, {"active": False}, "stopped", key)


@move("start channel")
def start(by: Actor, channel_id: UUID, *, key: str) -> dict[str, Any]:
    """Send a channel what is posted from now on. Raises NotFound."""
    return _changed(by, "start channel", channel_id, {"active": True}, "started", key)


@move("try channel")
def try_out(by: Actor, channel_id: UUID, *, key: str) -> dict[str, Any]:
    """Send a channel a notice of the kind `test`, and nobody else. Raises NotFound, ChannelStopped."""

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        channel = _held(by, tenant, channel_id)
        if not channel.active:
            raise ChannelStopped
        now = clock.now()
        notice = Notice(
            id=uuid7(), tenant_id=tenant.pk, key=f"test:{uuid7()}", kind=TEST, about=None, title="A test of this channel",
            text=f"{by.name} sent this to see whether notices arrive here.", path="/notices/settings",
            audience="this channel alone", posted_at=now,
        )  # fmt: skip
        notice.save(force_insert=True)
        posting.deliver([(notice, posting.to_channel(channel, now))])
        return {"receipt": "tried", "channel": str(channel_id), "at": instant(now)}

    return once(by, key, "try channel", {"channel": str(channel_id)}, act)


def may_change(by: Actor, channel: Channel) -> bool:
    """Tell whether a channel is the actor's to change: their own, or the tenant's for who administers."""
    return channel.member_id == by.id if channel.member_id else "admin" in by.roles


def _changed(by: Actor, verb: str, channel_id: UUID, terms: dict[str, Any], became: str, key: str) -> dict[str, Any]:
    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        channel, now = _held(by, tenant, channel_id), clock.now()
        receipt = {"channel": str(channel_id), "at": instant(now)}
        if all(getattr(channel, name) == value for name, value in terms.items()):
            return {"receipt": "unchanged", **receipt}
        for name, value in terms.items():
            setattr(channel, name, value)
        channel.save(update_fields=list(terms))
        chains.append(tenant, tenant.pk, [("channel.changed", _told(channel))], by, now)
        return {"receipt": became, **receipt}

    return once(by, key, verb, {"channel": str(channel_id), **terms}, act)


def _held(by: Actor, tenant: Tenant, channel_id: UUID) -> Channel:
    """Give a channel that is the actor's to change; the tenant is held. Raises NotFound, NotAdministrator."""
    found = Channel.objects.filter(pk=channel_id, tenant_id=tenant.pk).first()
    if found is None or (found.member_id is not None and found.member_id != by.id):
        raise NotFound
    if found.member_id is None:
        check_administers(by)
    else:
        _standing(by)
    return found


def _standing(by: Actor) -> Member:
    """Give the active member that the actor is. Raises NotAdministrator, for nobody else has a channel of their own."""
    mine = Member.objects.filter(pk=by.id, tenant_id=by.tenant, active=True) if by.kind == "member" and by.id else None
    found = mine.first() if mine is not None else None
    if found is None:
        raise NotAdministrator
    return found


def _told(channel: Channel) -> Object:
    return told(channel, Channel.recorded)


def _scheme(url: str) -> str:
    if not url or len(url) > LONGEST_URL or not url.isprintable():
        raise BadChannel
    try:
        scheme, _ = chatting.read(url)
    except chatting.BadChannel:
        raise BadChannel from None
    return scheme


def _label(text: str) -> str:
    label = " ".join(text.split())
    if not label or len(label) > LONGEST_LABEL or not label.isprintable():
        raise BadLabel
    return label


def _takes(kinds: list[str], tiers: list[str]) -> dict[str, Any]:
    if set(kinds) - set(NAMES) or set(tiers) - set(TIERS):
        raise UnknownTaking
    return {"kinds": [name for name in NAMES if name in kinds], "tiers": [tier for tier in TIERS if tier in tiers]}
