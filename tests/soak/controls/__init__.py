"""Negative controls: broken runtimes that the soak must find. One that it does not find is a hole in the soak."""

from tests.soak.controls.journal import JOURNAL
from tests.soak.controls.limits import LIMITS
from tests.soak.controls.memory import MEMORY
from tests.soak.controls.messages import MESSAGES
from tests.soak.controls.paths import PATHS

CONTROLS = (*JOURNAL, *MESSAGES, *LIMITS, *PATHS, *MEMORY)
