"""What the model begins with is a process of one role."""

from tests.shop import one_role

__all__ = ["one_role"]
