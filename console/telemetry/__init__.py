"""What the product tells of itself: lines, counts and traces. Nothing here knows an app, and nothing that matters rests on it."""
