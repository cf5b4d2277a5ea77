"""Blame: the step of an unsolved episode at which the chance of success fell."""
