"""Episodes as trajectories in the Agent Trajectory Interchange Format (ATIF), written and read."""
