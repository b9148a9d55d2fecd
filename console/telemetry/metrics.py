"""Every metric by name, with what it means; and how they are written for Prometheus."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from console.telemetry.counting import BUCKETS

PREFIX: Final = "counterfoil_"
GAUGE, COUNTER, HISTOGRAM = "gauge", "counter", "histogram"
MOST: Final = 10_000  # what is counted row by row is counted so far and no further
Tally: TypeAlias = tuple[str, str, float]  # (name, labels as JSON, value)


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: `read` ones are asked of the record at every look, the others are added up from what processes counted."""

    name: str
    kind: str
    says: str
    labels: tuple[str, ...] = ()
    read: bool = False

    @property
    def exported(self) -> str:
        """Give the name as Prometheus has it."""
        return f"{PREFIX}{self.name}{'_total' if self.kind == COUNTER else ''}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the record says at this moment: a value, by labels in the metric's order."""

    name: str
    value: float
    labels: tuple[str, ...] = ()


_READ: Final = (
    Metric("record_up", GAUGE, "1 when the record could be read for this answer; else 0, and everything that is read is absent."),
    Metric("unknown_effects", GAUGE, f"Effects whose outcome is unknown, counted up to {MOST} in all."),
    Metric("unknown_effect_oldest_seconds", GAUGE, "Age of the oldest unknown outcome; 0 when there is none."),
    Metric("ready_effects", GAUGE, f"Effects that a worker could begin now, up to {MOST} for each tenant and dependency.", ("dependency",)),
    Metric("ready_effect_oldest_seconds", GAUGE, "How long the first of them has been due; 0 when there is none.", ("dependency",)),
    Metric("attempts_in_flight", GAUGE, "Attempts begun and not ended.", ("dependency",)),
    Metric("dependencies_held_back", GAUGE, "Dependencies whose breaker holds calls back, or lets one at a time try."),
    Metric(
        "grant_units_held_by_unknowns", GAUGE,
        f"Units of standing approvals that are held for effects whose outcome is unknown, counted up to {MOST}.",
    ),
    Metric("awaiting_approval", GAUGE, f"Requests that wait for people, counted up to {MOST}."),
    Metric("approval_nearest_deadline_seconds", GAUGE, "Time left to decide the most urgent of them; absent when there is none."),
    Metric("break_glass_open", GAUGE, f"Requests released by breaking the glass, whose time is not over, counted up to {MOST}."),
    Metric("break_glass_unreviewed", GAUGE, f"Times that the glass was broken and nobody has reviewed it, counted up to {MOST}."),
    Metric("runs", GAUGE, f"Runs by state, counted up to {MOST} for each tenant and state, so that of many it is the least.", ("state",)),
    Metric("compensations", GAUGE, f"Open work items of compensation by state, counted up to {MOST} for each tenant.", ("state",)),
    Metric("compensations_need_somebody", GAUGE, "Those of them that go no further without a person."),
    Metric("compensations_overdue", GAUGE, "Those of them that are past their deadline."),
    Metric("compensation_oldest_seconds", GAUGE, "Since the oldest of them was planned; 0 when there is none."),
    Metric("clock_last_pass_seconds", GAUGE, "Since the clock last passed; absent until it first has."),
    Metric("workers_alive", GAUGE, "Workers whose sign of life in Redis is fresh; absent when Redis is away."),
    Metric("deliveries_waiting", GAUGE, f"Notices on their way by this channel, counted up to {MOST}.", ("channel",)),
    Metric("deliveries_dead", GAUGE, f"Notices that were given up, counted up to {MOST}; a person may send them again.", ("channel",)),
    Metric("undelivered_oldest_seconds", GAUGE, "Age of the oldest notice on its way; 0 when there is none."),
    Metric("ledger_entries", COUNTER, "Entries of the record, by the highest number given out: its rate is the record's growth."),
)  # fmt: skip
METRICS: Final = (
    *(Metric(each.name, each.kind, each.says, each.labels, read=True) for each in _READ),
    Metric("requests", COUNTER, "Requests answered, health checks and static files apart.", ("method", "route", "status")),
    Metric("request_seconds", HISTOGRAM, "Time to answer, long polls (`?wait=`) apart.", ("method", "route")),
    Metric("callbacks", COUNTER, "Signed callbacks: taken in (`recorded`, or `again`), and what became of each.", ("state",)),
    Metric("signals", COUNTER, "Signals: taken in (`recorded`, or `again`), and what became of each.", ("state",)),
    Metric("refusals", COUNTER, "Moves refused and kept beside the record; `stale_token` is a stale driver's.", ("code",)),
    Metric("claims", COUNTER, "Attempts claimed, by why the worker looked: ring, poll, start or more.", ("found_by",)),
    Metric("due_to_claim_seconds", HISTOGRAM, "From when an effect was due to when a worker had claimed it."),
    Metric("settlements", COUNTER, "Answers written down.", ("outcome",)),
    Metric("compensation_outcomes", COUNTER, "Work items of compensation that ended, failed or were escalated.", ("outcome",)),
    Metric("late_results", COUNTER, "Answers that came after their attempt was given up: kept as evidence, nothing changed."),
    Metric("timer_late_seconds", HISTOGRAM, "From when a time that a run waited for had come to when the run was told."),
    Metric("lost_leases", COUNTER, "Attempts whose worker vanished, seen by its parent or by the clock at the lease's end.", ("seen_by",)),
    Metric("stalled_runs", COUNTER, "Runs that were found to stand still: nobody drives them and nothing will wake them."),
    Metric("checkpoint_contradictions", COUNTER, "Claims in agents' states about effects that were not so, and were flagged."),
    Metric("deliveries", COUNTER, "Attempts to deliver a notice that ended, by what became of them.", ("channel", "outcome")),
    Metric("bell_errors", COUNTER, "Rings that Redis did not take; the sweep finds the work."),
)  # fmt: skip


def written(readings: Iterable[Reading], tallies: Iterable[Tally]) -> bytes:
    """Write all metrics in Prometheus' text form."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Given([*_read(readings), *_added_up(list(tallies))]))
    return generate_latest(registry)


class _Given(Collector):
    def __init__(self, families: list[Family]) -> None:
        self.families = families

    def collect(self) -> Iterator[Family]:
        yield from self.families


def _read(readings: Iterable[Reading]) -> Iterator[Family]:
    found = list(readings)
    for metric in METRICS:
        mine = [reading for reading in found if reading.name == metric.name]
        if metric.read and mine:
            kind = GaugeMetricFamily if metric.kind == GAUGE else CounterMetricFamily
            family = kind(PREFIX + metric.name, metric.says, labels=metric.labels)
            for reading in mine:
                family.add_metric(reading.labels, reading.value)
            yield family


def _added_up(tallies: list[Tally]) -> Iterator[Family]:
    """Give what processes counted. A counter that never counted has no line yet, but one without labels begins at 0."""
    for metric in METRICS:
        if metric.read:
            continue
        if metric.kind == HISTOGRAM:
            yield _histogram(metric, tallies)
            continue
        family = CounterMetricFamily(PREFIX + metric.name, metric.says, labels=metric.labels)
        counted = {_values(metric.labels, labels): value for name, labels, value in tallies if name == metric.name}
        for values, value in (counted or ({} if metric.labels else {(): 0.0})).items():
            family.add_metric(values, value)
        yield family


def _histogram(metric: Metric, tallies: list[Tally]) -> HistogramMetricFamily:
    family = HistogramMetricFamily(PREFIX + metric.name, metric.says, labels=metric.labels)
    sums = {_values(metric.labels, labels): value for name, labels, value in tallies if name == f"{metric.name}_sum"}
    fallen = {
        _values((*metric.labels, "le"), labels): value
        for name, labels, value in tallies
        if name == f"{metric.name}_bucket"
    }
    for values, total in sums.items():
        buckets, reached = [], 0.0
        for bound in (*map(str, BUCKETS), "+Inf"):
            reached += fallen.get((*values, bound), 0.0)
            buckets.append((bound, reached))
        family.add_metric(values, buckets, total)
    return family


def _values(names: tuple[str, ...], labels: str) -> tuple[str, ...]:
    known = dict(json.loads(labels))
    return tuple(known.get(name, "") for name in names)
