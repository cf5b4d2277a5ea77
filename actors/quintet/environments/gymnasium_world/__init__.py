"""Any Gymnasium environment of texts as a world: see README.md."""
