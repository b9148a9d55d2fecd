"""The kinds of notices: what each tells. An endpoint takes those that it names, or all. Pure."""

from dataclasses import dataclass
from typing import Final

OVERDUE: Final = "effect.overdue"
REMINDER: Final = "effect.still_unknown"
IN_PART: Final = "effect.partial"
ESCALATED: Final = "effect.escalated"
HANDED_OVER: Final = "effect.handed_over"
SECOND_PERSON: Final = "finding.waits"
ITEM_HANDED_OVER: Final = "work_item.handed_over"
ENDING_WAITS: Final = "work_item.second_person"
STALLED: Final = "run.stalled"
RUN_WOKEN: Final = "run.woken"
OVERDUE_WAIT: Final = "run.overdue_wait"
QUARANTINED: Final = "run.quarantined"
DECISION: Final = "run.decision"
EXHAUSTED: Final = "run.exhausted"
RUN_CANCELLED: Final = "run.cancelled"
LEFT: Final = "run.late"
SIGNAL_LATE: Final = "signal.late"
CORRECTED: Final = "run.corrected"
PAUSED: Final = "pause.begun"
UNPAUSED: Final = "pause.lifted"
ASKED: Final = "approval.asked"
REMINDED: Final = "approval.reminder"
ASKED_TOO: Final = "approval.escalated"
EXTENDED: Final = "approval.extended"
CLOSED: Final = "approval.ended"
BECAME: Final = "approval.outcome"
DIGEST: Final = "approval.digest"
GRANT_PROPOSED: Final = "grant.proposed"
GRANT_BEGUN: Final = "grant.confirmed"
GRANT_ENDED: Final = "grant.ended"
DELEGATED: Final = "delegation.given"
UNDELEGATED: Final = "delegation.revoked"
GLASS_BROKEN: Final = "break_glass.broken"
GLASS_ENDED: Final = "break_glass.ended"
GLASS_REVIEWED: Final = "break_glass.reviewed"
POLICY_PUBLISHED: Final = "policy.published"
FACTORS_CHANGED: Final = "member.factors_changed"
COMPENSATION_NEEDS: Final = "compensation.needs_somebody"
COMPENSATION_ESCALATED: Final = "compensation.escalated"
COMPENSATION_PLAN: Final = "compensation.plan_to_approve"
TEST: Final = "test"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind, in few words and in a sentence."""

    name: str
    title: str
    means: str


KINDS: Final = (
    Kind(OVERDUE, "Unknown for too long", "The outcome of an effect is unknown for longer than its contract wants."),
    Kind(REMINDER, "Still unknown", "It is unknown still, at a further age that its contract names."),
    Kind(IN_PART, "Done in part for too long", "An effect was done in part, and its rest is not settled in the time its contract wants."),
    Kind(ESCALATED, "Escalated", "It is unknown still, or its rest is not settled, and others have to take it."),
    Kind(HANDED_OVER, "Handed over", "Somebody handed an effect that is not settled over."),
    Kind(SECOND_PERSON, "A finding waits", "Somebody found out what became of an effect, and a second person has to confirm it."),
    Kind(ITEM_HANDED_OVER, "A work item is yours", "Somebody handed a work item of compensation over."),
    Kind(ENDING_WAITS, "The end of a work item waits", "Somebody says how a work item ended, and a second person has to confirm it."),
    Kind(STALLED, "A run stands still", "Nobody drives a run, it waits for nothing, and nothing will wake it."),
    Kind(RUN_WOKEN, "A run goes on", "What a run waited for came, and its driver can take it up."),
    Kind(OVERDUE_WAIT, "A run waits in vain", "What a run waited for did not come in its time, and a person is to look."),
    Kind(QUARANTINED, "A run was set aside", "A run cannot be resumed safely, and stays aside until a person releases it."),
    Kind(DECISION, "A run needs a decision", "A run was resumed with something changed about which a person has to decide."),
    Kind(EXHAUSTED, "A run ran out", "A run used up attempts, cost, tokens or time that it may use."),
    Kind(RUN_CANCELLED, "A run is to stop", "Somebody cancelled a run: whoever drives it stops, and cleans up in the time that is left."),
    Kind(LEFT, "Left by a run that ended", "A run ended, and something of it was done all the same, or its clean-up was not."),
    Kind(SIGNAL_LATE, "A signal came too late", "A signal came when the run that it is for had ended."),
    Kind(CORRECTED, "A run was corrected", "What a user put right withdrew something, or contradicts something that is under way."),
    Kind(PAUSED, "Paused", "Somebody stopped a run, an operation, a run type or everything."),
    Kind(UNPAUSED, "A pause was lifted", "What was paused may go on."),
    Kind(ASKED, "Asked", "An agent asks for something that a member may approve or deny."),
    Kind(REMINDED, "Still to decide", "Half, or nine tenths, of the time to decide has gone by, and nobody has decided."),
    Kind(ASKED_TOO, "Others are asked too", "Nobody decided in time, or somebody passed it on, so that others are asked as well."),
    Kind(EXTENDED, "More time to decide", "Somebody put the deadline of a request off."),
    Kind(CLOSED, "Decided or ended", "A request was approved, denied, revoked or withdrawn, or ran out of time."),
    Kind(BECAME, "What became of it", "What was approved was done, failed, or has an outcome that nobody knows."),
    Kind(DIGEST, "Requests together", "Several notices about requests in one message."),
    Kind(GRANT_PROPOSED, "A standing approval is proposed", "Somebody proposes a standing approval, and another person has to confirm it."),
    Kind(GRANT_BEGUN, "A standing approval is in force", "A standing approval was confirmed."),
    Kind(GRANT_ENDED, "A standing approval ended", "A standing approval was declined or revoked, is used up, or ran out of time."),
    Kind(DELEGATED, "Decisions handed over", "Somebody lets another decide in their place for a time."),
    Kind(UNDELEGATED, "Decisions taken back", "A delegation was revoked."),
    Kind(GLASS_BROKEN, "The glass was broken", "Somebody released something over the heads of its approvers."),
    Kind(GLASS_ENDED, "To be reviewed", "What was released over the heads of its approvers is over, and somebody else has to review it."),
    Kind(GLASS_REVIEWED, "Reviewed", "Somebody reviewed what was released over the heads of its approvers."),
    Kind(POLICY_PUBLISHED, "A policy is in force", "A version of a policy was published, and what it governs is judged again."),
    Kind(COMPENSATION_NEEDS, "Compensation needs somebody", "What is to be made good for failed, waits for people, or is past its time."),
    Kind(COMPENSATION_ESCALATED, "Compensation escalated", "Nobody has seen to it yet, and others have to take it."),
    Kind(COMPENSATION_PLAN, "A plan to approve", "What a run did is to be made good for, and somebody approves the plan before it begins."),
    Kind(FACTORS_CHANGED, "How you prove who you are", "A way by which a member proves who they are was added or removed."),
)  # fmt: skip
NAMES: Final = tuple(kind.name for kind in KINDS)
TITLES: Final = {**{kind.name: kind.title for kind in KINDS}, TEST: "Test"}
