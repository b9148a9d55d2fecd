"""The tests, by app; then races, crash, journeys and bench."""
