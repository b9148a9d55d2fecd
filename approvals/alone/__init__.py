"""Requests that stand alone: an agent asks about something that it does itself, outside any run, uses the answer once, and reports."""
