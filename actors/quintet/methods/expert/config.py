"""The expert method's configuration."""

from pydantic import Field

from quintet.methods.base.options import MethodOptions


class ExpertConfig(MethodOptions):
    """The expert method's configuration."""

    max_steps: int = Field(default=1000, ge=1)
    """Actions after which it gives up: more than any known way has."""
