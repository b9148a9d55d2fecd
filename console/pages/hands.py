"""Who carries an effect out, in the words of people."""

from runs.contracts.executors import AGENT, HTTP, HUMAN, PYTHON
from runs.models import Effect


def carried_out_by(effect: Effect, agent: str) -> str:
    """Name who does it: the agent, a person, or this product by a call or a function."""
    groups = effect.operation.groups
    words = {
        AGENT: f"{agent} itself",
        HUMAN: f"a person of {' or '.join(groups)}" if groups else "an operator",
        HTTP: f"Counterfoil, by a call to {effect.dependency_name or 'the other side'}",
        PYTHON: "Counterfoil, by a function",
    }
    return words.get(effect.executor, "")
