"""Judging intents by documents at one moment: the facts of the time and of what was spent are added here."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from approvals import spending
from approvals.policy_document import DENY, Judgement, PolicyDocument, judge
from approvals.policy_facts import NotAnAmount, Spend, spends, spent_facts, time_facts
from approvals.spending import Till
from console import clock
from console.exact import Value

Facts = Mapping[str, Value]
NO_AMOUNT = "The argument that the policy adds up is no exact decimal, so it is not known what would be spent."


class Bench:
    """Judges intents one after the other at one moment; what the earlier ones would spend counts for the later ones."""

    def __init__(
        self,
        tenant_id: UUID,
        documents: Sequence[PolicyDocument],
        *,
        hold: bool = False,
        at: datetime | None = None,
    ) -> None:
        self.tenant_id, self.past = tenant_id, at
        if hold and any(document.spend for document in documents):
            spending.hold(tenant_id)
        asks_now = any(document.spend or document.asks_time for document in documents)
        self.now = at if at is not None else clock.now() if asks_now else None

    def wants(self, document: PolicyDocument, facts: Facts) -> tuple[Spend, ...] | None:
        """Give what an intent would spend; None: that cannot be known."""
        try:
            return spends(document.name, document.spend, facts)
        except NotAnAmount:
            return None

    def open(self, wanted: Sequence[Spend], but: Collection[UUID] = ()) -> None:
        """Read the sums that will be asked for."""
        self.till = Till(self.tenant_id, wanted, self.now, but, self.past) if wanted and self.now else None

    def judge(self, document: PolicyDocument, facts: Facts, found: tuple[Spend, ...] | None) -> Judgement:
        """Judge one intent, and count it unless it is denied."""
        if found is None:
            return Judgement(DENY, "", None, NO_AMOUNT)
        judgement = judge(document, self._all(document, facts, found))
        if self.till is not None and judgement.verdict != DENY:
            self.till.add(found)
        return judgement

    def _all(self, document: PolicyDocument, facts: Facts, found: tuple[Spend, ...]) -> Facts:
        more: dict[str, Value] = {}
        if document.asks_time and self.now is not None:
            more["time"] = time_facts(self.now, document.time_zone)
        if found and self.till is not None:
            more["spent"] = spent_facts(found, self.till.spent(found))
        return {**facts, **more} if more else facts
