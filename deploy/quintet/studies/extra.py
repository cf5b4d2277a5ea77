"""What the extra `plots` brings to draw with, asked for before anything is run."""

from importlib.util import find_spec

from quintet.errors import UsageError


def require_matplotlib() -> None:
    """Make sure that a picture can be drawn.

    Raises:
        UsageError: with the extra to install.
    """
    if find_spec("matplotlib") is None:
        raise UsageError(
            "picture: expected matplotlib, found none; install it with pip install 'quintet-agents[plots]', "
            "or leave the picture out with --no-picture"
        )
