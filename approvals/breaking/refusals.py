"""Why the glass was not broken, not closed or not reviewed, each by name."""

from console.http.refusals import Forbidden, InvalidContent, Refusal


class NoGlassToBreak(Forbidden):
    """The policy lets nobody release this over the heads of its approvers."""

    code = "no_glass_to_break"


class NotAmongBreakers(Forbidden):
    """The policy lets only members of certain groups break the glass for this."""

    code = "not_among_breakers"


class TargetNotTyped(InvalidContent):
    """What you typed is not the target, character by character."""

    code = "target_not_typed"


class BadTimeBox(InvalidContent):
    """The time is at least a minute, and at most as long as the policy allows."""

    code = "bad_time_box"


class GlassStillOpen(Refusal):
    """It is reviewed when its time is over, or when it was closed."""

    code = "glass_still_open"


class GlassReviewed(Refusal):
    """This was reviewed already."""

    code = "glass_reviewed"


class NotTheirReview(Forbidden):
    """It is reviewed by another approver or an administrator: not by who broke the glass, nor by who answers for the agent."""

    code = "not_their_review"


class NotYoursToClose(Forbidden):
    """Who broke the glass, an approver or an administrator closes it."""

    code = "not_yours_to_close"
