"""What an optimisation of prompts came to: the candidates, what was spent on what, and the best beside the start."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from quintet.prompt_optimizer.arms import REFLECTION, TEST
from quintet.prompt_optimizer.candidates import PromptCandidate, PromptCandidates
from quintet.prompt_optimizer.played import NewText
from quintet.prompt_optimizer.prompt_files import PROMPTS
from quintet.quota.cost import NOTHING, Cost
from quintet.reports.episodes import is_simulated
from quintet.reports.exports import cost_content
from quintet.reports.load import Report
from quintet.reports.text_tables import NONE, TextTable, number, plural, share
from quintet.runs.ends import RunStop
from quintet.runs.record import RunRecord
from quintet.runs.study_folder import PromptOptimization, StudyFolder
from quintet.studies.comparison import paired_test_content, paired_test_notes, paired_test_tables
from quintet.studies.comparison_arms import report_against


@dataclass(frozen=True)
class OptimizedPrompts:
    """How far an optimisation came."""

    folder: StudyFolder
    candidates: PromptCandidates
    """All of them, with what each came to in the tasks that it played."""
    written: Sequence[NewText]
    """What each reflection gave."""
    stop: RunStop

    @property
    def about(self) -> PromptOptimization:
        """What it was begun with."""
        assert self.folder.record.optimization is not None
        return self.folder.record.optimization

    @property
    def best(self) -> PromptCandidate:
        """The candidate with the greatest mean reward in the held-out tasks so far, of equal ones the first."""
        return self.candidates.best(self.about.held_out)

    def prompt_folders(self, candidate: PromptCandidate) -> Mapping[str, Path]:
        """The folders with a candidate's prompts, by the setting that names each; none of the start."""
        found = sorted((self.folder.path / PROMPTS / candidate.name).glob("*"))
        return {f"{folder.name}.prompts": folder for folder in found}

    @property
    def tables(self) -> list[TextTable]:
        """The candidates, what was spent, and the test of the best against the start."""
        tested = [] if self._tested is None else paired_test_tables(self._tested)
        return [self._candidates_table(), self._spending_table(), *tested]

    @property
    def notes(self) -> Iterator[str]:
        """Which candidate is the best and how to run it, and what is to be known of the figures."""
        yield self._best_note()
        if failed := [place for place, each in enumerate(self.written) if each.text is None]:
            first = f"{REFLECTION}-{failed[0] + 1}: {self.written[failed[0]].reason}"
            yield f"{len(failed)} of {plural(len(self.written), REFLECTION)} gave no text that can be used; {first}"
        for each in self.candidates:
            if each.unusable:
                yield f"{each.name} cannot be played, so that its reward is 0: {each.unusable}"
        if faulted := sum(played.faulted for each in self.candidates for played in each.played.values()):
            yield f"{plural(faulted, 'episode')} faulted, and count as a reward of 0"
        if any(is_simulated(record.model) for record in self._records):
            yield (
                "a simulated model follows no instructions: another text changes its answers only where it names the "
                "right action, so these figures say nothing of the prompts"
            )
        if self._tested is not None:
            yield from paired_test_notes(self._tested)

    @property
    def content(self) -> Mapping[str, Any]:
        """All of it for programs."""
        return {
            "candidates": [
                {
                    "name": each.name,
                    "from": None if each.parent is None else f"c{each.parent}",
                    "rewritten": each.rewritten or None,
                    "training": self._training(each),
                    "training_tasks": len(self._trained(each)),
                    "held_out": each.mean(self.about.held_out),
                    "test": each.mean(self.about.test),
                    "unusable": each.unusable or None,
                    "texts": dict(each.texts),
                }
                for each in self.candidates
            ],
            "best": self.best.name,
            "prompts": {key: str(folder) for key, folder in self.prompt_folders(self.best).items()},
            "reflections": [{"text": each.text, "reason": each.reason or None} for each in self.written],
            "spent": {purpose: {"runs": runs, **cost_content(cost)} for purpose, (runs, cost) in self._spent.items()},
            "tests": [] if self._tested is None else paired_test_content(self._tested),
            "ended": self.stop.ended,
        }

    def _candidates_table(self) -> TextTable:
        rows = tuple(
            (
                f"{each.name} *" if each is self.best else each.name,
                "start" if each.parent is None else f"c{each.parent}",
                each.rewritten or NONE,
                _reward(self._training(each)),
                str(len(self._trained(each))),
                _reward(each.mean(self.about.held_out)),
                _reward(each.mean(self.about.test)),
            )
            for each in self.candidates
        )
        tasks = f"{plural(len(self.about.held_out), 'held-out task')}, {plural(len(self.about.test), 'test task')}"
        title = f"Mean reward x 100 of each candidate ({tasks}; * the best in held-out tasks)"
        return TextTable(title, ("", "from", "rewritten", "training", "n", "held out", "test"), rows, left=3)

    def _spending_table(self) -> TextTable:
        rows = tuple(
            (purpose, str(runs), f"{cost.calls:,}", f"{cost.tokens:,}", number(cost.usd, ".2f"))
            for purpose, (runs, cost) in self._spent.items()
        )
        return TextTable("Spent", ("", "runs", "calls", "tokens", "USD"), rows)

    def _best_note(self) -> str:
        best = self.best
        if best is self.candidates.start:
            return "no candidate has a greater mean reward in the held-out tasks than the start"
        named = " ".join(f"--set {key}={folder}" for key, folder in self.prompt_folders(best).items())
        return f"best in held-out tasks: {best.name}; to run with its prompts: {named}"

    def _trained(self, candidate: PromptCandidate) -> list[float]:
        return [candidate.played[task].reward for task in self.about.training if task in candidate.played]

    def _training(self, candidate: PromptCandidate) -> float | None:
        rewards = self._trained(candidate)
        return fmean(rewards) if rewards else None

    @cached_property
    def _records(self) -> list[RunRecord]:
        return [arm.record for arm in self.folder.arms().values()]

    @cached_property
    def _spent(self) -> Mapping[str, tuple[int, Cost]]:
        """By purpose, how many runs there were, and what they spent."""
        found = {"candidates": (0, NOTHING), "reflections": (0, NOTHING), TEST: (0, NOTHING)}
        for name, arm in self.folder.arms().items():
            of_candidate = TEST if name.endswith(f"-{TEST}") else "candidates"
            purpose = "reflections" if name.startswith(f"{REFLECTION}-") else of_candidate
            runs, cost = found[purpose]
            found[purpose] = runs + 1, cost + arm.spent()
        return found

    @cached_property
    def _tested(self) -> Report | None:
        """The test runs of the start and the best, if there are two."""
        start, best = self.candidates.start, self.best
        if best is start or best.mean(self.about.test) is None:
            return None
        theirs, ours = (self.folder.arm_path(f"{each.name}-{TEST}") for each in (start, best))
        return report_against([theirs, ours], theirs.name)


def _reward(mean: float | None) -> str:
    return NONE if mean is None else share(mean)
