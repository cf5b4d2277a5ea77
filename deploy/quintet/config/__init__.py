"""A run's configuration: its sections, the origin of each value, and the errors about bad ones."""
