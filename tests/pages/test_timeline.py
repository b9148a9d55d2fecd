"""A run over time: what is drawn where, what is folded, and that the drawing and its table say the same."""

import re
from types import SimpleNamespace as Thing
from typing import Any
from uuid import UUID

from console.pages.timeline import timeline
from tests.cast import Company, signed_in, work
from tests.pages.pretended import NOW, after, attempt, before, effect


def drawn(*effects: Any, **changes: Any) -> Any:
    """Draw a run that was opened two hours ago."""
    facts: dict[str, Any] = {"since": before(hours=2), "ended_at": None, "now": NOW, "entries": {}}
    return timeline(effects, **facts | changes)


def permit(**changes: Any) -> Thing:
    """Make the request of an effect."""
    return Thing(
        **{"id": UUID(int=3), "state": "consumed", "created_at": before(minutes=110), "decided_at": before(minutes=10)}
        | changes
    )


def percent(text: str) -> float:
    """Read a place."""
    return float(text.removesuffix("%"))


def test_a_short_attempt_is_seen_beside_a_long_wait() -> None:
    found = drawn(effect(request=permit()))
    wait, act = found.lanes[0].stretches
    assert (wait.words, act.words) == ("Waited for people, consumed", "Attempt 1, succeeded")
    assert percent(act.width) >= 0.8
    assert percent(wait.left) < percent(act.left)
    assert [fold.length for fold in found.folds] == ["10 min", "1 h 40 min"]


def test_what_still_lasts_reaches_the_end() -> None:
    found = drawn(effect("unknown", attempts=[attempt(state="lost", outcome="unknown")]))
    unknown = found.lanes[0].stretches[0]
    assert (unknown.kind, unknown.until, unknown.took) == ("unknown", None, "")
    assert abs(percent(unknown.left) + percent(unknown.width) - 100) < 0.1


def test_what_is_not_confirmed_when_its_run_ends_goes_on_being_so() -> None:
    open_still = drawn(
        effect("unknown", ended_at=None, attempts=[attempt(state="lost", outcome="unknown")]), ended_at=before(hours=1)
    )
    assert open_still.until == NOW
    assert drawn(effect(ended_at=before(hours=1)), ended_at=before(hours=1)).until == before(hours=1)


def test_nothing_is_drawn_outside() -> None:
    last = attempt(2, started_at=NOW, ended_at=after(seconds=1))
    for lane in drawn(effect(attempts=[attempt(), last], request=permit())).lanes:
        for stretch in lane.stretches:
            assert 0 <= percent(stretch.left) <= percent(stretch.left) + percent(stretch.width) <= 100.01


def test_a_run_in_which_nothing_happened_yet_is_not_drawn() -> None:
    assert drawn(effect("blocked", attempts=[])) is None
    assert drawn() is None


def test_the_drawing_leads_to_the_history_and_says_what_its_table_says(acme: Company) -> None:
    run = acme.run()
    refund = acme.propose(run)
    acme.approve("amir", refund)
    work()
    page = signed_in(acme.ann).get(f"/runs/{run.pk}").content.decode()
    attempts = re.findall(r'<a href="#(entry-\w+)" class="stretch act good" aria-label="Attempt 1, succeeded,', page)
    assert len(attempts) == 1
    told = page.split(f'id="{attempts[0]}"')[1][:600]
    assert "Began attempt 1 of effect 1" in told
    table = page.split('id="timeline-table"')[1]
    assert "Attempt 1, succeeded" in table
    assert f'href="/approvals/{refund.request_id}">Waited for people, consumed' in table
    assert " style=" not in page
