"""The pages of compensation: the desk, one work item from what was meant to what remains, plans, and their part of a run's page."""
