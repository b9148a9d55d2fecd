"""What an agent's state claims of effects and is not so: ours wins, and the claim is flagged (RES-04). Pure.

A state that is an object may hold `effects`, a list of objects with `id` or `key` and with `state`, and `approval`, as it believes
them to be. Nothing in it is ever taken for true."""

from collections.abc import Mapping
from typing import Any, Final

from console.exact import Object, Value
from console.ledger.folding import Columns

MOST: Final = 100


def contradictions(state: Value, effects: Mapping[str, Columns], requests: Mapping[str, Columns]) -> list[Object]:
    """Give each claim that is not so: {effect, claim, claimed, is}; `is` null says that there is no such effect."""
    claims = state.get("effects") if isinstance(state, dict) else None
    if not isinstance(claims, list):
        return []
    by_key = {str(effect["key"]): effect_id for effect_id, effect in effects.items()}
    found: list[Object] = []
    for claim in claims:
        if isinstance(claim, dict):
            found += _wrong(claim, by_key, effects, requests)
    return found[:MOST]


def _wrong(
    claim: Mapping[str, Any], by_key: Mapping[str, str], effects: Mapping[str, Columns], requests: Mapping[str, Columns]
) -> list[Object]:
    named = claim.get("id") if isinstance(claim.get("id"), str) else claim.get("key")
    if not isinstance(named, str):
        return []
    effect_id = named if named in effects else by_key.get(named)
    said = {name: claim[name] for name in ("state", "approval") if isinstance(claim.get(name), str)}
    if effect_id is None:
        return [_flag(named[:255], name, claimed, None) for name, claimed in said.items()]
    effect = effects[effect_id]
    request = requests.get(str(effect["request_id"]), {})
    stands = {"state": effect["state"], "approval": request.get("state")}
    return [_flag(effect_id, name, claimed, stands[name]) for name, claimed in said.items() if claimed != stands[name]]


def _flag(effect: str, name: str, claimed: str, stands: Value) -> Object:
    return {"effect": effect, "claim": name, "claimed": claimed[:63], "is": stands}
