"""Short ways to the goal."""
