"""What the clock does for compensation, in bounded steps, each in the transaction of its caller."""

from typing import Final

from compensation.alerts import ladder, plans
from compensation.deeds import overtaking
from compensation.plans import calling
from compensation.working import following
from runs.sweep import Step

# News is heard before anything is planned, so that what has nothing to make good for any more covers nothing.
STEPS: Final[dict[str, Step]] = {
    "compensation heard": following.hear_due,
    "compensation called for": calling.plan_called_for,
    "compensation planned": calling.plan_closing,
    "compensation ladder": ladder.climb_due,
    "plans to approve": plans.tell_due,
    "endings overtaken": overtaking.overtake_due,
}
# Of many runs that close at once so many are planned for, or heard of, in one transaction, and then the next: nobody waits long.
FULL: Final = {"compensation planned": calling.MOST_RUNS, "compensation heard": following.MOST}
