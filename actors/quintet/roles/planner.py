"""The planner role: asks a model for the steps to a goal, or to rewrite a plan for all tasks of a kind."""

from quintet.questions.planning import PLANNING
from quintet.roles.asking import asking_role

PLANNER_ROLE = asking_role("planner", *PLANNING, completion_tokens=2_048)
