"""`doctor`: what a run could use on this machine, and what it would lack."""

import json as json_text
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from quintet.cli.console import console
from quintet.cli.flags import Switch
from quintet.errors import UsageError, one_line
from quintet.plugins import catalogue
from quintet.plugins.extras import require_extra
from quintet.reports.text_tables import TextTable, print_tables
from quintet.runs.files import check_locks, refuse_network_file_system

_FEW_FILES = 4_096
"""Open files below which a run of a thousand calls at a time is refused connections. Each call takes one."""
_FEW_BYTES = 10**9
"""Free bytes of a disk below which a long run may stop: ten thousand episodes write about half."""
_DOCKER_SECONDS = 20.0
_PROGRAMS = {"Kubernetes": "kubectl", "Slurm": "sbatch", "SkyPilot": "sky"}
"""What the recipes are submitted with."""


class Finding(NamedTuple):
    """Whether something can be used here."""

    what: str
    works: bool
    text: str
    """How far, or why not."""


def doctor_command(folder: Path = Path("runs"), *, ray_address: str | None = None, json: Switch = False) -> None:
    """Say what works on this machine: cores, files, disk, locks, Ray, worlds, docker, what recipes are submitted with.

    Nothing is changed, installed or paid. It ends with 0 whatever it finds, since no run needs all of it.

    Args:
        folder: Where runs are to be kept; it need not exist.
        ray_address: Also look whether this cluster answers, and has the versions of here: HOST:PORT, or `auto`.
        json: For programs.
    """
    found = [_cores(), _files(), _disk(folder), _locks(folder), *_ray(ray_address), *_worlds(), _docker(), *_programs()]
    if json:
        print(json_text.dumps([finding._asdict() for finding in found], indent=2))
        return
    rows = tuple((finding.what, "yes" if finding.works else "no", finding.text) for finding in found)
    title = f"quintet {version('quintet-agents')}, Python {sys.version.split()[0]}"
    print_tables([TextTable(title, ("what", "works", ""), rows, left=3)], console())


def _checked(what: str, look: Callable[[], str]) -> Finding:
    """What `look` says; its `UsageError` is why something does not work."""
    try:
        return Finding(what, True, look())
    except UsageError as error:
        return Finding(what, False, one_line(error))


def _cores() -> Finding:
    cores = os.cpu_count() or 1
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else cores
    return Finding("cores", True, f"{ours} of {cores} may be used; a driver uses one")


def _files() -> Finding:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY:
        return Finding("open files", True, "no limit")
    advice = "" if hard >= _FEW_FILES else f"; expected {_FEW_FILES:,} (ulimit -Hn), since a call in flight takes one"
    return Finding("open files", hard >= _FEW_FILES, f"{hard:,} at most{advice}")


def _disk(folder: Path) -> Finding:
    def look() -> str:
        refuse_network_file_system(folder)
        there = _nearest(folder)
        if not os.access(there, os.W_OK):
            raise UsageError(f"expected a folder that can be written, got one that cannot ({there})")
        free = shutil.disk_usage(there).free
        if free < _FEW_BYTES:
            raise UsageError(f"expected {_FEW_BYTES / 1e9:.0f} GB free, got {free / 1e9:.1f} ({there})")
        return f"a local disk with {free / 1e9:,.0f} GB free"

    return _checked(f"runs in {folder}", look)


def _nearest(folder: Path) -> Path:
    """The folder itself if it exists, or else the first above it that does."""
    return next(each for each in (folder.absolute(), *folder.absolute().parents) if each.exists())


def _locks(folder: Path) -> Finding:
    def look() -> str:
        check_locks(_nearest(folder))
        return "one driver at a time writes in a run"

    return _checked("file locks", look)


def _ray(address: str | None) -> Iterator[Finding]:
    def installed() -> str:
        require_extra("ray", "ray", "Ray")
        return f"Ray {version('ray')}"

    def dashboard() -> str:
        if find_spec("aiohttp_cors") is None:  # what Ray's own command looks for
            raise UsageError("expected ray[default], got ray without it; pip install 'quintet-agents[ray]'")
        return "a run on Ray says its address"

    def cluster() -> str:
        from quintet.cluster.join import find
        from quintet.cluster.nodes import check_cluster

        head = find(str(address))
        return f"a head answers at {head}: {check_cluster(head)}, as here"

    ray = _checked("Ray", installed)
    yield ray
    if ray.works:
        yield _checked("Ray's dashboard", dashboard)
        if address is not None:
            yield _checked(f"Ray at {address}", cluster)


def _worlds() -> Iterator[Finding]:
    for name in catalogue.names("environment"):
        if catalogue.name_option("environment", name) is not None:
            continue  # which world it is, the name that follows says

        def look(name: str = name) -> str:
            if why := catalogue.world(name).lacking():
                raise UsageError(why)
            return ""

        yield _checked(f"environment {name}", look)


def _docker() -> Finding:
    def look() -> str:
        if shutil.which("docker") is None:
            raise UsageError("expected docker, got none; the image is built elsewhere")
        try:
            asked = ["docker", "info", "--format", "{{.ServerVersion}}"]
            done = subprocess.run(asked, capture_output=True, text=True, timeout=_DOCKER_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"docker: {one_line(error)}") from error
        if done.returncode:
            raise UsageError(f"docker: {done.stderr.strip() or 'no daemon answers'}")
        return f"docker {done.stdout.strip()}"

    return _checked("image builder", look)


def _programs() -> Iterator[Finding]:
    for what, program in _PROGRAMS.items():
        place = shutil.which(program)
        yield Finding(what, place is not None, place or f"expected {program}, got none; submit from where it is")
