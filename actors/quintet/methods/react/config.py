"""ReAct's configuration."""

from pydantic import Field

from quintet.methods.base.options import MethodOptions
from quintet.methods.react.demonstrations import Demonstrated


class ReactConfig(MethodOptions):
    """ReAct's configuration. Where an environment's defaults differ from these, `React.worlds` says so."""

    max_steps: int = Field(default=60, ge=1)
    """Budget of model calls; one call is one thought with its action. The default is ADaPT's limit for one branch of
    its recursion, `max_depth` times 20; inside another method it is 20."""

    patience: int = Field(default=5, ge=1)
    """Rejected or unreadable actions in a row after which it gives up."""

    max_repeats: int | None = Field(default=None, ge=2)
    """How often in a row the same action may get the same answer before it gives up; None: as often as it likes.
    Reflexion's released code has 3."""

    claims: bool = True
    """Whether it may say that the task is completed or failed. False: no prompt offers it, no example shows it, and no
    call asks for it."""

    demonstrations: Demonstrated | None = None
    """Which worked examples the executor sees, if the environment has several sets. `none`: no examples; `only`: the
    environment's only set; `atomic`: single skills; `hybrid`: single skills and the same two whole tasks for every
    task; `paper`: `hybrid` with ADaPT's six skills, which do not include finding; `task`: two whole tasks of the task's
    own type. None: the environment has one set."""
