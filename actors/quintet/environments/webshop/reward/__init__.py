"""What a purchase is worth."""
