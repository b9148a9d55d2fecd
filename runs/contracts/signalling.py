"""The signals that may come to runs of a type from outside, in signed messages: whose secret, and what they are about."""

from dataclasses import dataclass
from typing import Any, Final

from runs.contracts.outcomes import MESSAGE
from runs.contracts.templates import Template, template

KEEP_SECONDS: Final = 30 * 86400  # where nobody says how long what came before its wait is kept


@dataclass(frozen=True, slots=True)
class SignalRule:
    """One signal: the secret that signs it, the template of its correlation, and how long it is kept for its wait."""

    secret: str
    correlation: Template
    keep_seconds: int = KEEP_SECONDS


def signal_rules(section: Any) -> dict[str, SignalRule]:
    """Read the section `signals` of a run type in normal form, by name; None where the contract has none."""
    return {
        name: SignalRule(rule["secret"], template(rule["correlation"], MESSAGE), int(rule["keep_seconds"]))
        for name, rule in (section or {}).items()
    }
