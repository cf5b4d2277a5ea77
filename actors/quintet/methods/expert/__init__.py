"""Expert: the world's own solution, as an upper bound."""
