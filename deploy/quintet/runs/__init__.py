"""Runs: prepared once, built, carried out, and kept in run folders and study folders with one writer each."""
