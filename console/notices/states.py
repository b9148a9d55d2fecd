"""The words for deliveries and the table of their legal moves; the database's guard and docs/states.md are derived from it."""

from typing import Final

from console.ledger.guards import Move

WAITING: Final = "waiting"
DELIVERED: Final = "delivered"
DEAD: Final = "dead"
HELD: Final = "held"  # until its receiver's next digest is due, or their quiet hours are over
GATHERED: Final = "gathered"  # told in a digest, which is a delivery of its own
DROPPED: Final = "dropped"  # never sent, for what it asked was over before

STATES: Final = (WAITING, HELD, DELIVERED, DEAD, GATHERED, DROPPED)
STANDING: Final = (WAITING, HELD)
INITIAL: Final = frozenset({WAITING, HELD})
MOVES: Final[dict[str, Move]] = {
    "deliver": (frozenset({WAITING}), frozenset({DELIVERED})),
    "give_up": (frozenset({WAITING}), frozenset({DEAD})),
    "send_again": (frozenset({DEAD}), frozenset({WAITING})),
    "let_go": (frozenset({HELD}), frozenset({WAITING})),
    "gather": (frozenset({HELD}), frozenset({GATHERED})),
    "drop": (frozenset({WAITING, HELD}), frozenset({DROPPED})),
}

EMAIL: Final = "email"
WEBHOOK: Final = "webhook"
CHANNEL: Final = "channel"  # by apprise
CHANNELS: Final = [EMAIL, WEBHOOK, CHANNEL]
