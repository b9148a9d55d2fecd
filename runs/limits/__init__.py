"""What a run may use: attempts, cost, tokens, children and time; and what follows when it is used up."""
