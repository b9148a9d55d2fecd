"""What `make up` shows and drills use: contracts, a bank to call, an agent that asks."""
