"""Reads what models write, leniently: decisions, plans, reflections, revised plans, and answers in JSON."""
