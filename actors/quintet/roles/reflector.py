"""The reflector role: looks back on jobs and trials, judges states and steps, chooses between attempts."""

from pathlib import Path

from quintet.messages.reflection import Reflect
from quintet.questions.judging import JUDGING
from quintet.questions.reflecting import REFLECT, REFLECTING
from quintet.roles.asking import asking_role
from quintet.roles.sir import reflect

REFLECTOR_ROLE = asking_role(
    "reflector",
    *REFLECTING,
    *JUDGING,
    procedures={Reflect: (reflect, REFLECT.prompts)},
    completion_tokens=2_048,
    prompts=Path(__file__).parent / "prompts" / "reflector",
)
