"""What is measured: read from the record where it must be true, added up over processes otherwise, told to whoever bears the token."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families as parsed
from psycopg import OperationalError

from console import env
from console.env import BASE_DIR
from console.ledger import beats, tallies
from console.telemetry import counting
from console.telemetry.metrics import METRICS
from tests.api.desk import Caller
from tests.cast import inside
from tests.clock import HOUR, at
from tests.grants import let_stand_in, standing
from tests.runs.shifting import Bench, Working
from tests.shop import Shop, draft
from tests.work import LEASE, claim, claimed, settle, sweep

TOKEN = "let-prometheus-look"


@pytest.fixture(autouse=True)
def from_zero() -> Iterator[None]:
    """Count from nothing, and leave nothing to the next test."""
    counting.take()
    yield
    counting.take()


@pytest.fixture
def token(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """Let /metrics be on."""
    settings.METRICS_TOKEN = TOKEN


def looked(bearer: str | None = TOKEN) -> Any:
    """Ask as Prometheus does."""
    headers = {} if bearer is None else {"Authorization": f"Bearer {bearer}"}
    return Client().get("/metrics", headers=headers)


def measured() -> dict[tuple[str, ...], float]:
    """Give every sample: name without prefix, then label values in their names' order."""
    response = looked()
    assert response.status_code == 200
    return {
        (sample.name.removeprefix("counterfoil_"), *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in parsed(response.content.decode())
        for sample in family.samples
    }


def test_without_a_token_in_the_settings_there_are_no_metrics(db: None) -> None:
    assert settings.METRICS_TOKEN == ""
    assert looked().status_code == looked("").status_code == 404


@pytest.mark.parametrize("bearer", [None, "", "x", TOKEN[:-1], TOKEN + "x", TOKEN.upper()])
def test_whoever_does_not_bear_it_is_told_nothing(db: None, token: None, bearer: str | None) -> None:
    response = looked(bearer)
    assert response.status_code == 401
    assert response.content == b""
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_a_post_is_no_look(db: None, token: None) -> None:
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_the_page_lists_exactly_what_is_exported_with_kind_and_labels() -> None:
    page = (BASE_DIR / "docs" / "metrics.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(counterfoil_\w+)` \| (\w+) \| ([^|]*) \| ([^|]*) \|$", page, re.MULTILINE)
    assert [(name, kind, labels.strip(), says.strip()) for name, kind, labels, says in listed] == [
        (metric.exported, metric.kind, ", ".join(f"`{label}`" for label in metric.labels), metric.says)
        for metric in METRICS
    ]


def test_everything_exported_is_defined_and_everything_defined_is_exported(shop: Shop, token: None) -> None:
    shop.accept(draft("a"))
    shop.accept(draft("b", "500"))
    with inside():
        beats.beat("clock")
    Working(Bench()).ends()
    counting.count("lost_leases", seen_by="clock")
    counting.count("refusals", code="stale_token")
    Client().get("/nothing")
    exported = {family.name for family in parsed(looked().content.decode())}
    defined = {f"counterfoil_{metric.name}" for metric in METRICS}
    assert exported == defined


def test_what_is_unknown_is_counted_with_the_age_of_the_oldest(shop: Shop, token: None) -> None:
    shop.accept(draft("a"), draft("b"))
    settle(claim(), "unknown", delay=HOUR)
    with at(600):
        found = measured()
    assert found["unknown_effects",] == 2
    assert 600 <= found["unknown_effect_oldest_seconds",] < 660


def test_the_backlog_is_counted_for_each_dependency(shop: Shop, token: None) -> None:
    shop.accept(draft("a"), draft("b"), draft("c", operation="grind"))
    with at(60):
        found = measured()
    assert (found["ready_effects", "bank"], found["ready_effects", "mill"], found["ready_effects", ""]) == (2, 1, 0)
    assert 60 <= found["ready_effect_oldest_seconds", "bank"] < 90
    assert found["ready_effect_oldest_seconds", ""] == 0
    claim()
    found = measured()
    assert (found["attempts_in_flight", "bank"], found["attempts_in_flight", "mill"]) == (2, 1)
    assert found["ready_effects", "bank"] == 0


def test_what_waits_for_people_is_counted_with_the_time_left(shop: Shop, token: None) -> None:
    assert ("approval_nearest_deadline_seconds",) not in measured()
    shop.accept(draft("a", "500"), draft("b", "500"))
    with at(800):
        found = measured()
    assert found["awaiting_approval",] == 2
    assert 940 < found["approval_nearest_deadline_seconds",] <= 1000


def test_runs_are_counted_by_state(shop: Shop, token: None) -> None:
    shop.accept(draft("a"))
    done = shop.accept()
    shop.complete(done)
    found = measured()
    assert (found["runs", "running"], found["runs", "succeeded"], found["runs", "failed"]) == (1, 1, 0)


def test_two_tenants_are_counted_together_and_neither_is_named(shop: Shop, rival: Shop, token: None) -> None:
    shop.accept(draft("a"))
    rival.accept(draft("a"))
    text = looked().content.decode()
    assert measured()["ready_effects", "bank"] == 2
    assert not [name for name in ("shop", "rival", str(shop.tenant.pk), str(rival.tenant.pk)) if name in text]


def test_the_record_grows_and_the_clock_passes(shop: Shop, token: None) -> None:
    shop.accept(draft("first"))
    before = measured()["ledger_entries_total",]
    assert ("clock_last_pass_seconds",) not in measured()
    shop.accept(draft("a"))
    with inside():
        beats.beat("clock")
    with at(30):
        found = measured()
    assert found["ledger_entries_total",] == before + 2
    assert 30 <= found["clock_last_pass_seconds",] < 60


def test_requests_are_counted_by_route_and_status_and_their_time_is_told(agent: Caller, token: None) -> None:
    agent.get("runs")
    agent.get("runs?limit=0")
    run = agent.run()
    agent.get(f"runs/{run['id']}?wait=1s&known=0")
    Client().get("/health")
    found = measured()
    assert found["requests_total", "GET", "/api/v1/runs", "200"] == 1
    assert found["requests_total", "GET", "/api/v1/runs", "400"] == 1
    assert found["requests_total", "GET", "/api/v1/runs/<uuid:id>", "200"] == 1
    assert found["request_seconds_count", "GET", "/api/v1/runs"] == 2
    assert found["request_seconds_bucket", "+Inf", "GET", "/api/v1/runs"] == 2
    assert ("request_seconds_count", "GET", "/api/v1/runs/<uuid:id>") not in found, (
        "a long poll's time is no time to answer"
    )
    assert not [place for place in found if "/health" in place]


def test_a_shift_counts_what_it_claimed_and_settled_and_how_late_it_came(shop: Shop, token: None) -> None:
    shop.accept(draft("a"), draft("b"), draft("c"))
    Working(Bench()).ends()
    found = measured()
    assert found["claims_total", "start"] == 3
    assert found["settlements_total", "succeeded"] == 3
    assert found["due_to_claim_seconds_count",] == 3
    assert found["due_to_claim_seconds_sum",] > 0
    assert found["late_results_total",] == 0


def test_a_late_answer_and_a_lost_lease_are_counted(shop: Shop, token: None) -> None:
    shop.accept(draft("a", to="slow"))
    bench = Bench()
    working = Working(bench, slots=1, renew_seconds=600)  # one slot, so that nobody asks meanwhile what became of it
    assert bench.begun.wait(30)
    with at(LEASE + HOUR):
        sweep()
    working.loop.call_soon_threadsafe(bench.let_go.set)
    working.ends()
    found = measured()
    assert found["lost_leases_total", "clock"] == 1
    assert found["late_results_total",] == 1
    assert not [place for place in found if place[0] == "settlements_total"]


def test_a_stale_drivers_token_is_counted(agent: Caller, token: None) -> None:
    run = agent.run()
    body = {"operation": "pay", "arguments": {"order": "1042", "amount": "1.00"}}
    assert agent.post(f"runs/{run['id']}/effects", body, token=int(run["epoch"]) + 7).status == 409
    assert measured()["refusals_total", "stale_token"] == 1


def test_a_bell_that_does_not_ring_is_counted(shop: Shop, token: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> None:
        raise OSError

    monkeypatch.setattr("console.doorbell.line", away)
    shop.accept(draft("a"))
    assert measured()["bell_errors_total",] == 1


def test_a_record_that_is_away_is_told_as_that(db: None, token: None, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db.utils import OperationalError as Away

    def away() -> Any:
        raise Away

    monkeypatch.setattr("runs.measures.readings", away)
    found = measured()
    assert found["record_up",] == 0
    assert ("unknown_effects",) not in found


def test_a_bell_that_is_away_leaves_only_the_workers_out(
    db: None, token: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert measured()["workers_alive",] == 0

    def away() -> Any:
        raise OSError

    monkeypatch.setattr("console.metrics.line", away)
    assert ("workers_alive",) not in measured()


def test_counts_of_several_processes_are_added_up(db: None, token: None) -> None:
    for _ in range(3):
        counting.count("late_results", 2)
        tallies.carry_now(env.dsn("DATABASE_WORKER_URL"))
    assert measured()["late_results_total",] == 6


def test_counts_that_cannot_be_carried_wait(db: None, token: None) -> None:
    def away(counts: counting.Counts) -> None:
        raise OperationalError

    counting.count("late_results")
    counting.carry(away)
    assert measured()["late_results_total",] == 1


def test_a_forked_child_does_not_count_again_what_its_parent_counted() -> None:
    import os

    counting.count("late_results")
    child = os.fork()
    if not child:
        os._exit(len(counting.take()))
    assert os.waitpid(child, 0)[1] == 0
    assert len(counting.take()) == 1


def test_an_observation_falls_into_every_bucket_from_its_own_on(db: None, token: None) -> None:
    for value in (0.004, 0.3, 7000.0):
        counting.observe("due_to_claim_seconds", value)
    found = measured()
    assert [found["due_to_claim_seconds_bucket", bound] for bound in ("0.005", "0.25", "0.5", "600.0", "+Inf")] == [
        1,
        1,
        2,
        2,
        3,
    ]


def test_the_work_in_hand_is_whole_after_all_this(shop: Shop) -> None:
    shop.accept(draft("a"))
    settle(claimed())


def test_units_of_standing_approvals_that_unknowns_hold_are_counted(shop: Shop, token: None) -> None:
    let_stand_in(shop)
    standing(shop)
    shop.accept(draft("a", "250"), draft("b", "250"))
    settle(claim(), "unknown", delay=3600)
    assert measured()["grant_units_held_by_unknowns",] == 2
