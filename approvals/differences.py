"""What changed from one request to the next: by the argument, the target and its state, the contract, the policy, whom it asks."""

from dataclasses import dataclass
from typing import Any

from approvals import target
from approvals.models import Policy, Request
from console.exact import Object, decode
from console.exact.differences import changes

# What of a request is compared, and how people call it. The sentence and the digest follow from the rest.
CALLED = {
    "target": "target", "contract": "contract", "policy": "policy", "asks": "who is asked", "version": "version of the target",
    "tier": "tier", "irreversible": "cannot be undone", "reason": "the agent's reason", "run type": "type of run",
}  # fmt: skip
INNER = {"arguments": "", "state": "state of the target: "}


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as it was; None: it was not there, or is no more."""

    name: str
    was: str | None
    now: str | None


def between(before: Request, after: Request) -> list[Difference]:
    """Give what differs between two requests, whole: nothing is left out and nothing shortened."""
    return [
        Difference(_called(change.place), change.was, change.now) for change in changes(_said(before), _said(after))
    ]


def facts(found: list[Difference]) -> list[Object]:
    """Write differences as data."""
    return [{"name": each.name, "was": each.was, "now": each.now} for each in found]


def _said(request: Request) -> Object:
    shown: Any = decode(request.shown, 128)
    said: Object = {
        "target": request.target, "arguments": decode(request.arguments, 128), "contract": _contract(shown),
        "policy": f"{_policy(request.policy)}, rule {request.rule}", "asks": f"{request.quorum} of {', '.join(request.groups)}",
        "tier": request.tier, "irreversible": request.irreversible, "run type": shown.get("run_type", ""),
    }  # fmt: skip
    if request.reason:
        said["reason"] = request.reason
    if request.target_read_at is not None:
        said |= {"version": request.target_version, "state": target.state_of(request) or {}}
    return said


def _contract(shown: Object) -> str:
    digest = shown.get("contract_digest")
    return f"{shown.get('contract', '')} ({digest[:12]})" if isinstance(digest, str) else str(shown.get("contract", ""))


def _policy(policy: Policy) -> str:
    return f"{policy.name}, version {policy.version}"


def _called(place: str) -> str:
    """Name a place as people do: an argument by its own name."""
    first, _, rest = place.partition(".")
    if first in INNER:
        return f"{INNER[first]}{rest}" if rest else {"arguments": "arguments", "state": "state of the target"}[first]
    return CALLED.get(place, place)
