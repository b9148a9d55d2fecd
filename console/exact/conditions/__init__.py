"""Structured conditions: which answers mean what, which arguments need whom, what a permission allows.

One small form, `all` / `any` / `not` over {path, op, value}: exact on decimals, bounded in time, said as a sentence,
and comparable, so that "narrower than" and "can never hold" are proven and not guessed.
"""

from console.exact.conditions.evaluation import evaluate
from console.exact.conditions.forms import ALWAYS, OPS, AllOf, AnyOf, Check, Condition, Not, document
from console.exact.conditions.parsing import BadCondition, parse
from console.exact.conditions.proofs import Undecided, example, narrower, satisfiable
from console.exact.conditions.sentences import sentence

__all__ = [
    "ALWAYS",
    "OPS",
    "AllOf",
    "AnyOf",
    "BadCondition",
    "Check",
    "Condition",
    "Not",
    "Undecided",
    "document",
    "evaluate",
    "example",
    "narrower",
    "parse",
    "satisfiable",
    "sentence",
]
