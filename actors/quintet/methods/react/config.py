"""What can be set of ReAct."""

from pydantic import BaseModel, ConfigDict, Field

from quintet.methods.react.demonstrations import Demonstrated


class ReactConfig(BaseModel):
    """ReAct's configuration. Where an environment's defaults differ from these, `React.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    max_steps: int = Field(default=60, ge=1)
    """Budget of model calls; one call is one thought with its action. The default is what ADaPT may spend on one branch
    of its recursion at most: its `max_depth` times its `executor_calls`."""

    patience: int = Field(default=5, ge=1)
    """Rejected or unreadable actions in a row after which it gives up."""

    demonstrations: Demonstrated | None = None
    """Which worked examples the executor is shown, where the environment has several sets of them. `atomic`: single
    skills; `hybrid`: single skills and two whole tasks, whatever the task; `paper`: the same with ADaPT's six skills,
    of which finding is none; `task`: two whole tasks of its own type. None: the environment has one set."""
