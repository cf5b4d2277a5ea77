"""The roles that ask questions and do nothing else: planner, reflector, curator and judge."""

from pathlib import Path

from quintet.messages.reflection import Reflect
from quintet.questions.curating import CURATING, REVIEWING
from quintet.questions.judging import GRADING, JUDGING
from quintet.questions.noting import NOTING
from quintet.questions.planning import PLANNING
from quintet.questions.programming import PROGRAMMING
from quintet.questions.reflecting import REFLECT, REFLECTING
from quintet.roles.asking import asking_role
from quintet.roles.sir import reflect

_PROMPTS = Path(__file__).parent / "prompts"

PLANNER_ROLE = asking_role("planner", *PLANNING, *PROGRAMMING, completion_tokens=2_048, prompts=_PROMPTS / "planner")

REFLECTOR_ROLE = asking_role(
    "reflector",
    *REFLECTING,
    *JUDGING,
    *REVIEWING,
    *NOTING,
    procedures={Reflect: (reflect, REFLECT.prompts)},
    completion_tokens=2_048,
    prompts=_PROMPTS / "reflector",
)

CURATOR_ROLE = asking_role("curator", *CURATING, completion_tokens=2_048, prompts=_PROMPTS / "curator")
"""Revises notes, for learners."""

JUDGE_ROLE = asking_role("judge", *GRADING, completion_tokens=512, prompts=_PROMPTS / "judge", apart=True)
"""Grades answers that a world was given. Its model is its own, which no method calls."""
