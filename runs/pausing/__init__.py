"""Pausing: a stop at the next claim, of a run, an operation, a run type or everything of a tenant, until somebody lifts it."""
