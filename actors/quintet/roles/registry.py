"""The roles of a run: ours, and those that its methods bring (`Method.roles`)."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

from quintet.errors import UsageError
from quintet.messages.environment import Open
from quintet.messages.message import Request
from quintet.messages.solving import Solve
from quintet.roles.environment import ENVIRONMENT_ROLE
from quintet.roles.executor import EXECUTOR_ROLE
from quintet.roles.memory.memory import MEMORY_ROLE
from quintet.roles.question_roles import CURATOR_ROLE, JUDGE_ROLE, PLANNER_ROLE, REFLECTOR_ROLE, USER_ROLE
from quintet.roles.role import Role
from quintet.roles.subtask import SUBTASK_ROLE

ROLES: tuple[Role, ...] = (
    EXECUTOR_ROLE,
    PLANNER_ROLE,
    REFLECTOR_ROLE,
    CURATOR_ROLE,
    MEMORY_ROLE,
    JUDGE_ROLE,
    USER_ROLE,
    ENVIRONMENT_ROLE,
    SUBTASK_ROLE,
)

SHARED: Final = "host"
"""The name, among those of roles, of the hosts that several roles share."""

TAKEN: Final = (SHARED, "embedder", "learner", "episodes", "store", "journal", "quota")
"""Names of what else is addressed or configured beside the roles; no role may have them."""

_EVERY_EPISODE: tuple[type[Request[Any]], ...] = (Open, Solve)


def check_brought(brought: object) -> None:
    """Raise a `UsageError` unless a method's roles are a tuple of roles, with names that are free and differ."""
    found: list[object] = [*cast("tuple[object, ...]", brought)] if isinstance(brought, tuple) else []
    roles = [role for role in found if isinstance(role, Role)]
    if not isinstance(brought, tuple) or len(roles) < len(found):
        raise UsageError(f"roles: expected a tuple of roles, got {brought!r}")
    names = [*_names(roles)]
    for number, name in enumerate(names):
        if name in (*_names(ROLES), *TAKEN):
            raise UsageError(f"role: expected another name than {', '.join((*_names(ROLES), *TAKEN))}, got {name!r}")
        if name in names[:number]:
            raise UsageError(f"role: expected each name once, got {name!r} twice")
    ours = {file.stem for folder in default_prompts() for file in folder.glob("*.txt")}
    for name in (prompt for role in roles for prompt in role.optional_prompts):
        if name in ours:
            prompts = ", ".join(sorted(ours))
            raise UsageError(f"role: expected another name than those of our prompts ({prompts}), got {name!r}")


def roles_answering(request: type[Request[Any]], brought: Sequence[Role] = ()) -> tuple[Role, ...]:
    """The roles that answer a kind of request: one, unless its field `role` names which.

    Args:
        brought: the roles that the asking method brings.

    Raises:
        LookupError: no role does.
    """
    found = tuple(role for role in (*ROLES, *brought) if request in role.requests)
    if not found:
        known = ", ".join(_names((*ROLES, *brought)))
        raise LookupError(f"role: expected one that answers {request.__name__}, got {known}")
    return found


def role_of(request: Request[Any], brought: Sequence[Role] = ()) -> Role:
    """The role that answers a request.

    Args:
        request: one with a field `role` goes to the role of that name.
        brought: the roles that the asking method brings.

    Raises:
        LookupError: no role does.
    """
    found = roles_answering(type(request), brought)
    name = getattr(request, "role", found[0].name)
    for role in found:
        if role.name == name:
            return role
    raise LookupError(f"role of {type(request).__name__}: expected {' or '.join(_names(found))}, got {name!r}")


def roles_of(requests: Iterable[type[Request[Any]]], brought: Sequence[Role] = ()) -> tuple[Role, ...]:
    """The roles that answer these requests or those of every episode, in the registry's order; then those brought."""
    asked = {role.name for request in (*requests, *_EVERY_EPISODE) for role in roles_answering(request, brought)}
    return (*(role for role in ROLES if role.name in asked), *brought)


def with_models(roles: Iterable[Role]) -> tuple[str, ...]:
    """The names of those that call a model."""
    return tuple(_names(role for role in roles if role.completion_tokens is not None))


def prompts_of(requests: Iterable[type[Request[Any]]], brought: Sequence[Role] = ()) -> tuple[str, ...]:
    """The names of the prompts that these requests require, each once."""
    answering = ((request, role) for request in requests for role in roles_answering(request, brought))
    return tuple(dict.fromkeys(name for request, role in answering for name in role.requests[request]))


def default_prompts(brought: Iterable[Role] = ()) -> tuple[Path, ...]:
    """The folders of prompts for all worlds, of our roles and of those that a method brings."""
    return tuple(role.prompts for role in (*ROLES, *brought) if role.prompts is not None)


def _names(roles: Iterable[Role]) -> Iterator[str]:
    return (role.name for role in roles)
