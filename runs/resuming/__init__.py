"""Resuming a run: nine steps that look at the present, a decision, and a brief from records alone (R-H)."""
