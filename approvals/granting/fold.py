"""What the facts of a standing approval amount to: the reducers of its stream."""

from decimal import Decimal

from approvals.models import Grant, GrantUse
from approvals.states import ACTIVE, DECLINED, ENDED, GRANT_REVOKED, PROPOSED_GRANT, RESERVED
from console.ledger.folding import Fact, Folded, Reducer
from console.ledger.verification import Book, Table

COPIED = (
    "operation", "run_type", "target_pattern", "constraint", "uses_most", "amount_path", "amount_most", "rate_most", "rate_seconds",
    "starts_at", "ends_at", "groups", "purpose", "owner_as", "owner_proved_at",
)  # fmt: skip


def _proposed(folded: Folded, grant: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "grant", grant, agent_id=says["agent"], owner_id=says["owner"], state=PROPOSED_GRANT, ended_reason="",
        confirmed_by_id=None, confirmed_at=None, confirmed_as=[], confirmed_proved_at=None, ended_by_id=None, ended_at=None,
        created_at=fact.at, uses_taken=0, amount_taken=Decimal(0), erased_at=None, **{name: says[name] for name in COPIED},
    )  # fmt: skip


def _confirmed(folded: Folded, grant: str, fact: Fact) -> None:
    says = fact.says
    folded.set(
        fact, "grant", grant, state=ACTIVE, confirmed_by_id=says["member"], confirmed_at=fact.at, confirmed_as=says["said_as"],
        confirmed_proved_at=says["proved_at"],
    )  # fmt: skip


def _over(state: str) -> Reducer:
    def reduce(folded: Folded, grant: str, fact: Fact) -> None:
        says = fact.says
        folded.set(
            fact,
            "grant",
            grant,
            state=state,
            ended_reason=says["reason"],
            ended_by_id=says.get("member"),
            ended_at=fact.at,
        )

    return reduce


def _taken(folded: Folded, grant: str, fact: Fact) -> None:
    folded.set(fact, "grant", grant, uses_taken=fact.says["uses_taken"], amount_taken=fact.says["amount_taken"])


def _reserved(folded: Folded, grant: str, fact: Fact) -> None:
    for use in fact.says["uses"]:
        folded.set(
            fact, "grant_use", use["use"], grant_id=grant, subject=use["subject"], amount=use["amount"], state=RESERVED,
            reserved_at=fact.at, ended_at=None,
        )  # fmt: skip
    _taken(folded, grant, fact)


def _settled(folded: Folded, grant: str, fact: Fact) -> None:
    for use in fact.says["uses"]:
        folded.set(fact, "grant_use", use["use"], state=use["to"], ended_at=fact.at)
    _taken(folded, grant, fact)


def _erased(folded: Folded, grant: str, fact: Fact) -> None:
    """Take what remains: the facts before are erased, so this one says everything anew."""
    folded.set(fact, "grant", grant, **fact.says["remains"])
    for use, remains in fact.says["uses"].items():
        folded.set(fact, "grant_use", use, **remains)


REDUCERS: dict[str, Reducer] = {
    "grant.proposed": _proposed,
    "grant.confirmed": _confirmed,
    "grant.declined": _over(DECLINED),
    "grant.revoked": _over(GRANT_REVOKED),
    "grant.ended": _over(ENDED),
    "grant.reserved": _reserved,
    "grant.settled": _settled,
    "grant.erased": _erased,
}
BOOK = Book(
    "grant",
    Grant,
    REDUCERS,
    [
        Table("grant", Grant, "id", Grant.recorded),
        Table("grant_use", GrantUse, "grant_id", GrantUse.recorded),
    ],
)
