"""Prompt parts: what a request adds to the executor's prompt, in order. They know nothing of each other."""

from typing import TypeAlias

from msgspec import Struct


class Demonstrations(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="demonstrations"):
    """Worked examples, shown before the task."""

    text: str


class Inventory(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="inventory"):
    """The agent's inventory at the start of a subtask, in the world's own words.

    Source: ADaPT, appendix A (controller, TextCraft).
    """

    text: str


class LastAction(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="last_action"):
    """The last action before a subtask begins.

    Source: ADaPT, appendix A (controller, ALFWorld); the observation is from its released code.
    """

    action: str
    """As the executor wrote it."""
    observation: str = ""
    """The world's answer."""


LONGEST_PLAN = 64 * 1024
"""The most bytes of a plan for all tasks of a kind."""


class TaskPlan(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="task_plan"):
    """A plan for all tasks of a kind, shown before the task.

    Source: AutoPlan, section 3.2 (the custom prompt).
    """

    text: str
    """Never empty; at most `LONGEST_PLAN`."""


class Reflections(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="reflections"):
    """What was learnt from failed attempts at this task, shown before the task.

    Source: Reflexion (Shinn et al., 2023), section 3 (long-term memory).
    """

    texts: tuple[str, ...]
    """Oldest first."""


PromptPart: TypeAlias = Demonstrations | TaskPlan | Reflections | Inventory | LastAction
