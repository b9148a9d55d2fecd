"""Real processes, killed: the product on its own PostgreSQL and Valkey, with the bank as the witness."""
