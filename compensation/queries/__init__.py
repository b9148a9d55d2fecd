"""What pages and the API read of plans and work items: a constant number of statements, each along an index, as plain values."""
