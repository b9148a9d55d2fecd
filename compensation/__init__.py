"""Moving the world to an acceptable state after the fact: plans, work items and their endings (R-J)."""
