"""What an answer is worth: functions of it, some of which leave the verdict to the run's judge."""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, SupportsFloat, TypeAlias

from msgspec import Struct

from quintet.errors import UsageError
from quintet.plugins.code_places import blame
from quintet.ports.world import AnswerToGrade

Score: TypeAlias = float | AnswerToGrade
"""Within [0, 1]; or what the run's judge is to grade, as 1 or 0."""

Scorer: TypeAlias = Callable[[Any, str], Score | Awaitable[Score]]
"""What an answer is worth in a session; may be a coroutine function."""


class RubricScores(Struct, frozen=True, kw_only=True):
    """The scores of an answer."""

    known: Mapping[str, float]
    to_grade: Mapping[str, AnswerToGrade] = {}
    """Those that a judge has not given yet."""

    def graded(self, verdicts: tuple[bool | None, ...]) -> "RubricScores":
        """The scores with a judge's verdicts; one that it did not give is no score, and earns nothing."""
        given = zip(self.to_grade, verdicts, strict=True)
        return RubricScores(known={**self.known, **{name: float(said) for name, said in given if said is not None}})


class Rubric:
    """Scores answers.

    Args:
        scorers: by the name of what each says: `{"exact": ..., "short": ...}`.
        weights: of the scores in the reward, 1 unless stated; 0: only reported.
        judged: whether some leave the verdict to the run's judge.
        world: its name, for errors.

    Raises:
        UsageError: there is no scorer, or a weight is wrong.
    """

    def __init__(
        self, scorers: Mapping[str, Scorer], weights: Mapping[str, float] | None, *, judged: bool, world: str
    ) -> None:
        self._scorers = dict(scorers)
        self._weights = {**dict.fromkeys(scorers, 1.0), **(weights or {})}
        self._judged = judged
        if unknown := [name for name in self._weights if name not in self._scorers]:
            known = ", ".join(self._scorers) or "a rubric with a function"
            raise UsageError(f"{world}: weights: expected one of {known}, got {', '.join(unknown)}")
        if min(self._weights.values(), default=0) < 0 or sum(self._weights.values()) <= 0:
            raise UsageError(f"{world}: weights: expected each >= 0 and one > 0, got {self._weights}")

    async def score(self, session: Any, answer: str) -> RubricScores:
        """The scores of an answer.

        Raises:
            ValueError: one is outside of [0, 1], or for a judge that the world did not ask for: a bug of its function.
        """
        known: dict[str, float] = {}
        to_grade: dict[str, AnswerToGrade] = {}
        for name, scorer in self._scorers.items():
            score = await maybe_await(scorer(session, answer))
            if isinstance(score, AnswerToGrade):
                if not self._judged:
                    raise _bug(scorer, f"{name}: expected a number, got an AnswerToGrade; say judged=True")
                to_grade[name] = score
            elif isinstance(score, SupportsFloat) and 0 <= float(score) <= 1:  # a plug-in may return anything
                known[name] = float(score)
            else:
                raise _bug(scorer, f"{name}: expected a score within [0, 1], got {score!r:.100}")
        return RubricScores(known=known, to_grade=to_grade)

    def reward(self, scores: RubricScores) -> float:
        """The weighted mean; what is not known earns nothing."""
        earned = sum(weight * scores.known.get(name, 0.0) for name, weight in self._weights.items())
        return earned / sum(self._weights.values())


def _bug(scorer: Scorer, text: str) -> ValueError:
    error = ValueError(text)
    blame(error, scorer)
    return error


async def maybe_await(result: Any) -> Any:
    """What a function returned, awaited if it is a coroutine's."""
    return await result if inspect.isawaitable(result) else result
