"""Checks of promises that need no undisturbed run: a watch, and the parts of a run that tell it what happens."""
