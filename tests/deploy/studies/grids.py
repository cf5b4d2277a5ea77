"""Grids of methods, models and seeds written by hand, with known results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from quintet.config.settings import from_assignments
from quintet.runs.study_folder import StudyFolder
from quintet.studies.arms import prepare_arms
from quintet.studies.definition import Study
from quintet.studies.run import create
from tests.deploy import samples
from tests.deploy.samples import Went
from tests.deploy.studies.compared import TASKS

TEXTCRAFT = {"environment": {"name": "textcraft"}, "run": {"tasks": list(TASKS)}}
"""The world and the tasks of a grid."""


def grid(**fields: Any) -> Study:
    """A study with a grid of two methods and two models, with two seeds, or with other fields."""
    axes = {"method": ["react", "standard"], "model": ["sim-weak", "sim-strong"]}
    return msgspec.convert({"name": "g", "common": TEXTCRAFT, "grid": axes, "seeds": 2, **fields}, Study)


def write_grid(path: Path, study: Study, arms: Mapping[str, Mapping[str, Went]], *settings: str) -> StudyFolder:
    """A study in a new folder, whose arms have these results by the names of their runs; the others have not begun."""
    with create(study, prepare_arms(study, [from_assignments(settings)]), path) as folder:
        for arm, went in arms.items():
            with folder.create_arm(arm) as run:
                samples.journal(run, went)
    return StudyFolder.open_to_read(path)
