"""What a method learns across episodes: its second coroutine, beside the one that solves a task."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from quintet.messages.learning import Learned
from quintet.messages.parts import PromptPart
from quintet.methods.base.learner_context import LearnerContext
from quintet.ports.model import SamplingOverride


@dataclass(frozen=True)
class LearnerSpec:
    """How a method learns. Episodes are solved by the method itself, each with one version of what is learnt."""

    config: type[BaseModel]
    """Its own options, apart from those of the method's episodes."""
    learn: Callable[[LearnerContext[Any]], Awaitable[Learned]]
    roles: tuple[str, ...]
    """The roles its conversation asks, beside those that episodes ask: those that need a model and instructions."""
    prompts: tuple[str, ...]
    """The prompts that it needs, beside those that episodes need; those of its roles are among them."""
    parts: Callable[[str], tuple[PromptPart, ...]]
    """What an episode is shown of a version, from the content that was published."""
    exploration: Callable[[Any], SamplingOverride | None]
    """How far completions vary in episodes that are learnt from, by the options; None: no further than elsewhere."""
    versions: Callable[[Any, int], int]
    """How many versions will be published after version 0, by the options and the number of training tasks. Raises
    ValueError, with what was expected and what it got, where the options ask for more tasks than there are."""
    worlds: Mapping[str, Mapping[str, Any]]
    """By world, the values of `[learning]` that differ from the defaults there: of its own options, and `split`,
    `tasks` and `held_out`, the tasks to learn from."""
    chooses: Callable[[Any], bool] = lambda _config: False
    """Whether a version is chosen by tasks that are held out, by the options; some are held out then."""
    episodes: Callable[[Any, int, int, int], int] = lambda _config, _training, _held_out, _test: 0
    """How many episodes there will be at most, by the options and the numbers of training, held-out and test tasks. 0:
    unknown."""
