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
    alone: bool
    """Whether no user is talked to: the agent has a ticket, and the user's tools."""

    @property
    def persona(self) -> str:
        """How the user is, for a model that plays it; empty: nothing is said of it."""
        return (self.task.user_scenario.persona or "").strip()

    @property
    def criteria(self) -> Any:
        return self.task.evaluation_criteria

    @property
    def digest(self) -> str:
        return content_digest(self.task.model_dump_json())


@cache
def scenarios(split: str, *, tickets: bool = True) -> dict[str, CustomerScenario]:
    """The tasks of a split by name, in the order of the data.

    Args:
        tickets: whether nobody is talked to where a task has a ticket.
    """
    domain, _, part = split.partition("-")
    if part:
        names = split_names(domain)[part]
        return {name: each for name, each in scenarios(domain, tickets=tickets).items() if each.task.id in names}
    found = dict[str, CustomerScenario]()
    for number, task in enumerate(package_tasks(domain)):
        name, alone = f"{domain}_{number}", tickets and task.ticket is not None
        said = (str(task.ticket),) if alone else _said(task)
        found[name] = CustomerScenario(name, domain, _kind(domain, task.id), said, task, alone)
    return found


def _kind(domain: str, name: str) -> str:
    issue = _ISSUE.match(name)
    return domain if issue is None else issue[1].replace("_", " ")


def _said(task: Any) -> tuple[str, ...]:
    """The parts of the user's instructions: what it calls for, knows, does not know, and is to do."""
    told = task.user_scenario.instructions
    parts = (told.reason_for_call, told.known_info, told.unknown_info, told.task_instructions)
    return tuple(part.strip() for part in parts if part and part.strip())
