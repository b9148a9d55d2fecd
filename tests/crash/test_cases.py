"""The matrix's own arithmetic: which cases there are, which of them the suite runs, and what is expected of them."""

from dataclasses import replace

from tests.crash.cases import POINTS, SCRIPTS, Case, Expected, expected, pairs, sample, whole

KILLED_AFTER_SENDING = Case("dispatch.bytes_sent", "commit and answer", keeps_keys=False, can_ask=True, workers=1)


def test_the_whole_is_every_combination_and_each_has_an_order_of_its_own() -> None:
    assert len(whole()) == len(POINTS) * len(SCRIPTS) * 2 * 2 * 2 == len({case.order for case in whole()})


def test_in_the_sample_every_two_values_meet_and_it_is_always_the_same() -> None:
    assert {pair for case in sample() for pair in pairs(case)} == {pair for case in whole() for pair in pairs(case)}
    assert sample() == sample()
    assert len(sample()) < len(whole()) / 6


def test_nothing_is_ever_expected_to_have_failed_and_never_two_entries() -> None:
    for case in whole():
        assert expected(case).state != "failed"
        assert expected(case).entries <= 1, case


def test_what_was_sent_is_found_out_by_asking_and_stays_unknown_without() -> None:
    assert expected(KILLED_AFTER_SENDING) == Expected("succeeded", 1, 1, 1)
    assert expected(replace(KILLED_AFTER_SENDING, can_ask=False)) == Expected("unknown", 1, 1, 1)
    assert expected(replace(KILLED_AFTER_SENDING, script="partial")).state == "partial"


def test_absence_proves_nothing_so_what_never_left_stays_unknown_and_is_not_sent_again() -> None:
    for point in ("claim.after_commit", "dispatch.before_socket"):
        assert expected(replace(KILLED_AFTER_SENDING, point=point)) == Expected("unknown", 1, 0, 0)


def test_what_was_written_down_holds() -> None:
    written = replace(KILLED_AFTER_SENDING, point="result.after_commit")
    assert expected(replace(written, script="reject")) == Expected("rejected", 1, 1, 0)
    assert expected(replace(written, script="rate limit")) == Expected("succeeded", 2, 2, 1)
    assert expected(replace(written, script="202", can_ask=False)).state == "unknown"
    assert (
        expected(replace(written, point="dispatch.response_received", script="commit and drop", can_ask=False)).state
        == "unknown"
    )
