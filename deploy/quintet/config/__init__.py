"""What a run is configured by: its sections, where each value comes from, and what is said about a bad one."""
