"""Lenient parsers of completions: decisions, plans, reflections, and revised plans."""
