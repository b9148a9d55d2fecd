"""Telling people of work items and plans that need them, step by step of the ladder."""
