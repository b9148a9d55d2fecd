"""Who drives a run and for how long: taken, kept, let go, and missed when nobody does (R-A5, R-A6, R-H3)."""
