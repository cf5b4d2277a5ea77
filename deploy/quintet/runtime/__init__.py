"""The runtime: hosts with their actors, the driver that runs episodes on them, and journaled model calls. No Ray."""
