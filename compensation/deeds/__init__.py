"""What people do about work items and plans by hand: each a move with a receipt, refused with how the item stands (R-J2, R-N4)."""
