"""Compensation by REST: the desk, work items and plans, for people's tools; and what a run makes good for, for whoever drives it too."""
