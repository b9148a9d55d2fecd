"""Cancellation: requested, being resolved, proven. Who may, what it withdraws, what it waits for, and the way back (R-I3, R-I4)."""
