"""A standing approval as a sentence: exactly what it would allow, so that whoever confirms it knows what they say."""

from approvals.granting.terms import ANY
from approvals.models import Grant
from console.exact import decode, number_text
from console.exact.conditions import parse, sentence
from console.exact.visible import visible

UNITS = ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second"))


def said(grant: Grant) -> str:
    """Say what a grant allows, but for its time, which pages show by itself."""
    who = visible(grant.agent.name) if grant.agent else "Any agent"
    where = f" in runs of the type {visible(grant.run_type)}" if grant.run_type else ""
    parts = [f"{who}{where} may do {visible(grant.operation)} {_targets(grant.target_pattern)}"]
    if grant.constraint:
        parts.append(f"where {sentence(parse(decode(grant.constraint)))}")
    parts.append(f"without asking {_spelled(grant.groups)}," if grant.groups else "without asking anybody,")
    parts.append(_times(grant.uses_most) + " in all")
    if grant.amount_path and grant.amount_most is not None:
        name = visible(grant.amount_path.removeprefix("arguments.").replace("_", " "))
        parts[-1] += f", up to {number_text(grant.amount_most)} of the {name} in sum"
    if grant.rate_most and grant.rate_seconds:
        parts[-1] += f", at most {_times(grant.rate_most)} in {span(grant.rate_seconds)}"
    return " ".join(parts) + "."


def span(seconds: int) -> str:
    """Say a number of seconds in the largest unit that it is whole in: 7 days."""
    size, unit = next((size, unit) for size, unit in UNITS if seconds % size == 0)
    number = seconds // size
    return f"{number:,} {unit}{'' if number == 1 else 's'}"


def _targets(pattern: str) -> str:
    if pattern.endswith(ANY):
        return f"on every target that begins with {visible(pattern[:-1])}"
    return f"on {visible(pattern)}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _spelled(names: list[str]) -> str:
    *most, last = map(visible, names)
    return f"{', '.join(most)} and {last}" if most else last
