"""Two versions of a contract beside each other: what each place said then and says now. Pure."""

from console.exact.differences import Change
from console.exact.differences import changes as differences
from console.exact.value import Object

__all__ = ["Change", "changes"]
SKIPPED = ("version",)  # of course it differs


def changes(before: Object, after: Object) -> list[Change]:
    """Give every place where the documents differ, in the order of the later one; what is gone comes last."""
    return [change for change in differences(before, after) if change.place not in SKIPPED]
