"""Pages are tested with the fixed cast."""

from tests.cast import acme, globex

__all__ = ["acme", "globex"]
