"""A hotel portal to call: rooms can be booked and cancelled, each house answers in its own manner, and it keeps its own register.

It is a process of its own and shares no database with the product, so that its register can say what really happened."""
