"""Reflexion: trials of the whole task, each with what was learnt from the failed ones."""
