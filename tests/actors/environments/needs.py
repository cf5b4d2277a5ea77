"""What worlds need that is not everywhere, as marks: a browser, a sandbox, a package."""

from collections.abc import Mapping, Sequence
from typing import Final

import pytest

from tests.actors.environments.bfcl.installed import needs_package as needs_bfcl
from tests.actors.environments.miniwob.installed import needs_package as needs_miniwob
from tests.actors.environments.scienceworld.installed import needs_simulator
from tests.actors.environments.shell.sandboxes import NEEDS_SANDBOX
from tests.actors.environments.tau2.installed import needs_package as needs_tau2

NEEDS: Final[Mapping[str, Sequence[pytest.MarkDecorator]]] = {
    "webarena": (pytest.mark.web,),
    "shell": (NEEDS_SANDBOX,),
    "bfcl": (needs_bfcl,),
    "tau2": (needs_tau2,),
    "miniwob": (pytest.mark.web, needs_miniwob),
    "scienceworld": (needs_simulator,),
}
"""By world; others need nothing."""
