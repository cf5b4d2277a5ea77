"""The random method's configuration."""

from pydantic import Field

from quintet.methods.base.options import MethodOptions


class RandomConfig(MethodOptions):
    """The random method's configuration."""

    max_steps: int = Field(default=50, ge=1)
    """Actions after which it gives up."""
