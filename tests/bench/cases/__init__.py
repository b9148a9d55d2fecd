"""A file for each case: what it measures, and how."""
