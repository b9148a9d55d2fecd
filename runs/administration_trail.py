"""The trail of a person or an agent: what a tenant's administration says of them, as sentences with who and when."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from console.ledger import queries as ledger
from runs.history import actor_names, process_name

LOOKED = 500  # the last entries of the tenant's administration that are looked through
Facts: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One change: its number in the stream, its kind, what it says, why, who made it and when."""

    seq: int
    kind: str
    sentence: str
    reason: str
    actor_name: str
    at: datetime


def trail(tenant_id: UUID, subjects: Mapping[str, str]) -> list[Step]:
    """Tell the changes of these subjects (id: how it is named), the latest first, as far as the last 500 entries go."""
    known: dict[str, dict[str, Any]] = {}
    told = []
    for entry in ledger.latest([f"tenant:{tenant_id}"], None, LOOKED):
        facts = ledger.said(entry)
        if isinstance(facts, dict) and str(facts.get("id")) in subjects:
            before = known.get(str(facts["id"]), {})
            told.append(
                (
                    entry,
                    _sentence(entry.kind, facts, before, subjects[str(facts["id"])]),
                    str(facts.get("reason") or ""),
                )
            )
            known[str(facts["id"])] = {**before, **facts}
    names = actor_names(tenant_id, {entry.actor for entry, _, _ in told})
    return [
        Step(entry.seq, entry.kind, says, reason, names.get(entry.actor, process_name(entry.actor)), entry.at)
        for entry, says, reason in reversed(told)
    ]


def _sentence(kind: str, facts: Facts, before: Facts, name: str) -> str:
    tell = SENTENCES.get(kind)
    return tell(facts, before, name) if tell else f"Recorded “{kind}”, which this version does not know."


def _changed(facts: Facts, before: Facts) -> str:
    if before and before["active"] != facts["active"]:
        return "Let in again." if facts["active"] else "Stopped."
    stopped = "" if facts["active"] else ", and stopped"
    return f"From then on {_standing(facts)}{stopped}."


def _endpoint(facts: Facts, before: Facts) -> str:
    if before and before["active"] != facts["active"]:
        return "Started again." if facts["active"] else "Stopped."
    return f"From then on it takes {_listed(facts['kinds']) if facts['kinds'] else 'every kind of notice'}."


def _standing(facts: Facts) -> str:
    roles = f"with the roles {_listed(facts['roles'])}" if facts["roles"] else "without a role"
    return f"{roles}, in the groups {_listed(facts['groups'])}" if facts["groups"] else f"{roles}, in no group"


def _listed(names: Collection[str]) -> str:
    *most, last = names or ["none"]
    return f"{', '.join(most)} and {last}" if most else last


FACTORS = {"totp": "An authenticator app was", "webauthn": "A passkey was", "recovery_codes": "Recovery codes were"}
BECAME = {"added": "set up", "removed": "switched off", "reset": "made anew"}
SENTENCES: dict[str, Callable[[Facts, Facts, str], str]] = {
    "member.added": lambda facts, before, name: f"Added, {_standing(facts)}.",
    "member.changed": lambda facts, before, name: _changed(facts, before),
    "member.factor_changed": lambda facts, before, name: (
        f"{FACTORS.get(facts['factor'], facts['factor'])} {BECAME.get(facts['became'], facts['became'])}."
    ),
    "agent.added": lambda facts, before, name: "Added.",
    "agent.stopped": lambda facts, before, name: "Stopped.",
    "agent.started": lambda facts, before, name: "Started again.",
    "key.issued": lambda facts, before, name: f"Issued the key {name}…, for {_listed(facts['scopes'])}.",
    "key.revoked": lambda facts, before, name: f"Revoked the key {name}….",
    "endpoint.added": lambda facts, before, name: (
        f"Added, for {_listed(facts['kinds']) if facts['kinds'] else 'every kind of notice'}."
    ),
    "endpoint.changed": lambda facts, before, name: _endpoint(facts, before),
    "channel.added": lambda facts, before, name: (
        f"Added, for {_listed(facts['kinds']) if facts['kinds'] else 'every kind of notice'}."
    ),
    "channel.changed": lambda facts, before, name: _endpoint(facts, before),
    "delegation.given": lambda facts, before, name: "Let somebody else decide in their place.",
    "delegation.revoked": lambda facts, before, name: "Took it back that somebody else decides in their place.",
    "endpoint.secret_renewed": lambda facts, before, name: "Given a new secret.",
}
