"""What runs wait for: rows with a condition, opened by a driver, ended by the clock, by news or by whoever takes them back (R-I1)."""
