"""Try Again's configuration."""

from pydantic import Field

from quintet.methods.base.options import MethodOptions
from quintet.ports.model import SamplingOverride


class TryAgainConfig(MethodOptions):
    """Try Again's configuration. Where an environment's defaults differ from these, `TryAgain.worlds` says so."""

    trials: int = Field(default=3, ge=1)
    """Attempts, the first included: ADaPT's `max_depth`. A full reward ends them."""

    temperature: float = Field(default=0.7, ge=0, allow_inf_nan=False)
    """Of the executor in every trial but the first, which is sampled as configured."""

    top_p: float = Field(default=1.0, gt=0, le=1, allow_inf_nan=False)
    """Of the same trials: the probability mass of nucleus sampling."""

    @property
    def sampling(self) -> SamplingOverride:
        """Of every trial but the first."""
        return SamplingOverride(temperature=self.temperature, top_p=self.top_p)
