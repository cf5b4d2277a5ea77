"""What several sections have: their base, and the types of paths, counts, names and addresses."""

from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


class Section(BaseModel):
    """A table of the file. Frozen; refuses keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def expand_path(path: Path) -> Path:
    """The path with `~` and `~user` in full; a `ValueError` if there is no such user, or the text is no path."""
    if "\0" in str(path):
        raise ValueError("expected a path without null characters")
    try:
        return path.expanduser()
    except RuntimeError as error:
        raise ValueError("expected a path below a known home folder") from error


def _absolute(path: Path) -> Path:
    try:
        return expand_path(path).absolute()
    except OSError as error:
        raise ValueError("expected an absolute path, since the working directory is gone") from error


AbsolutePath = Annotated[Path, AfterValidator(_absolute)]
"""Given relative to the working directory; kept absolute, so that a run resumes from anywhere."""


PlaceOfVersion = Annotated[str, AfterValidator(lambda place: str(_absolute(Path(place))))]
"""`RUN[@VERSION]` or `FILE[@VERSION]`, read by `quintet.memory.place`; kept absolute."""

Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
HostCount = Annotated[int, Field(ge=1, le=10_000)]
Unsettable = Annotated[Annotated[str, Field(max_length=200)] | None, AfterValidator(lambda name: name or None)]
"""A name or None; empty text means None: `--set runtime.quota=`."""


AUTO: Final = "auto"
"""The address of the cluster that Ray itself would find: `RAY_ADDRESS`, or one that runs on this machine."""


def host_and_port(address: str) -> tuple[str, str]:
    """The parts of `HOST:PORT`, or a `ValueError`."""
    if "://" in address:
        hint = "Ray Client is not supported: start on a node of the cluster, or submit a Ray job"
        raise ValueError(f"expected HOST:PORT or {AUTO} ({hint})")
    host, _, port = address.rpartition(":")
    if not host or not host.isprintable() or not port.isdecimal():
        raise ValueError(f"expected HOST:PORT or {AUTO}")
    return host.strip("[]"), port


def _ray_address(address: str | None) -> str | None:
    if address not in (None, AUTO):
        host_and_port(address)
    return address


RayAddress = Annotated[Unsettable, AfterValidator(_ray_address)]
Dollars = Annotated[float, Field(gt=0, le=1e9)]
