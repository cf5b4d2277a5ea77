"""The roles of a run. A new role is a module that declares it, and its name here."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from quintet.messages.environment import Open
from quintet.messages.message import Request
from quintet.messages.solving import Solve
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.roles.memory.memory import MEMORY_ROLE
from quintet.roles.planner import PLANNER_ROLE
from quintet.roles.reflector import REFLECTOR_ROLE
from quintet.roles.role import Role
from quintet.roles.subtask import SUBTASK_ROLE

ROLES: tuple[Role, ...] = (EXECUTOR_ROLE, PLANNER_ROLE, REFLECTOR_ROLE, MEMORY_ROLE, ENVIRONMENT_ROLE, SUBTASK_ROLE)

_EVERY_EPISODE: tuple[type[Request[Any]], ...] = (Open, Solve)


def role_of(request: type[Request[Any]]) -> Role:
    """The role that answers a kind of request.

    Raises:
        LookupError: no role does.
    """
    for role in ROLES:
        if request in role.requests:
            return role
    raise LookupError(f"role: expected one that answers {request.__name__}, got {', '.join(_names(ROLES))}")


def roles_of(requests: Iterable[type[Request[Any]]]) -> tuple[Role, ...]:
    """The roles that answer these requests or those of every episode, in the registry's order."""
    asked = {role_of(request).name for request in (*requests, *_EVERY_EPISODE)}
    return tuple(role for role in ROLES if role.name in asked)


def with_models(roles: Iterable[Role]) -> tuple[str, ...]:
    """The names of those that call a model."""
    return tuple(_names(role for role in roles if role.completion_tokens is not None))


def prompts_of(requests: Iterable[type[Request[Any]]]) -> tuple[str, ...]:
    """The names of the prompts that these requests require, each once."""
    return tuple(dict.fromkeys(name for request in requests for name in role_of(request).requests[request]))


def default_prompts() -> tuple[Path, ...]:
    """The roles' folders of prompts for methods that have none of their own."""
    return tuple(role.prompts for role in ROLES if role.prompts is not None)


def _names(roles: Iterable[Role]) -> Iterator[str]:
    return (role.name for role in roles)
