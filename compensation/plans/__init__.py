"""Plans: what is to be made good for, from what happened, and who asks for it."""
