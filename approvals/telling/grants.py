"""News of what stands in for approvals: grants, decisions handed over, the glass broken, and policies that ask anew."""

from collections.abc import Collection
from uuid import UUID

from approvals.models import BreakGlass, Delegation, Grant, Policy, Request
from approvals.telling import words
from console.identity.people import ROLES
from console.ledger.actors import Actor
from console.notices import following, kinds
from console.notices.posting import post


def grant_proposed(by: Actor, grant: Grant) -> None:
    """Tell the approvers for whom a proposed grant would stand in, but not who proposes it."""
    said = f"{by.name} proposes it for {grant.operation}, until {words.at(grant.ends_at)}. It counts only when another person confirms it."
    _of_grant(
        grant,
        kinds.GRANT_PROPOSED,
        f"Confirm or decline a grant: {_purpose(grant)}",
        said,
        "proposed",
        by,
        groups=grant.groups,
    )


def grant_confirmed(by: Actor, grant: Grant) -> None:
    """Tell its owner, and the approvers for whom it stands in, that a grant is in force."""
    said = f"{by.name} confirmed it for {grant.operation}. It ends {words.at(grant.ends_at)}, or when it is used up or revoked."
    _of_grant(
        grant, kinds.GRANT_BEGUN, f"A grant is in force: {_purpose(grant)}", said, "confirmed", by, groups=grant.groups
    )


def grant_ended(by: Actor, grant: Grant, how: str, reason: str) -> None:
    """Tell its owner, who confirmed it and the approvers that a grant ended: declined, revoked, used up or out of time (`how`)."""
    actor = "" if by.kind == "system" else f" by {by.name}"
    why = f" Said: {words.in_a_line(reason)}." if reason.strip(". ") and by.kind != "system" else ""
    said = f"{how.capitalize()}{actor}, {words.at(grant.ended_at)}.{why} What it covered is asked about again."
    _of_grant(
        grant, kinds.GRANT_ENDED, f"A grant ended: {_purpose(grant)}", said, f"ended:{how}", by, groups=grant.groups
    )


def delegation_given(by: Actor, delegation: Delegation) -> None:
    """Tell whoever may decide from now on in another's place; and the giver, where another made it."""
    said = f"From {words.at(delegation.starts_at)} until {words.at(delegation.ends_at)}. Said: {words.in_a_line(delegation.reason)}."
    title = f"{delegation.giver.user.name} lets {delegation.taker.user.name} decide"
    _of_delegation(by, delegation, kinds.DELEGATED, title, said, "given")


def delegation_revoked(by: Actor, delegation: Delegation) -> None:
    """Tell both that a delegation was taken back, but not who did it."""
    title = f"{delegation.taker.user.name} no longer decides for {delegation.giver.user.name}"
    _of_delegation(
        by,
        delegation,
        kinds.UNDELEGATED,
        title,
        f"{by.name} took it back, {words.at(delegation.revoked_at)}.",
        "revoked",
    )


def glass_broken(by: Actor, glass: BreakGlass, request: Request) -> None:
    """Tell everybody that the glass was broken for a request: who, what, why and until when. Nobody is asked to decide it any more."""
    following.drop(glass.tenant_id, [request.pk], glass.opened_at)
    said = f"{by.name} released it over the heads of its approvers until {words.at(glass.ends_at)}, saying: {words.in_a_line(glass.reason)}"
    _of_glass(
        by,
        glass,
        request,
        kinds.GLASS_BROKEN,
        f"The glass was broken: {words.what(request)}",
        said,
        "broken",
        ROLES,
        (),
    )


def glass_ended(glass: BreakGlass, request: Request) -> None:
    """Tell those who may review it, but not who broke it, that the time is over and a review is due."""
    said = f"It ended {words.at(glass.ended_at or glass.ends_at)}. Somebody other than who did it says whether it was justified."
    _of_glass(
        None,
        glass,
        request,
        kinds.GLASS_ENDED,
        f"To be reviewed: {words.what(request)}",
        said,
        "ended",
        ("admin",),
        request.groups,
    )


def glass_reviewed(by: Actor, glass: BreakGlass, request: Request) -> None:
    """Tell who broke the glass, and administrators, what the review said."""
    found = "justified" if glass.justified else "not justified"
    said = f"{by.name} found it {found}, saying: {words.in_a_line(glass.review)}"
    post(
        glass.tenant_id, kinds.GLASS_REVIEWED, about=request.pk, title=f"Reviewed, {found}: {words.what(request)}", text=said,
        path=f"/break-glass/{glass.pk}", key=f"glass:{glass.pk}:reviewed", to_roles=("admin",), to_members=[glass.member_id],
        but_not=_self(by),
    )  # fmt: skip


def policy_published(by: Actor, policy: Policy, judged_again: int) -> None:
    """Tell approvers and administrators that a policy is in force, and how many open requests are judged again by it."""
    asked = f"{judged_again} open request{'s are' if judged_again != 1 else ' is'} judged again by it."
    post(
        policy.tenant_id, kinds.POLICY_PUBLISHED, about=policy.pk, title=f"Policy {policy.name}, version {policy.version}, is in force",
        text=f"{by.name} published it, {words.at(policy.published_at)}. {asked}", path="/policies",
        key=f"policy:{policy.pk}", to_roles=("approver", "admin"), but_not=_self(by),
    )  # fmt: skip


def _of_grant(grant: Grant, kind: str, title: str, text: str, key: str, by: Actor, groups: Collection[str]) -> None:
    people = [each for each in (grant.owner_id, grant.confirmed_by_id) if each is not None]
    post(
        grant.tenant_id, kind, about=grant.pk, title=title, text=text, path=f"/grants/{grant.pk}", key=f"grant:{grant.pk}:{key}",
        to_groups=groups, to_members=people, but_not=_self(by),
    )  # fmt: skip


def _of_delegation(by: Actor, delegation: Delegation, kind: str, title: str, text: str, key: str) -> None:
    post(
        delegation.tenant_id, kind, about=delegation.pk, title=title, text=text, path="/delegations",
        key=f"delegation:{delegation.pk}:{key}", to_members=[delegation.giver_id, delegation.taker_id], but_not=_self(by),
    )  # fmt: skip


def _of_glass(
    by: Actor | None, glass: BreakGlass, request: Request, kind: str, title: str, text: str, key: str, roles: Collection[str],
    groups: Collection[str],
) -> None:  # fmt: skip
    post(
        glass.tenant_id, kind, about=request.pk, title=title, text=text, path=f"/break-glass/{glass.pk}", key=f"glass:{glass.pk}:{key}",
        to_roles=roles, to_groups=groups, but_not=[glass.member_id, *_self(by)],
    )  # fmt: skip


def _purpose(grant: Grant) -> str:
    return words.in_a_line(grant.purpose)


def _self(by: Actor | None) -> list[UUID]:
    return [by.id] if by is not None and by.kind == "member" and by.id is not None else []
