"""What models cost, and what usage of them comes to."""
