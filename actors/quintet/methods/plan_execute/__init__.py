"""Plan-and-Execute: one plan, each step of which the executor carries out."""
