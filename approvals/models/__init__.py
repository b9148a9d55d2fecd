"""Rows and constraints of permission. A request knows a subject (digest, operation, target, arguments), not a run."""

from approvals.models.break_glass import BreakGlass
from approvals.models.decisions import Decision, Delegation
from approvals.models.grants import Grant, GrantUse
from approvals.models.policies import Coverage, Policy
from approvals.models.requests import Request
from approvals.models.spends import Spend

__all__ = ["BreakGlass", "Coverage", "Decision", "Delegation", "Grant", "GrantUse", "Policy", "Request", "Spend"]
