"""What is known of an effect and what is not, told from its attempts."""

from typing import Any

from console.pages.knowing import known, not_known
from tests.pages.pretended import NOW, attempt, before


def query(number: int, **changes: Any) -> Any:
    """Make a status query that found nothing."""
    facts = {"kind": "status", "outcome": "absent", "http_status": 404, "started_at": before(minutes=9 - number)}
    return attempt(number, **facts | changes)


def lost(**changes: Any) -> Any:
    """Make an act whose worker vanished."""
    return attempt(1, state="lost", outcome="unknown", http_status=None, **changes)


def test_queries_with_the_same_answer_are_one_line() -> None:
    assert known([lost(), query(2), query(3), query(4), query(5, http_status=500, outcome="transient")], NOW) == [
        "Attempt 1, 14:09 UTC: its worker vanished before an answer was recorded.",
        "Asked about it 3 times, from 14:07 to 14:09 UTC, each time the same: the other side answered 404, absent.",
        "Asked about it at 14:10 UTC: the other side answered 500, which says nothing of it.",
    ]


def test_what_no_worker_did_is_not_said_to_be_a_workers() -> None:
    told = known([lost(reason="the agent's lease ended without a report")], NOW)
    assert told == ["Attempt 1, 14:09 UTC: the agent's lease ended without a report."]


def test_what_did_not_leave_us_is_not_said_to_have_been_called() -> None:
    assert known([attempt(http_status=None, outcome="not_sent", sent=False)], NOW) == [
        "Attempt 1, 14:09 UTC: nothing left us."
    ]


def test_a_late_answer_is_told_with_its_attempt() -> None:
    assert (
        "After attempt 1 had been given up, an answer came (succeeded)."
        in known([lost(late_outcome="succeeded")], NOW)[1]
    )


def test_absence_that_is_no_proof_stays_a_question() -> None:
    asked = [lost(), query(2)]
    assert len(not_known(asked, absence_is_proof=False)) == len(not_known(asked, absence_is_proof=True)) + 1
    assert "Whether it happened on the other side." in not_known(asked, absence_is_proof=True)


def test_whether_it_left_us_is_open_only_when_nobody_knows() -> None:
    assert "Whether the request left us at all." in not_known([lost()], absence_is_proof=True)
    assert "Whether the request left us at all." not in not_known([lost(sent=True)], absence_is_proof=True)


def test_what_a_person_or_the_agent_does_is_asked_about_in_their_words() -> None:
    by_a_person = not_known([lost()], absence_is_proof=True, executor="human")
    assert by_a_person == [
        "Whether the person did it.",
        "How far the person came before their time ran out.",
        "What the person who began it says: nobody has asked yet.",
    ]
    by_the_agent = " ".join(not_known([lost()], absence_is_proof=True, executor="agent"))
    assert "Whether the agent did it." in by_the_agent
    assert "left us" not in by_the_agent


def test_a_repetition_and_a_read_back_are_told_as_such() -> None:
    tries = [lost(), attempt(2, kind="resend", outcome="unknown", http_status=500), query(3, kind="read")]
    _, again, read = known(tries, NOW)
    assert again.startswith("Attempt 2, sent again with the same key, ")
    assert read.startswith("Read what is there at ")
    assert "Whether it happened on the other side." in not_known(tries, absence_is_proof=True)
    found = not_known([lost(), query(2, outcome="conflict", http_status=200)], absence_is_proof=True)
    assert "What there is on the other side: it does not prove to be ours." in found
