"""What a rule asks, as sentences for people. Pure."""

from collections.abc import Iterator

from approvals.policy_asks import ASK_TO_CANCEL, COMPENSATE, Ask
from approvals.policy_people import whom
from console.exact.decimals import number_text
from runs.contracts.spans import in_words

THEN = {ASK_TO_CANCEL: "the other side is asked to stop it", COMPENSATE: "it is compensated"}


def asks(ask: Ask) -> str:
    """Say who must approve, and by which clocks: one of finance must approve within 30 minutes; …"""
    panels = " and ".join(f"{'one' if panel.quorum == 1 else panel.quorum} of {whom(panel)}" for panel in ask.panels)
    different = ", all different people," if len(ask.panels) > 1 else ""
    return (
        f"{panels}{different} must approve within {in_words(ask.decide_within_seconds)}; "
        f"an approval lapses when it is not used within {in_words(ask.use_within_seconds)}"
    )


def terms(ask: Ask) -> list[str]:
    """Say what else holds of their approval."""
    return list(_terms(ask))


def _terms(ask: Ask) -> Iterator[str]:
    if ask.finish:
        then = THEN.get(ask.finish.then, "it may finish")
        yield f"What was begun has {in_words(ask.finish.within_seconds)} to end; after that {then}."
    if ask.escalate:
        yield f"After {in_words(ask.escalate.after_seconds)} {' and '.join(ask.escalate.to)} are asked too."
    if ask.extend:
        yield f"The deadline may be put off, by {in_words(ask.extend.by_seconds)} at most, {_times(ask.extend.times)}."
    if ask.reason_required:
        yield "Whoever approves says why."
    if ask.compensation_too:
        yield "Whoever approves it approves making good for it too."
    if ask.step_up_within_seconds:
        yield f"Whoever decides has proven within {in_words(ask.step_up_within_seconds)} who they are."
    for each in ask.narrow:
        yield f"Whoever approves may tighten {each.path.removeprefix('arguments.')}, towards {each.towards}."
    if ask.grants:
        most = f", {number_text(ask.grants.amount_most)} in all" if ask.grants.amount_most is not None else ""
        yield (
            f"A standing approval may take the place of this: {_times(ask.grants.uses)} at most{most}, "
            f"for {in_words(ask.grants.within_seconds)}."
        )
    if ask.break_glass:
        groups, most_seconds = " or ".join(ask.break_glass.groups), ask.break_glass.within_seconds
        yield f"In an emergency {groups} may release it, for {in_words(most_seconds)} at most."


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"
