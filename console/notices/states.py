"""The words for deliveries and the table of their legal moves; the database's guard and docs/states.md are derived from it."""

from typing import Final

from console.ledger.guards import Move

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"

STATES: Final = (WAITING, DELIVERED, DEAD)
INITIAL: Final = frozenset({WAITING})
MOVES: Final[dict[str, Move]] = {
    "deliver": (frozenset({WAITING}), frozenset({DELIVERED})),
    "give_up": (frozenset({WAITING}), frozenset({DEAD})),
    "send_again": (frozenset({DEAD}), frozenset({WAITING})),
}

EMAIL: Final = "email"
WEBHOOK: Final = "webhook"
CHANNELS: Final = [EMAIL, WEBHOOK]
