"""What using a setting does: the mark in the type of every setting of ours that may be a text or a path."""

from enum import Enum


class Effect(Enum):
    """`chromium: Annotated[Path | None, Effect.RUNS]`. A resume of another's run lists all but the first."""

    NONE = ""
    """It is a word, or a text that is shown or sent; or a file that is only read."""
    RUNS = "run"
    """A program, with its words."""
    IMPORTS = "import"
    """A module, or a name that stands for one."""
    LOADS = "load"
    """A file or folder by which another library, or a browser, runs something."""
    COPIES = "copy, and send to its models, what was recorded in"
    """The folder of another run."""
    PASSES = "hand over"
    """Values to other code: a plug-in, an object in place of a name, another library."""
    CONTACTS = "send requests to"
    """An address, or the name of a provider."""
    VISITS = "send requests, with the secrets it names, to the addresses in"
    """A file of addresses, and of accounts at them."""
    REACHES = "run, or send requests to,"
    """A server, by a command with its words, or by an address."""
    SENDS = "send the secret in"
    """The environment variables of keys. They go to the addresses and servers of the same table."""
    PREPARES = "prepare every Ray host with"
    """What a host installs, has as variables, or runs in."""
