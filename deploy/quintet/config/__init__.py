"""Configuration: its sections, where each value comes from, and errors about a wrong one."""
