"""News from outside, by name and correlation: kept once, taken by one wait, and kept for it when it comes first (R-I1)."""
