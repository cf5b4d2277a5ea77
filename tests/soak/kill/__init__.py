"""Cheap real deaths: forked processes that run a real run folder by themselves, with a model in the process."""

import os

from tests.soak.forking import check_in
from tests.soak.scenario import Kind, Verdict


def check(seed: int) -> Verdict:
    """Play a scenario."""
    return check_in("tests.soak.kill.nursery", seed)


def missing() -> str:
    """Why it cannot run here."""
    return "" if hasattr(os, "fork") else "it needs fork"


KIND = Kind("kill", check, weight=640, missing=missing)
