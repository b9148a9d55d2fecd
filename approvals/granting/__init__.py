"""Standing approvals: bounded words of two people that stand in for theirs, until they are used up, out of time or revoked."""
