"""HotpotQA as a world: its questions, its corpus, and how a question begins."""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

import msgspec

from quintet.environments.content import content_digest
from quintet.environments.data_commands import DataCommand
from quintet.environments.hotpotqa.data import build_pages, check_questions
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.session import HotpotQaState, QuestionTask
from quintet.environments.hotpotqa.sources.library import question_library
from quintet.environments.hotpotqa.wording import WORDINGS, WordingName
from quintet.environments.options import check_choice, check_positive
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.task_names import unknown_task
from quintet.ports.world import World

ScoreName: TypeAlias = Literal["exact", "judge"]

_RULES = "1"


class HotpotQa(World):
    """Questions that are answered by reading two pages of an encyclopedia.

    Args:
        data: a file or a folder of questions in HotpotQA's own format; None: 120 made-up ones.
        corpus: a corpus that `quintet data build hotpotqa` made; None: the pages that come with the questions.
        wording: whose texts: `react`, `autoplan` or `reflexion`.
        max_steps: the action after which the episode ends with an empty answer (ReAct: 7, AutoPlan: 10, Reflexion: 6);
            None: it ends with an answer only.
        score: the reward: `exact` match, or the verdict of the run's `judge`.

    Raises:
        UsageError: an option is unknown, or a file cannot be used.

    Source: Yang et al. (2018) for questions and scores; Yao et al. (2023), ReAct, for the actions. Differs: README.md.
    """

    name = "hotpotqa"
    variables: ClassVar[Mapping[str, str]] = {"data": "HOTPOTQA_DATA", "corpus": "HOTPOTQA_CORPUS"}
    data_commands: ClassVar[Mapping[str, DataCommand]] = {"build": build_pages, "check": check_questions}
    prompt_folder = Path(__file__).parent / "prompts"

    def __init__(
        self,
        data: Annotated[Path | str | None, Effect.NONE] = None,
        *,
        corpus: Annotated[Path | str | None, Effect.NONE] = None,
        wording: WordingName = "react",
        max_steps: int | None = None,
        score: ScoreName = "exact",
    ) -> None:
        for option, given, known in (("wording", wording, WORDINGS), ("score", score, get_args(ScoreName))):
            check_choice(option, given, known, "hotpotqa")
        check_positive("max_steps", max_steps, "hotpotqa")
        found = question_library(None if data is None else Path(data), None if corpus is None else Path(corpus))
        self._corpus = found.corpus
        self._splits = {split: {each.name: each for each in each_of} for split, each_of in found.questions.items()}
        self._wording: WordingName = wording
        self._max_steps = max_steps
        self._score = score
        self.needs_judge = score == "judge"
        self.counts_rejections = max_steps is not None  # each action counts towards it
        self.splits = tuple(self._splits)
        texts = msgspec.msgpack.encode([list(split.values()) for split in self._splits.values()])
        digest = f"{self._corpus.facts.digest}-{blake2b(texts, digest_size=4).hexdigest()}"
        limit = "" if max_steps is None else f"+max_steps={max_steps}"
        self.version = f"{_RULES}+{wording}+{score}{limit}+{self._corpus.facts.date}-{digest}"

    def tasks(self, split: str) -> tuple[str, ...]:
        self.check_split(split)
        return tuple(self._splits[split])

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"type": self._question(task).type}

    def scores(self, task: str) -> tuple[str, ...]:
        return ("exact", "f1")

    def content(self, split: str) -> Mapping[str, str]:
        self.check_split(split)
        asked = [(each.name, each.text, each.answer) for each in self._splits[split].values()]
        return {"questions": content_digest(asked), "corpus": self._corpus.facts.digest}

    def answer_action(self, answer: str) -> str:
        return f"finish[{answer}]"

    def open(self, task: Task) -> HotpotQaState:
        """The state in which a question is put. The seed has no effect."""
        return HotpotQaState(
            QuestionTask(
                question=self._question(task.name),
                corpus=self._corpus,
                wording=WORDINGS[self._wording],
                max_steps=self._max_steps,
                judged=self._score == "judge",
            )
        )

    def _question(self, name: str) -> QuestionRecord:
        for split in self._splits.values():
            if (found := split.get(name)) is not None:
                return found
        raise unknown_task(name, (task for split in self._splits.values() for task in split), self.name)
