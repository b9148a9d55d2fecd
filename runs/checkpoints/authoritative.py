"""The authoritative part of a checkpoint: what the record says of a run, in one document (R-G1). It is ours, and wins.

It is told from recorded columns alone, so that it can be told of any moment by folding the record up to there. What steers the work
and is no part of the record (until when its driver has it, when the next attempts are due) stands apart, as `schedule`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

from console.clock import instant
from console.exact import Object, Value, decode
from console.ledger.folding import Columns
from runs.checkpoints import facts
from runs.checkpoints.facts import Facts
from runs.models import Effect, Run
from runs.states import (
    CLOSING,
    EFFECT_MOVES,
    EXHAUSTED,
    IN_FLIGHT,
    IN_FORCE,
    MUST_BE_UNDONE,
    OPEN,
    PARTIAL,
    QUARANTINED,
    RUN_ENDED,
    RUN_MOVES,
    SUCCEEDED,
    UNKNOWN,
    UNSTARTED,
    WAIT_OPEN,
    WAITING,
)

FORM: Final = 1  # of this document; a later one says so
GROUPS: Final = ("pending", "in_flight", "unknown", "partial", "committed", "not_done")


def authoritative(run: Run) -> Object:
    """Tell what the record says of a run now. The caller has it locked, so that nothing in flight can be missing."""
    return {**told(facts.now(run)), "schedule": schedule(run)}


def told(known: Facts) -> Object:
    """Tell a run from what is known of it. Pure."""
    run = known.run
    tried = _by_effect(known.of["attempt"])
    effects: dict[str, list[Value]] = {group: [] for group in GROUPS}
    for effect_id, effect in sorted(known.of["effect"].items(), key=lambda each: int(_whole(each[1]["number"]))):
        effects[_group(str(effect["state"]))].append(_effect(known, effect_id, effect, tried[effect_id]))
    return {
        "form": FORM,
        "version": known.seq,
        "run": _run(known),
        "goal": {"text": run["goal"], "success_criteria": list(known.run_type.success_criteria)},
        "effects": {**effects},
        "approvals": [_request(known, *each) for each in _in_time(known.requests, "created_at")],
        "versions": {
            "agent": _kept(run["versions"]),
            "run_type": known.run_type.version,
            "schema": known.run_type.schema_version,
            "operations": _operations(known),
            "policies": sorted(set(known.policies.values())),
        },
        "budgets": _budgets(known),
        "waits": [_wait(*each) for each in _in_order(known.of["wait"])],
        "signals": [
            {"id": signal, **{name: columns[name] for name in ("name", "correlation", "state", "received_at")},
             "wait": columns["wait_id"], "digest": columns["body_digest"]}
            for signal, columns in _in_time(known.of["signal"], "received_at")
        ],
        "children": [
            {"id": child, **{name: columns[name] for name in facts.OF_CHILD}}
            for child, columns in _in_time(known.children, "created_at")
        ],
        "artifacts": _artifacts(known),
        "evidence": [
            {"id": file, "effect": columns["effect_id"], "name": columns["name"], "media_type": columns["media_type"],
             "bytes": columns["size"], "digest": columns["digest"]}
            for file, columns in _in_time(known.of["evidence"], "uploaded_at")
        ],
        "corrections": {
            "made": run["corrections_count"], "seen": run["corrections_seen"],
            "each": [
                {"number": columns["number"], "at": columns["made_at"], "by": columns["made_by"], "source": columns["source"],
                 "text": columns["text"], "contradicts": _kept(columns["contradicts"]), "invalidated": columns["invalidated"]}
                for _, columns in _in_order(known.of["correction"])
            ],
        },
        "cancellation": {
            "closing_toward": run["closing_toward"] or None, "reason": run["closing_reason"] or None,
            "each": [
                {"number": columns["number"], "effect": columns["effect_id"],
                 **{name: columns[name] for name in (
                     "scope", "mode", "state", "reason", "asked_at", "asked_by", "grace_until", "proven_at")}}
                for _, columns in _in_order(known.of["cancellation"])
            ],
        },
        "compensation": {
            "stands": run["compensation"] or None, "remains": _kept(run["residue"]) or [], "must_be_undone": _must_be_undone(known),
            "each": [
                {"effect": effect_id, "compensates": columns["compensates_id"], "state": columns["state"]}
                for effect_id, columns in _in_order(known.of["effect"]) if columns["compensates_id"]
            ],
        },
        "resume": _resume(known),
    }  # fmt: skip


def _run(known: Facts) -> Object:
    run = known.run
    return {
        "id": known.run_id, "tenant": known.tenant_id, "key": run["key"], "intent_digest": run["intent_digest"],
        "run_type": known.run_type.name, "agent": run["agent_id"], "driver": run["driver_id"], "epoch": run["epoch"],
        "holder": run["lease_holder"] or None, "parent": run["parent_id"], "state": run["state"], "result": run["result"],
        "unresolved": run["unresolved"], "created_at": run["created_at"], "ended_at": run["ended_at"],
        "attention": {"why": run["attention"], "since": run["attention_since"], "reason": run["attention_reason"]}
        if run["attention"] else None,
    }  # fmt: skip


def _effect(known: Facts, effect_id: str, effect: Columns, tried: list[tuple[str, Columns]]) -> Object:
    """Tell an effect: what ended shortly, with its evidence; what is open with all that a new driver needs."""
    state = str(effect["state"])
    said: Object = {
        "id": effect_id, "number": effect["number"], "key": effect["key"], "operation": effect["operation_name"],
        "operation_version": known.operations.get(str(effect["operation_id"])), "digest": effect["effect_digest"], "state": state,
        "required": effect["required"], "fence": effect["fence"], "attempts": effect["attempts_count"],
        "outcome": effect["outcome"] or None, "reference": effect["operation_reference"] or None, "request": effect["request_id"],
        "supersedes": effect["supersedes_id"], "evidence": [each["evidence_digest"] for _, each in tried if each["evidence_digest"]],
    }  # fmt: skip
    if state not in OPEN and state != PARTIAL:
        return said | {"ended_at": effect["ended_at"]}
    last = tried[-1] if tried else None
    return said | {
        "executor": effect["executor"], "consequential": effect["consequential"], "irreversible": effect["irreversible"],
        "after": effect["after"], "after_waits": effect["after_waits"], "cleanup": effect["cleanup"], "verdict": effect["verdict"],
        "policy": known.policies.get(str(effect["policy_id"])), "rule": effect["rule"] or None, "reason": effect["state_reason"] or None,
        "deadline_at": effect["deadline_at"], "attempts_granted": effect["attempts_granted"], "unknown_since": effect["unknown_since"],
        "owner": effect["owner_id"], "owner_group": effect["owner_group"] or None, "cancel_asked_at": effect["cancel_asked_at"],
        "last_attempt": None if last is None else {
            "id": last[0], **{name: last[1][name] for name in ("number", "kind", "fence", "worker", "state", "sent", "started_at")},
        },
        "next": _next(state, EFFECT_MOVES),
    }  # fmt: skip


def _group(state: str) -> str:
    if state in UNSTARTED:
        return "pending"
    if state in IN_FLIGHT:
        return "in_flight"
    return {UNKNOWN: "unknown", PARTIAL: "partial", SUCCEEDED: "committed"}.get(state, "not_done")


def _request(known: Facts, request_id: str, request: Columns) -> Object:
    words = [each["verdict"] for each in known.decisions.values() if each.get("request_id") == request_id]
    return {
        "id": request_id, "effect": request["subject"], "operation": request["operation"], "digest": request["subject_digest"],
        "policy": known.policies.get(str(request["policy_id"])),
        **{name: request[name] for name in (
            "state", "tier", "rule", "groups", "quorum", "decide_by", "use_by", "decided_at", "consumed_at")},
        "approved_by": words.count("approve"), "denied_by": words.count("deny"),
    }  # fmt: skip


def _wait(wait_id: str, wait: Columns) -> Object:
    return {
        "id": wait_id,
        **{name: wait[name] for name in (
            "number", "name", "kind", "state", "parks", "due_at", "expires_at", "on_expiry", "opened_at", "ended_at", "subjects")},
        "of": wait["subject_name"] or None, "correlation": wait["correlation"] or None,
    }  # fmt: skip


def _operations(known: Facts) -> Object:
    """Give the versions that the run's effects were accepted under, by the operation's name."""
    used: dict[str, set[int]] = defaultdict(set)
    for effect in known.of["effect"].values():
        used[str(effect["operation_name"])].add(known.operations[str(effect["operation_id"])])
    return {name: sorted(versions) for name, versions in sorted(used.items())}


def _budgets(known: Facts) -> Object:
    run, limits = known.run, _kept(known.run["limits"])
    used: Object = {
        "attempts": sum(int(_whole(effect["attempts_count"])) for effect in known.of["effect"].values()),
        "cost": _amount(run["used_cost"]), "tokens": run["used_tokens"], "children": len(known.children),
    }  # fmt: skip
    given = limits if isinstance(limits, dict) else {}
    left: Object = {
        name: _amount(Decimal(str(given[name])) - Decimal(str(used[name])))
        for name in used if given.get(name) is not None
    }  # fmt: skip
    return {"deadline_at": run["deadline_at"], "limits": limits, "used": used, "left": left}


def _artifacts(known: Facts) -> Value:
    """Give the artifacts that the last checkpoint named: each by reference, with its digest."""
    kept = _in_order(known.of["checkpoint"])
    return _kept(kept[-1][1]["artifacts"]) or [] if kept else []


def _must_be_undone(known: Facts) -> list[Value]:
    """Give the effects of which a person found that they happened and must be undone."""
    found = [row for row in known.of["resolution"].values() if row["exit"] == MUST_BE_UNDONE]
    return [*sorted({str(row["effect_id"]) for row in found if row["state"] == IN_FORCE})]


def _resume(known: Facts) -> Object:
    """Say on what the run goes on, and which moves are legal now."""
    state, due = str(known.run["state"]), bool(known.run["resume_due"])
    parked = [wait for wait in known.of["wait"].values() if wait["state"] == WAIT_OPEN and wait["parks"]]
    names = [str(wait["name"]) for wait in sorted(parked, key=lambda wait: int(_whole(wait["number"])))]
    return {
        "due": due, "condition": _condition(state, due, names), "waits": names, "next": _next(state, RUN_MOVES),
        "last": [
            {"number": columns["number"], "decision": columns["decision"], "at": columns["resumed_at"]}
            for _, columns in _in_order(known.of["resumption"])[-1:]
        ],
    }  # fmt: skip


def _condition(state: str, due: bool, waits: list[str]) -> str:
    if state in RUN_ENDED:
        return "None: it has ended."
    if state == CLOSING:
        return "None: it ends when nothing is in flight or unknown."
    if state == WAITING:
        return f"It goes on when one of these has come: {', '.join(waits)}."
    if state == EXHAUSTED:
        return "A person gives more, or ends it."
    if state == QUARANTINED:
        return "A person releases it, or ends it."
    return "Its new driver resumes it." if due else "Its driver goes on."


def _next(state: str, moves: dict[str, tuple[frozenset[str], frozenset[str]]]) -> list[Value]:
    return [verb for verb, (sources, _) in moves.items() if state in sources]


def schedule(run: Run) -> Object:
    """Tell when things are due: it steers the work and is no part of the record."""
    due = Effect.objects.filter(run_id=run.pk, next_attempt_at__isnull=False, state__in=sorted(OPEN))
    return {
        "lease_expires_at": instant(run.lease_expires_at),
        "next_attempts": {
            str(pk): instant(at) for pk, at in due.order_by("number").values_list("pk", "next_attempt_at")
        },
    }


def _by_effect(attempts: facts.Rows) -> dict[str, list[tuple[str, Columns]]]:
    found: dict[str, list[tuple[str, Columns]]] = defaultdict(list)
    for attempt_id, attempt in _in_order(attempts):
        found[str(attempt["effect_id"])].append((attempt_id, attempt))
    return found


def _in_order(rows: facts.Rows) -> list[tuple[str, Columns]]:
    return sorted(rows.items(), key=lambda each: int(_whole(each[1]["number"])))


def _in_time(rows: facts.Rows, name: str) -> Iterator[tuple[str, Columns]] | Iterable[tuple[str, Columns]]:
    return sorted(rows.items(), key=lambda each: (str(each[1][name]), each[0]))


def _whole(value: Any) -> int:
    return int(value)


def _kept(text: Any) -> Value:
    return decode(str(text).encode(), levels=128) if text else None


def _amount(value: Any) -> str:
    return f"{Decimal(str(value)).normalize():f}"
