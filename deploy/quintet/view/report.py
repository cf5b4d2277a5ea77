"""The report of a run or a study, as long as its files stay as they are."""

from functools import lru_cache
from pathlib import Path

from quintet.reports.load import Report, load_report
from quintet.view.folder import FileTimes, file_times

_KEPT = 4
"""Runs and studies that were read and not looked at again since."""


def read_report(path: Path) -> Report:
    """The report of a run or a study, with all its episodes. It is read again only if a file of it has changed."""
    return _read_report(path, file_times(path))


@lru_cache(maxsize=_KEPT)
def _read_report(path: Path, _times: FileTimes) -> Report:
    return load_report([path])
