"""A bank to call: a process of its own, with a ledger of its own, that can be told to misbehave.

It shares no code and no database with the product, so that its ledger can say what really happened."""
