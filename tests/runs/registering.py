"""A module as users write it: it registers a function when it is imported."""

from runs.functions import Call, Done, function


@function("registering")
def registering(call: Call) -> Done:
    """Do nothing, and say so."""
    return Done()
