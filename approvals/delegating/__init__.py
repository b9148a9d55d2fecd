"""Deciding in somebody's place: who let whom, for which operations and groups, and until when."""

from approvals.delegating.standing import covers, delegation_for, givers_for, handed_over, lent

__all__ = ["covers", "delegation_for", "givers_for", "handed_over", "lent"]
