"""The studies that can be named on a command line."""

from collections.abc import Mapping

from quintet.errors import UsageError
from quintet.plugins.catalogue import one_of
from quintet.studies.adapt_dmax import ADAPT_DMAX
from quintet.studies.alfworld import ALFWORLD
from quintet.studies.autoplan import AUTOPLAN_STUDY
from quintet.studies.autoplan_batch import AUTOPLAN_BATCH
from quintet.studies.autoplan_reflection import AUTOPLAN_REFLECTION
from quintet.studies.definition import Study
from quintet.studies.demo import DEMO
from quintet.studies.errors import ERRORS

STUDIES: Mapping[str, Study] = {
    study.name: study
    for study in (DEMO, ERRORS, ADAPT_DMAX, ALFWORLD, AUTOPLAN_STUDY, AUTOPLAN_BATCH, AUTOPLAN_REFLECTION)
}


def study(name: str) -> Study:
    """The study called `name`.

    Raises:
        UsageError: there is none.
    """
    if name not in STUDIES:
        raise UsageError(f"study: expected {one_of(STUDIES, name)}, got {name!r}")
    return STUDIES[name]
