"""The tasks: what is asked for, and what the user says by its script."""

import re
from functools import cache
from typing import Any, Final

from msgspec import Struct

from quintet.environments.content import content_digest
from quintet.environments.tau2.package import package_tasks, split_names

DOMAINS: Final = ("airline", "retail", "telecom")
TASK_SPLITS: Final = tuple(f"{domain}{part}" for domain in DOMAINS for part in ("", "-train", "-test"))

_ISSUE: Final = re.compile(r"\[(\w+)_issue\]")


class CustomerScenario(Struct, frozen=True):
    """One task."""

    name: str
    domain: str
    kind: str
    """Its domain; of telecom what does not work."""
    said: tuple[str, ...]
    """What the user says, message by message; of a task without a user its ticket."""
    task: Any
    """The package's."""

    @property
    def alone(self) -> bool:
        """Whether no user is talked to: the agent has a ticket, and the user's tools."""
        return self.task.ticket is not None

    @property
    def criteria(self) -> Any:
        return self.task.evaluation_criteria

    @property
    def digest(self) -> str:
        return content_digest(self.task.model_dump_json())


@cache
def scenarios(split: str) -> dict[str, CustomerScenario]:
    """The tasks of a split by name, in the order of the data."""
    domain, _, part = split.partition("-")
    if part:
        names = split_names(domain)[part]
        return {name: each for name, each in scenarios(domain).items() if each.task.id in names}
    named = ((f"{domain}_{number}", task) for number, task in enumerate(package_tasks(domain)))
    return {name: CustomerScenario(name, domain, _kind(domain, task.id), _said(task), task) for name, task in named}


def _kind(domain: str, name: str) -> str:
    issue = _ISSUE.match(name)
    return domain if issue is None else issue[1].replace("_", " ")


def _said(task: Any) -> tuple[str, ...]:
    """The ticket, or the parts of the user's instructions: what it calls for, knows, does not know, and is to do."""
    if task.ticket is not None:
        return (task.ticket,)
    told = task.user_scenario.instructions
    parts = (told.reason_for_call, told.known_info, told.unknown_info, told.task_instructions)
    return tuple(part.strip() for part in parts if part and part.strip())
