"""The studies that can be named on a command line."""

from collections.abc import Mapping

from actors.catalogue import one_of
from deploy.studies.adapt_dmax import ADAPT_DMAX
from deploy.studies.alfworld import ALFWORLD
from deploy.studies.autoplan import AUTOPLAN_STUDY
from deploy.studies.autoplan_batch import AUTOPLAN_BATCH
from deploy.studies.autoplan_reflection import AUTOPLAN_REFLECTION
from deploy.studies.definition import Study
from deploy.studies.demo import DEMO
from deploy.studies.errors import ERRORS
from protocols.errors import UsageError

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
