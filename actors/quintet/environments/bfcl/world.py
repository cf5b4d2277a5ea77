"""BFCL multi-turn as a world: its conversations, and how each begins."""

from collections.abc import Mapping
from pathlib import Path

from msgspec import structs

from quintet.environments.bfcl.conversations import CONVERSATION_SETS, Conversation, conversations
from quintet.environments.bfcl.package import package_version
from quintet.environments.bfcl.session import BfclState
from quintet.environments.content import content_digest
from quintet.messages.environment import Task
from quintet.ports.task_names import unknown_task
from quintet.ports.world import TASK_TYPE, World

_RULES = "2"


class Bfcl(World):
    """A user's messages, which the agent serves one after the other by calls of tools.

    Raises:
        PackageMissing: `bfcl-eval` or `mpmath` is not installed.

    Source: Patil et al. (2025), the Berkeley Function Calling Leaderboard, version 4, of whose package data, tools and
    checks are. Differs: README.md.
    """

    name = "bfcl"
    splits = CONVERSATION_SETS
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(self) -> None:
        self._package = package_version()
        self.version = f"{_RULES}+{self._package}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(conversations(split))

    def metadata(self, task: str) -> Mapping[str, str]:
        return {TASK_TYPE: self._conversation(task).kind}

    def scores(self, task: str) -> tuple[str, ...]:
        return ("served",)

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        held = [structs.astuple(each) for each in conversations(split).values()]
        return {"conversations": content_digest(held), "package": self._package}

    def open(self, task: Task) -> BfclState:
        """The state in which a conversation begins. The seed has no effect."""
        return BfclState(self._conversation(task.name))

    def _conversation(self, task: str) -> Conversation:
        for split in self.splits:
            if (found := conversations(split).get(task)) is not None:
                return found
        raise unknown_task(task, (name for split in self.splits for name in conversations(split)), self.name)
