"""Expert: what the world itself would do, as a ceiling."""
