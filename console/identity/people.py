"""People of a tenant: added, given roles and groups, stopped and started again. Each change is a move on the tenant's stream."""

import re
import secrets
from typing import Any
from uuid import UUID

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from uuid_utils.compat import uuid7

from console import clock
from console.clock import instant
from console.http.refusals import InvalidContent, NotFound, Refusal
from console.identity.models import Member, Tenant, User
from console.identity.office import check_administers, hold, told
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move, once

ROLES = ("approver", "operator", "admin", "auditor")
GROUP = re.compile(r"[a-z][a-z0-9_-]{0,62}")
MOST_GROUPS = 50
LONGEST_NAME = 120
LONGEST_ADDRESS = 254


class BadPerson(InvalidContent):
    """A person needs a name of at most 120 characters and an e-mail address."""

    code = "bad_person"


class UnknownRole(InvalidContent):
    """A role is one of approver, operator, admin and auditor."""

    code = "unknown_role"


class BadGroup(InvalidContent):
    """A group's name is small letters, digits, - and _, begins with a letter, and has at most 63 characters; at most 50 groups."""

    code = "bad_group"


class AlreadyMember(Refusal):
    """This person is a member already."""

    code = "already_member"


class NotTheirOwn(Refusal):
    """This address cannot be added now. Ask the person to sign in and change their first password; then add it again."""

    code = "not_their_own"


class LastAdministrator(Refusal):
    """Nobody else administers this tenant; make somebody else an administrator first."""

    code = "last_administrator"


@move("admit")
def admit(
    by: Actor, address: str, *, name: str, roles: list[str], groups: list[str], key: str
) -> tuple[dict[str, Any], str]:
    """Make whoever has this e-mail address a member; a person without an account gets one, with a first password.

    The password is given here and never again: sent a second time, the receipt comes without it. Raises NotAdministrator,
    BadPerson, UnknownRole, BadGroup, AlreadyMember, NotTheirOwn."""
    address, name = _person(address, name)
    roles, groups = _terms(roles, groups)
    password = secrets.token_urlsafe(12)
    asked = {"address": address, "name": name, "roles": roles, "groups": groups}
    first: list[str] = []

    def act() -> dict[str, Any]:
        tenant = hold(by.tenant)
        check_administers(by)
        user, fresh = _user(address, name, password)
        if Member.objects.filter(tenant=tenant, user=user).exists():
            raise AlreadyMember
        if not fresh:
            check_their_own(user)
        member = added(by, tenant, user, roles, groups)
        first.extend([password] if fresh else [])
        return {
            "receipt": "admitted",
            "member": str(member.pk),
            "new_account": fresh,
            "at": instant(member.created_at),
        }

    return once(by, key, "admit", asked, act), "".join(first)


@move("change member")
def change(by: Actor, member_id: UUID, *, roles: list[str], groups: list[str], key: str) -> dict[str, Any]:
    """Say anew what a member may do. Raises NotAdministrator, NotFound, UnknownRole, BadGroup, LastAdministrator."""
    roles, groups = _terms(roles, groups)
    asked = {"member": str(member_id), "roles": roles, "groups": groups}
    return once(by, key, "change member", asked, lambda: _changed(by, member_id, {"roles": roles, "groups": groups}))


@move("stop member")
def stop(by: Actor, member_id: UUID, *, key: str) -> dict[str, Any]:
    """Let a member in no more; their votes count no more at use. Raises NotAdministrator, NotFound, LastAdministrator."""
    asked = {"member": str(member_id)}
    return once(by, key, "stop member", asked, lambda: _changed(by, member_id, {"active": False}))


@move("start member")
def start(by: Actor, member_id: UUID, *, key: str) -> dict[str, Any]:
    """Let a member in again, with the roles and groups of before. Raises NotAdministrator, NotFound."""
    asked = {"member": str(member_id)}
    return once(by, key, "start member", asked, lambda: _changed(by, member_id, {"active": True}))


def check_their_own(user: User) -> None:
    """Refuse an account whose password another tenant's administrator was shown and may know still. Raises NotTheirOwn."""
    if user.first_password:
        raise NotTheirOwn


def added(by: Actor, tenant: Tenant, user: User, roles: list[str], groups: list[str]) -> Member:
    """Write a new member into the tenant that is held."""
    now = clock.now()
    member = Member(id=uuid7(), tenant=tenant, user=user, roles=roles, groups=groups, active=True, created_at=now)
    member.save(force_insert=True)
    chains.append(tenant, tenant.pk, [("member.added", told(member, Member.recorded))], by, now)
    return member


def changed(by: Actor, tenant: Tenant, member_id: UUID, terms: dict[str, Any]) -> Member:
    """Write what a member may do now into the tenant that is held. Raises NotFound, LastAdministrator."""
    member = Member.objects.select_for_update(no_key=True).filter(pk=member_id, tenant=tenant).first()
    if member is None:
        raise NotFound
    administered = member.active and "admin" in member.roles
    for name, value in terms.items():
        setattr(member, name, value)
    if administered and not (member.active and "admin" in member.roles) and not _other_administrator(member):
        raise LastAdministrator
    now = clock.now()
    member.save(update_fields=list(terms))
    chains.append(tenant, tenant.pk, [("member.changed", told(member, Member.recorded))], by, now)
    return member


def _changed(by: Actor, member_id: UUID, terms: dict[str, Any]) -> dict[str, Any]:
    tenant = hold(by.tenant)
    check_administers(by)
    before = Member.objects.filter(pk=member_id, tenant=tenant).first()
    if before is None:
        raise NotFound
    receipt = {"member": str(member_id), "at": instant(clock.now())}
    if all(getattr(before, name) == value for name, value in terms.items()):
        return {"receipt": "unchanged", **receipt}
    changed(by, tenant, member_id, terms)
    return {"receipt": "changed", **receipt}


def _other_administrator(member: Member) -> bool:
    others = Member.objects.filter(tenant_id=member.tenant_id, active=True, roles__contains=["admin"])
    return others.exclude(pk=member.pk).exists()


def _user(address: str, name: str, password: str) -> tuple[User, bool]:
    """Give whoever has this address, made where there is nobody; of two at once the second finds the first's."""
    found = User.objects.filter(email__iexact=address).first()
    if found is not None:
        return found, False
    made = User(email=address, name=name, password=make_password(password), first_password=True)
    User.objects.bulk_create([made], ignore_conflicts=True)
    kept = User.objects.get(email__iexact=address)
    return kept, kept.pk == made.pk


def _person(address: str, name: str) -> tuple[str, str]:
    address, name = User.objects.normalize_email(address.strip()), name.strip()
    try:
        validate_email(address)
    except ValidationError:
        raise BadPerson from None
    if not name or len(name) > LONGEST_NAME or len(address) > LONGEST_ADDRESS or not name.isprintable():
        raise BadPerson
    return address, name


def _terms(roles: list[str], groups: list[str]) -> tuple[list[str], list[str]]:
    """Give roles in their own order and groups as they were given, each once."""
    if set(roles) - set(ROLES):
        raise UnknownRole
    groups = list(dict.fromkeys(groups))
    if len(groups) > MOST_GROUPS or not all(GROUP.fullmatch(group) for group in groups):
        raise BadGroup
    return [role for role in ROLES if role in roles], groups
