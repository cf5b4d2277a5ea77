"""The native ALFWorld engine beside the official one: walks, what the official one said on them, the comparison."""
