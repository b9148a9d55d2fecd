"""Work items at work: they begin, follow the effects that act for them, and let their run end."""
