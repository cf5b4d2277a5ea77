"""AdaPlanner: a plan as a program, carried out step by step and revised from the step that failed."""
