"""What is not confirmed, and what people do about it: look after it, have it asked, find out with evidence (R-F3, R-F4, R-F5)."""
