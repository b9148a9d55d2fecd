"""The words for a request and the table of its legal moves; the database's guard, the diagram and the refusals come from here."""

PENDING = "pending"
APPROVED = "approved"
CONSUMED = "consumed"
DENIED = "denied"
EXPIRED = "expired"
WITHDRAWN = "withdrawn"
LAPSED = "lapsed"
REROUTED = "rerouted"

INITIAL = frozenset({PENDING})
MOVES = {
    "approve": (frozenset({PENDING}), frozenset({APPROVED})),
    "deny": (frozenset({PENDING}), frozenset({DENIED})),
    "expire": (frozenset({PENDING}), frozenset({EXPIRED})),
    "consume": (frozenset({APPROVED}), frozenset({CONSUMED})),
    "lapse": (frozenset({APPROVED}), frozenset({LAPSED})),
    "withdraw": (frozenset({PENDING, APPROVED}), frozenset({WITHDRAWN})),
    "reroute": (frozenset({PENDING, APPROVED, CONSUMED}), frozenset({REROUTED})),
}
STATES = (PENDING, APPROVED, CONSUMED, DENIED, EXPIRED, WITHDRAWN, LAPSED, REROUTED)
CLOSED = frozenset(STATES) - {PENDING, APPROVED}
