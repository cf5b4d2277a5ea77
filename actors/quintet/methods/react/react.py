"""ReAct: the executor runs once, with the whole budget."""

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from quintet.messages.execution import Execute
from quintet.messages.parts import PromptPart
from quintet.messages.solving import Solved, Unsolved
from quintet.methods.base.episode import Episode
from quintet.methods.base.method import Description, Method
from quintet.methods.react.config import ReactConfig
from quintet.methods.react.demonstrations import (
    demonstrations,
    rewrite_demonstrations,
    without_claims,
    without_offered_claims,
)


class React(Method[ReactConfig]):
    """Thoughts and actions in turn. Source: ReAct (Yao et al., 2023), as the executor-only baseline of ADaPT."""

    name = "react"
    version = "3"
    requests = (Execute,)
    prompt_folders: ClassVar[tuple[Path, ...]] = (Path(__file__).parent / "prompts",)
    worlds = {
        "textcraft": {"max_steps": 80, "patience": 8},
        "alfworld": {"max_steps": 60, "patience": 5, "demonstrations": "hybrid"},
        "hotpotqa": {"max_steps": 7},
        "webshop": {"max_steps": 45, "patience": 3},
        "webarena": {"max_steps": 30, "patience": 3, "demonstrations": "none"},
        "scienceworld": {"max_steps": 100},
    }
    environments = {"hotpotqa": {"max_steps": 7}}

    async def solve(self, episode: Episode) -> Solved | Unsolved:
        return await episode.execute(
            parts=self.shown(episode),
            max_calls=self.config.max_steps,
            patience=self.config.patience,
            max_repeats=self.config.max_repeats,
            claims=self.config.claims,
        )

    def shown(self, episode: Episode) -> tuple[PromptPart, ...]:
        """The episode's prompt parts, with examples that make no claims where it makes none."""
        return episode.parts if self.config.claims else rewrite_demonstrations(without_claims, episode.parts)

    def reword(self, instructions: str) -> str:
        return instructions if self.config.claims else without_offered_claims(instructions)

    def demonstrations(self, metadata: Mapping[str, str]) -> tuple[str, ...] | None:
        return demonstrations(self.config.demonstrations, metadata)

    def describe(self) -> Description:
        skills = "paper-skills" if self.config.demonstrations == "paper" else "skills"
        return Description(budget=str(self.config.max_steps), skills=skills)

    def most_calls(self) -> int:
        return self.config.max_steps
