"""What a user put right while a run was under way: it is taken into account before the run goes on (R-H1)."""
