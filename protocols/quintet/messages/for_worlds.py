"""The requests that the environment role asks while a step is taken, because the world leaves it to a model."""

from typing import Any, Final

from quintet.messages.grading import Grade
from quintet.messages.message import Request, request_name
from quintet.messages.simulating import AnswerAsUser

FOR_WORLDS: Final[tuple[type[Request[Any]], ...]] = (Grade, AnswerAsUser)

FOR_WORLDS_PHASES: Final = frozenset(map(request_name, FOR_WORLDS))
"""The phases of their calls, which are none of the method's."""
