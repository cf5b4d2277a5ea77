"""Real deaths: processes on real run folders, killed around their commits, before a real endpoint that may die too."""

import os

from tests.soak.forking import check_in
from tests.soak.scenario import Kind, Verdict


def check(seed: int) -> Verdict:
    """Play a scenario."""
    return check_in("tests.soak.process.nursery", seed)


def missing() -> str:
    """Why it cannot run here."""
    return "" if hasattr(os, "pidfd_open") else "it needs Linux's pidfd_open"


KIND = Kind("process", check, weight=8, missing=missing)
