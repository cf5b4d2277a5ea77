"""Agent Workflow Memory: workflows with variables, induced from attempts that succeeded."""
