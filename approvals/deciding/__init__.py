"""What people do with a request: they vote, take a vote back, narrow, put off, ask others too, and revoke; one function for every door."""
