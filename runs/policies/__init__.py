"""Policies beside the contracts and the work that they govern: tried before they are in force, and put in force from a page."""
