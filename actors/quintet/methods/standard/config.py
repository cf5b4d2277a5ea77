"""Standard's configuration."""

from quintet.methods.react.config import ReactConfig


class StandardConfig(ReactConfig):
    """ReAct's configuration, so that the two differ in their thoughts alone."""
