"""Telling people of approvals: each function posts within the transaction of the move that makes it so, once, and changes nothing else.

A message says what, on which target, who asks and until when, and leads to a page. It never decides, and holds no arguments beyond the
summary and no secret."""

from approvals.telling.grants import (
    delegation_given,
    delegation_revoked,
    glass_broken,
    glass_ended,
    glass_reviewed,
    grant_confirmed,
    grant_ended,
    grant_proposed,
    policy_published,
)
from approvals.telling.requests import became, ended, escalated, extended, opened, reminded

__all__ = [
    "became",
    "delegation_given",
    "delegation_revoked",
    "ended",
    "escalated",
    "extended",
    "glass_broken",
    "glass_ended",
    "glass_reviewed",
    "grant_confirmed",
    "grant_ended",
    "grant_proposed",
    "opened",
    "policy_published",
    "reminded",
]
