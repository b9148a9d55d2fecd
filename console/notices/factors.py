"""Second factors that come and go: written into the record of every tenant the person belongs to, and told to them.

allauth keeps the factors, in a transaction of its own, and tells afterwards; these are the entries about it."""

from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset

from console import clock
from console.clock import instant
from console.identity.members import member_actor
from console.identity.models import Member, User
from console.identity.office import hold
from console.identity.second_factors import WORDS
from console.ledger import chains
from console.ledger.actors import Actor
from console.ledger.moves import move
from console.notices.kinds import FACTORS_CHANGED
from console.notices.posting import post

BECAME = {"added": "set up", "removed": "switched off", "reset": "made anew"}


@move("change factor")
def record(by: Actor, factor: str, became: str, *, number: int) -> None:
    """Write that a member's second factor came or went, and tell them."""
    tenant = hold(by.tenant)
    now = clock.now()
    facts = {"id": str(by.principal), "factor": factor, "became": became, "via": by.via}
    chains.append(tenant, tenant.pk, [("member.factor_changed", facts)], by, now)
    what = WORDS[Authenticator.Type(factor)]
    post(
        by.tenant, FACTORS_CHANGED, about=by.principal, title=f"{what[0].upper()}{what[1:]} was {BECAME[became]} for you",
        text="If that was not you, tell an administrator now and change your password.", path="/accounts/security/",
        key=f"factor:{factor}:{number}:{became}:{instant(now)}", to_members=[by.principal],
    )  # fmt: skip


def _tell(became: str) -> Any:
    def tell(sender: type, user: User, authenticator: Authenticator, **_: Any) -> None:
        for member in Member.objects.filter(user=user, active=True).select_related("user").order_by("pk"):
            record(member_actor(member, via="page"), authenticator.type, became, number=authenticator.pk or 0)

    return tell


LISTENERS = {
    authenticator_added: _tell("added"), authenticator_removed: _tell("removed"), authenticator_reset: _tell("reset"),
}  # fmt: skip


def listen() -> None:
    """Have every change of a second factor written down."""
    for signal, tell in LISTENERS.items():
        signal.connect(tell, dispatch_uid="counterfoil: written down")
