"""Optimises the texts of prompts with GEPA's package: candidates and reflections are runs of ours, arms of a study."""
