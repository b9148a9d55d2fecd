"""Why something that a person wanted with a request was not done, each by name."""

from console.http.refusals import Forbidden, InvalidContent, Refusal


class AlreadyResolved(Refusal):
    """This was already decided."""

    code = "already_resolved"


class AlreadyCounted(Refusal):
    """Your word on this is already counted; nobody is counted twice."""

    code = "already_counted"


class Expired(Refusal):
    """The time to decide this has run out; it was not done."""

    code = "expired"


class Withdrawn(Refusal):
    """This was withdrawn before it was decided; there is nothing left to decide."""

    code = "withdrawn"


class PolicyChanged(Refusal):
    """The policy changed after this was asked; the request is judged again by the new one."""

    code = "policy_changed"


class StaleView(Refusal):
    """What you were shown is not what would be done now; look again before you decide."""

    code = "stale_view"
    status = 412


class SeparationOfDuties(Forbidden):
    """Whoever asks, or answers for the agent that asks, does not decide."""

    code = "separation_of_duties"


class NotEligible(Forbidden):
    """The policy asks approvers of other groups."""

    code = "not_eligible"


class NotDelegated(Forbidden):
    """Nobody handed you this decision: there is no delegation from that person to you that covers it now."""

    code = "not_delegated"


class NotNarrower(InvalidContent):
    """This would not allow less than what was asked; only what the policy names can be tightened, and only in its direction."""

    code = "not_narrower"


class CannotBeSatisfied(InvalidContent):
    """Nothing that was asked would be allowed by this; deny it instead."""

    code = "cannot_be_satisfied"


class NothingSaid(Refusal):
    """No approval of yours stands here that could be taken back."""

    code = "nothing_said"


class NotExtendable(Refusal):
    """The policy lets nobody put this deadline off so far."""

    code = "not_extendable"


class NotEscalatable(Refusal):
    """There is nobody else whom the policy would ask."""

    code = "not_escalatable"


class NotRevocable(Refusal):
    """Only what is approved, or used and not closed, can be revoked."""

    code = "not_revocable"


class NotYoursToRevoke(Forbidden):
    """Only somebody who approved it, or an administrator, revokes it."""

    code = "not_yours_to_revoke"
