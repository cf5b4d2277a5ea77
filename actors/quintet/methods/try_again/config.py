"""Try Again's configuration."""

from pydantic import BaseModel, ConfigDict, Field

from quintet.methods.react.demonstrations import Demonstrated
from quintet.ports.model import SamplingOverride


class TryAgainConfig(BaseModel):
    """Try Again's configuration. Where an environment's defaults differ from these, `TryAgain.worlds` says so."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    trials: int = Field(default=3, ge=1)
    """Runs of the executor, the first included: ADaPT's `max_depth`. A full reward ends them."""

    executor_calls: int = Field(default=20, ge=1)
    """Budget of model calls of every trial; one call is one thought with its action."""

    patience: int = Field(default=5, ge=1)
    """Rejected or unreadable actions in a row after which a trial gives up."""

    temperature: float = Field(default=0.7, ge=0, allow_inf_nan=False)
    """Of every trial but the first, which is sampled as the executor is configured."""

    top_p: float = Field(default=1.0, gt=0, le=1, allow_inf_nan=False)
    """Of the same trials: the probability mass of nucleus sampling."""

    demonstrations: Demonstrated | None = None
    """Which worked examples the executor sees; the sets are ReAct's. None: the environment has one set."""

    @property
    def sampling(self) -> SamplingOverride:
        """Of every trial but the first."""
        return SamplingOverride(temperature=self.temperature, top_p=self.top_p)
