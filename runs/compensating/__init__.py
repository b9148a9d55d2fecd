"""Compensation as far as runs carry it: effects that make good for others, and where a run stands with what must be made good (R-J2)."""
