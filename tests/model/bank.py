"""A model of the other side: it does, loses, delays and refuses as it is told, and its ledger is the truth about what happened."""

from dataclasses import dataclass, field
from typing import Any

from console.exact import canonical
from runs.wire import Answer

# How an act may be treated, and whether it is done: an answer that never comes, or comes as a 500, says nothing of that.
ACTS = (
    "done", "done and not answered", "done and answered with 500", "lost on the way", "swallowed", "refused", "busy", "unreached",
    "taken on", "half done", "conflict",
)  # fmt: skip
# How a question may be treated.
LOOKS = ("answered", "answered", "answered", "away", "stale")
BUSY_SECONDS = 3.0


@dataclass
class ModelBank:
    """`keeps_keys` names the operations whose repetitions it answers as it did at first; of the others it would do each call it gets."""

    keeps_keys: frozenset[str]
    ledger: list[tuple[str, str, int]] = field(default_factory=list)  # (effect, how much, fence)
    swallowed: dict[str, int] = field(default_factory=dict)  # done once the bank gets to it
    promised: set[str] = field(default_factory=set)

    def act(self, effect: str, operation: str, fence: int, how: str) -> Answer:
        """Be asked to do it."""
        if how in {"lost on the way", "unreached", "swallowed", "busy"}:
            return self._untouched(effect, fence, how)
        done = self.done(effect)
        if operation in self.keeps_keys and done:
            return _answer("succeeded", 200) if done == "whole" else _answer("partial", 207)
        if how in {"refused", "conflict"}:
            return _answer("rejected" if how == "refused" else "conflict", 422, reason="The bank says no.")
        if how == "taken on":
            self.promised.add(effect)
            return _answer("accepted", 202, operation_id=f"op-{effect}")
        self.ledger.append((effect, "half" if how == "half done" else "whole", fence))
        self.swallowed.pop(effect, None)
        return {
            "done": _answer("succeeded", 201), "half done": _answer("partial", 207), "done and not answered": _answer("unknown", None),
            "done and answered with 500": _answer("unknown", 500),
        }[how]  # fmt: skip

    def _untouched(self, effect: str, fence: int, how: str) -> Answer:
        if how == "busy":
            return _answer("overload", 503, retry_after_seconds=BUSY_SECONDS)
        if how == "unreached":
            return _answer("not_sent", None, sent=False)
        if how == "swallowed" and not self.done(effect):
            self.swallowed[effect] = fence
        return _answer("unknown", None)

    def look(self, effect: str, how: str) -> Answer:
        """Be asked what became of it; a stale replica has seen nothing yet."""
        if how == "away":
            return _answer("transient", 503)
        done = "" if how == "stale" else self.done(effect)
        if done:
            return _answer("succeeded", 200) if done == "whole" else _answer("partial", 207)
        return _answer("pending", 202) if effect in self.promised else _answer("absent", 404)

    def catch_up(self) -> None:
        """Do what was swallowed and what was promised."""
        for effect, fence in self.swallowed.items():
            self.ledger.append((effect, "whole", fence))
        self.ledger.extend((effect, "whole", 0) for effect in sorted(self.promised) if not self.done(effect))
        self.swallowed.clear()
        self.promised.clear()

    def done(self, effect: str) -> str:
        """Say how much of it was done: nothing (""), "half" or "whole"."""
        return next((how for key, how, _ in self.ledger if key == effect), "")

    def twice(self) -> list[str]:
        """Give what has more than one entry (invariant 1)."""
        keys = [key for key, _, _ in self.ledger]
        return sorted({key for key in keys if keys.count(key) > 1})


def _answer(outcome: str, status: int | None, *, sent: bool = True, **more: Any) -> Answer:
    told: dict[str, Any] = {"result": None, "reason": None, "operation_id": None, "retry_after_seconds": None, **more}
    if outcome in {"succeeded", "partial"}:
        told["result"] = {"receipt": "r-1"}
    evidence = canonical({"status": status, "outcome": outcome})
    return Answer(outcome=outcome, http_status=status, sent=sent, evidence=evidence, elapsed_seconds=0.0, **told)
