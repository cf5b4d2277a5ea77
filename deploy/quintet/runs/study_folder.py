"""A study folder, to look at: its arms, written down first, and a run folder for each."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from quintet.config.sections import RunConfig
from quintet.errors import UsageError
from quintet.quota.cost import Cost, total
from quintet.runs.blame_record import BlameRecord
from quintet.runs.files import usable_folder
from quintet.runs.folder import Written, read_record
from quintet.runs.record import RUN_RECORD, CodeRecord
from quintet.runs.run_folder import RunFolder

STUDY_RECORD = "study.json"
ARMS = "arms"
"""The folder of its arms."""


def arm_name(name: str) -> str:
    """The name of an arm, which is a part of a path, or a `ValueError`."""
    if not re.fullmatch(r"[\w\-](?:[\w.\-():=,+]| (?! |$)){,99}", name):
        expected = "at most 100 letters, digits, single spaces and characters of '-_.():=,+'"
        raise ValueError(f"expected {expected}, got {name[:100]!r}")
    return name


class ArmVersion(BaseModel):
    """One of the versions that an arm learns."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    arm: str
    version: int


class PromptOptimization(BaseModel):
    """What the optimisation of a method's prompts was begun with; its candidates and reflections are the arms."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    package: str
    """The version of GEPA's package, whose choices a resume repeats."""
    prompts: Mapping[str, str]
    """By name, the texts that it began with: `execute`, and of an inner method `INNER/execute`."""
    played: RunConfig
    """What candidates are played under, but for their tasks and prompts."""
    reflecting: RunConfig
    """What a reflection is run under, but for what it is about."""
    training: tuple[str, ...]
    held_out: tuple[str, ...]
    """What candidates are compared by."""
    test: tuple[str, ...]
    """What the start and the best are measured by, at the end."""
    batch: int
    """Training tasks of a reflection."""
    iterations: int
    """How many reflections there are at most."""
    ended: bool = False
    """Whether no further arm follows."""


class StudyRecord(Written):
    """The content of `study.json`."""

    quintet: Literal["study"] = "study"
    definition: Mapping[str, Any]
    """What the study is, as JSON (`recorded_study`): reports and pictures read it here, whatever is installed."""
    reference: str
    """The arm or version that the others are compared with."""
    arms: Mapping[Annotated[str, AfterValidator(arm_name)], RunConfig]
    """In order."""
    given: Mapping[str, str] = {}
    """By arm, the earlier arm whose run learns what this one is given; it is looked for when this one begins."""
    versions: Mapping[str, ArmVersion] = {}
    """What is shown as further arms, by name."""
    code: tuple[CodeRecord, ...] = ()
    """The user's objects that the arms were brought in place of names."""
    optimization: PromptOptimization | None = None
    blame: BlameRecord | None = None
    """At most one of both is there. None of them: its arms were all known when it began, and nothing follows from
    them."""

    @property
    def growth(self) -> PromptOptimization | BlameRecord | None:
        """What further arms follow from; None: from nothing."""
        return self.optimization or self.blame

    @property
    def configurations(self) -> tuple[RunConfig, ...]:
        """Those of its arms, and of those that may follow from them."""
        match self.growth:
            case PromptOptimization(played=played, reflecting=reflecting):
                return (*self.arms.values(), played, reflecting)
            case BlameRecord(continued=continued):
                return (*self.arms.values(), continued)
            case None:
                return tuple(self.arms.values())


class StudyFolder:
    """One study on disk."""

    def __init__(self, path: Path, record: StudyRecord) -> None:
        self.path = path
        self.record = record

    @classmethod
    def open_to_read(cls, path: Path) -> "StudyFolder":
        """A study to look at."""
        return cls(path, read_record(path / STUDY_RECORD, StudyRecord))

    @property
    def grows(self) -> bool:
        """Whether further arms may follow from those that it has."""
        about = self.record.growth
        return about is not None and not about.ended

    def arm_path(self, arm: str) -> Path:
        """The run folder of an arm; not there before the arm begins."""
        return self.path / ARMS / arm

    def begun(self, arm: str) -> bool:
        """Whether the arm has a run to go on with or to look at."""
        return (self.arm_path(arm) / RUN_RECORD).is_file()

    def arms(self) -> dict[str, RunFolder]:
        """The arms that have begun, to look at, in order."""
        return {arm: RunFolder.open_to_read(self.arm_path(arm)) for arm in self.record.arms if self.begun(arm)}


def study_of(run: Path) -> Path | None:
    """The study of whose arms a run is one, by its folder; None: it is no arm."""
    study = run.absolute().parent.parent
    return study if run.absolute().parent.name == ARMS and (study / STUDY_RECORD).is_file() else None


def spent_by_other_arms(run: Path) -> Cost | None:
    """What the other arms of a run's study have spent, reservations included; None: the run is no arm of a study.

    Args:
        run: its folder.

    Raises:
        UsageError: the journal of one cannot be read.
    """
    study = study_of(run)
    if study is None:
        return None
    arms = StudyFolder.open_to_read(study).arms()
    return total(folder.spent() for arm, folder in arms.items() if arm != run.name)


def open_any(path: Path) -> RunFolder | StudyFolder:
    """A run or a study to look at."""
    with usable_folder(path, verb="read"):
        found = {record for record in (STUDY_RECORD, RUN_RECORD) if (path / record).is_file()}
        is_folder = path.is_dir()
    if not is_folder:
        raise UsageError(f"run folder: expected a folder, found none ({path})")
    if STUDY_RECORD in found:
        return StudyFolder.open_to_read(path)
    if RUN_RECORD not in found:
        raise UsageError(f"run folder: expected {RUN_RECORD} or {STUDY_RECORD} in it, found neither ({path})")
    return RunFolder.open_to_read(path)
