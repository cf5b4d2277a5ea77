"""Carries runs out: prepares, builds, opens and drives them, in this process or on Ray."""
