"""What the shop's customers want: the goals, and where they come from."""
