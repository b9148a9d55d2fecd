"""A tenant's endpoints: added, stopped, started, given a new secret, tried. Each change is a move on the tenant's stream."""

from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.doorbell import ring_after_commit
from console.exact import Object
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.identity.models import Tenant
from console.identity.office import check_administers, hold
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.folding import plain
from console.ledger.moves import move, once
from console.notices import posting, sealing
from console.notices.addresses import Blocked, check_shape
from console.notices.kinds import NAMES, TEST
from console.notices.models import Delivery, Endpoint, Notice
from console.notices.states import DEAD, WAITING

MOST = 20
LONGEST_URL = 1000


class BadEndpoint(InvalidContent):
    """An endpoint is an http or https address with a host and without a user, a password or a fragment, of at most 1,000 characters."""

    code = "bad_endpoint"


class UnknownKind(InvalidContent):
    """There is no such kind of notice."""

    code = "unknown_kind"


class TooManyEndpoints(Refusal):
    """This tenant has twenty endpoints already, stopped ones among them."""

    code = "too_many_endpoints"


class EndpointStopped(Refusal):
    """This endpoint or channel is stopped; start it again first."""

    code = "endpoint_stopped"


class NotDead(Refusal):
    """Only what was given up is sent again."""

    code = "not_dead"


@move("add endpoint")
def add(by: Actor, url: str, *, kinds: list[str], key: str) -> tuple[dict[str, Any], str]:
    """Add an endpoint for some kinds of notices (none named: all). Its secret is given here and never again.

    Raises NotAdministrator, BadEndpoint, UnknownKind, TooManyEndpoints."""
    url, kinds = _url(url), _kinds(kinds)
    given: list[str] = []

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        if Endpoint.objects.filter(tenant_id=tenant.pk).count() >= MOST:
            raise TooManyEndpoints
        now, named, secret = clock.now(), uuid7(), sealing.new_secret()
        endpoint = Endpoint(
            id=named, tenant_id=tenant.pk, url=url, kinds=kinds, active=True, created_at=now,
            sealed_secret=sealing.seal(named, secret),
        )  # fmt: skip
        endpoint.save(force_insert=True)
        chains.append(tenant, tenant.pk, [("endpoint.added", _told(endpoint))], by, now)
        given.append(secret)
        return {"receipt": "added", "endpoint": str(named), "at": instant(now)}

    return once(by, key, "add endpoint", {"url": url, "kinds": kinds}, act), "".join(given)


@move("change endpoint")
def change(by: Actor, endpoint_id: UUID, *, kinds: list[str], key: str) -> dict[str, Any]:
    """Say anew which kinds an endpoint takes. Raises NotAdministrator, NotFound, UnknownKind."""
    return _changed(by, "change endpoint", endpoint_id, {"kinds": _kinds(kinds)}, "changed", key)


@move("stop endpoint")
def stop(by: Actor, endpoint_id: UUID, *, key: str) -> dict[str, Any]:
    """Send an endpoint nothing more; what waits for it is given up. Raises NotAdministrator, NotFound."""
    return _changed(by, "stop endpoint", endpoint_id, {"active": False}, "stopped", key)


@move("start endpoint")
def start(by: Actor, endpoint_id: UUID, *, key: str) -> dict[str, Any]:
    """Send an endpoint what is posted from now on. Raises NotAdministrator, NotFound."""
    return _changed(by, "start endpoint", endpoint_id, {"active": True}, "started", key)


@move("renew endpoint secret")
def renew(by: Actor, endpoint_id: UUID, *, key: str) -> tuple[dict[str, Any], str]:
    """Give an endpoint a new secret, with which everything is signed from now on. Raises NotAdministrator, NotFound."""
    given: list[str] = []

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        endpoint = _held(tenant, endpoint_id)
        secret, now = sealing.new_secret(), clock.now()
        Endpoint.objects.filter(pk=endpoint.pk).update(sealed_secret=sealing.seal(endpoint.pk, secret))
        chains.append(tenant, tenant.pk, [("endpoint.secret_renewed", {"id": str(endpoint.pk)})], by, now)
        given.append(secret)
        return {"receipt": "renewed", "endpoint": str(endpoint_id), "at": instant(now)}

    return once(by, key, "renew endpoint secret", {"endpoint": str(endpoint_id)}, act), "".join(given)


@move("try endpoint")
def try_out(by: Actor, endpoint_id: UUID, *, key: str) -> dict[str, Any]:
    """Send an endpoint a notice of the kind `test`, and nobody else. Raises NotAdministrator, NotFound, EndpointStopped."""

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        endpoint = _held(tenant, endpoint_id)
        if not endpoint.active:
            raise EndpointStopped
        now = clock.now()
        notice = Notice(
            id=uuid7(), tenant_id=tenant.pk, key=f"test:{uuid7()}", kind=TEST, about=None, title="A test of this endpoint",
            text=f"{by.name} sent this to see whether notices arrive here.", path=f"/notices/endpoints/{endpoint.pk}",
            audience="this endpoint alone", posted_at=now,
        )  # fmt: skip
        notice.save(force_insert=True)
        posting.deliver([(notice, posting.to_endpoint(endpoint, now))])
        return {"receipt": "tried", "endpoint": str(endpoint_id), "at": instant(now)}

    return once(by, key, "try endpoint", {"endpoint": str(endpoint_id)}, act)


@move("send again")
def send_again(by: Actor, delivery_id: UUID, *, key: str) -> dict[str, Any]:
    """Send what was given up, with the message id that it had. Raises NotAdministrator, NotFound, NotDead, EndpointStopped."""

    def act() -> dict[str, Any]:
        hold(by.tenant)
        check_administers(by)
        dead = Delivery.objects.select_for_update(of=["self"]).select_related("endpoint", "via")
        delivery = dead.filter(pk=delivery_id, tenant_id=by.tenant).first()
        if delivery is None:
            raise NotFound
        receiver = delivery.endpoint or delivery.via
        if receiver is not None and not receiver.active:
            raise EndpointStopped
        now = clock.now()
        held = Delivery.objects.filter(pk=delivery.pk, state=DEAD)
        if not held.update(state=WAITING, due_at=now, ended_at=None, attempts=0):
            raise NotDead
        ring_after_commit()
        return {"receipt": "sent_again", "delivery": str(delivery_id), "at": instant(now)}

    return once(by, key, "send again", {"delivery": str(delivery_id)}, act)


def _changed(by: Actor, verb: str, endpoint_id: UUID, terms: dict[str, Any], became: str, key: str) -> dict[str, Any]:
    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        endpoint, now = _held(tenant, endpoint_id), clock.now()
        receipt = {"endpoint": str(endpoint_id), "at": instant(now)}
        if all(getattr(endpoint, name) == value for name, value in terms.items()):
            return {"receipt": "unchanged", **receipt}
        for name, value in terms.items():
            setattr(endpoint, name, value)
        endpoint.save(update_fields=list(terms))
        chains.append(tenant, tenant.pk, [("endpoint.changed", _told(endpoint))], by, now)
        return {"receipt": became, **receipt}

    return once(by, key, verb, {"endpoint": str(endpoint_id), **terms}, act)


def _held(tenant: Tenant, endpoint_id: UUID) -> Endpoint:
    """Give an endpoint of the tenant that is held. Raises NotFound."""
    found = Endpoint.objects.filter(pk=endpoint_id, tenant_id=tenant.pk).first()
    if found is None:
        raise NotFound
    return found


def _told(endpoint: Endpoint) -> Object:
    return {"id": str(endpoint.pk), **{column: plain(getattr(endpoint, column)) for column in Endpoint.recorded}}


def _url(text: str) -> str:
    """Give an address as it may be kept. Where it leads is judged whenever something is sent to it (addresses.py)."""
    text = text.strip()
    if len(text) > LONGEST_URL or not text.isascii() or not text.isprintable() or " " in text or "#" in text:
        raise BadEndpoint
    try:
        check_shape(text)
    except Blocked:
        raise BadEndpoint from None
    return text


def _kinds(kinds: list[str]) -> list[str]:
    if set(kinds) - set(NAMES):
        raise UnknownKind
    return [name for name in NAMES if name in kinds]
