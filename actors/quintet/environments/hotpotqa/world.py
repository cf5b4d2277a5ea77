"""HotpotQA as a world: its questions, its corpus, and how a question begins."""

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, Literal, TypeAlias, get_args

import msgspec

from quintet.environments.data_commands import DataCommand
from quintet.environments.hotpotqa.data import build_pages, check_questions
from quintet.environments.hotpotqa.questions import QuestionRecord
from quintet.environments.hotpotqa.session import (
    HotpotQaState,
    QuestionTask,
    begin_question,
    question_opening,
    restore_question,
)
from quintet.environments.hotpotqa.sources.library import question_library
from quintet.environments.hotpotqa.wording import WORDINGS, WordingName
from quintet.environments.options import check_choice, check_positive
from quintet.environments.task_names import unknown_split, unknown_task
from quintet.messages.environment import Task
from quintet.ports.world import Forks

ScoreName: TypeAlias = Literal["exact", "judge"]

_RULES = "1"


class HotpotQa:
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

    variables: ClassVar[Mapping[str, str]] = {"data": "HOTPOTQA_DATA", "corpus": "HOTPOTQA_CORPUS"}
    """Environment variables that are defaults of options."""
    data_commands: ClassVar[Mapping[str, DataCommand]] = {"build": build_pages, "check": check_questions}
    prompt_folder: ClassVar[Path] = Path(__file__).parent / "prompts"

    def __init__(
        self,
        data: Path | str | None = None,
        *,
        corpus: Path | str | None = None,
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
        texts = msgspec.msgpack.encode([list(split.values()) for split in self._splits.values()])
        self._digest = f"{self._corpus.facts.digest}-{blake2b(texts, digest_size=4).hexdigest()}"

    @property
    def name(self) -> str:
        return "hotpotqa"

    @property
    def version(self) -> str:
        limit = "" if self._max_steps is None else f"+max_steps={self._max_steps}"
        return f"{_RULES}+{self._wording}+{self._score}{limit}+{self._corpus.facts.date}-{self._digest}"

    @property
    def forks(self) -> Forks:
        return "copy"

    @property
    def exact(self) -> bool:
        return True

    @property
    def needs_judge(self) -> bool:
        return self._score == "judge"

    @property
    def counts_rejections(self) -> bool:
        """Each action counts towards `max_steps`."""
        return self._max_steps is not None

    @property
    def splits(self) -> tuple[str, ...]:
        return tuple(self._splits)

    def tasks(self, split: str) -> tuple[str, ...]:
        if split not in self._splits:
            raise unknown_split(split, self._splits, self.name)
        return tuple(self._splits[split])

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"type": self._question(task).type}

    def open(self, task: Task) -> HotpotQaState:
        """The state in which a question is put. The seed has no effect."""
        return begin_question(self._start(task))

    def restore(self, task: Task, snapshot: bytes) -> HotpotQaState:
        return restore_question(self._start(task), snapshot)

    def _start(self, task: Task) -> QuestionTask:
        question = self._question(task.name)
        return QuestionTask(
            task=task,
            version=self.version,
            question=question,
            opening=question_opening(question),
            corpus=self._corpus,
            wording=WORDINGS[self._wording],
            max_steps=self._max_steps,
            judged=self._score == "judge",
        )

    def _question(self, name: str) -> QuestionRecord:
        for split in self._splits.values():
            if (found := split.get(name)) is not None:
                return found
        raise unknown_task(name, (task for split in self._splits.values() for task in split), self.name)
