"""What a shop sells and what its customers want."""
