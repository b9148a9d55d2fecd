"""What the other side tells by itself about something that it had taken on: signed, recorded once, and only then applied (R-F6)."""
