"""The expert method's configuration."""

from pydantic import BaseModel, ConfigDict, Field


class ExpertConfig(BaseModel):
    """The expert method's configuration."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    max_steps: int = Field(default=50, ge=1)
    """Actions after which it gives up."""
