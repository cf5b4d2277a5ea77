"""Actors of the roles that ask questions, without a host."""

from collections.abc import Mapping

from quintet.messages.reflection import Reflect
from quintet.questions.judging import GRADING, JUDGING
from quintet.questions.planning import PLANNING
from quintet.questions.reflecting import REFLECTING
from quintet.roles.asking import Asker, Asking
from quintet.roles.role_model import RoleModel
from quintet.roles.sir import reflect


def start_planner(model: RoleModel, prompts: Mapping[str, str]) -> Asking:
    return Asking(Asker(model, prompts), PLANNING)


def start_reflector(model: RoleModel, prompts: Mapping[str, str]) -> Asking:
    return Asking(Asker(model, prompts), (*REFLECTING, *JUDGING), {Reflect: reflect})


def start_judge(model: RoleModel, prompts: Mapping[str, str]) -> Asking:
    return Asking(Asker(model, prompts), GRADING)
