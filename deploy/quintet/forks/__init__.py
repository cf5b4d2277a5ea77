"""Forks: runs whose episodes go on from recorded ones."""
