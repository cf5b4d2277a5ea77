"""Agentic Context Engineering: a playbook that grows by small additions, and is never rewritten."""
