"""Browsers that die: runs on WebArena's own sites whose real Chromium, driver or guard is killed at a drawn commit."""

import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from quintet.environments.webarena.host_browser import HostBrowser
from quintet.testing.content import Content
from tests.actors.environments.webarena.browser.processes import Process, below, left_of
from tests.soak.process.dying import strike
from tests.soak.process.found import COMMITS, find
from tests.soak.process.life import BROKEN, LifePlan, play_life
from tests.soak.process.nursery import own_nursery
from tests.soak.scenario import Kind, Verdict

_TASKS: Final = ("webarena-1000", "webarena-1001", "webarena-1009")
_PARTS: Final = ("chromium", "driver", "guard")
_SECONDS: Final = 300.0


def check(seed: int) -> Verdict:
    """Follow a task's walk in a browser that dies, and compare with a browser that lives."""
    chance = Random(f"browser {seed}")
    task, part, share = chance.choice(_TASKS), chance.choice(_PARTS), chance.random()
    whole, commits = _undisturbed(task)
    folder = own_nursery().new_folder(f"browser-{seed}")
    code, deaths, left = _play(task, folder, 1 + int(share * commits), part)
    file, got = folder / BROKEN, _content(folder)
    broken = [f"processes: expected none of the browser left, got {each}" for each in left]
    broken += sorted(set(file.read_text().splitlines())) if file.exists() else ()
    if code:
        broken.append(f"result: expected exit code 0, got {code}")
    if got != whole:
        other = sorted(place for place in {*got, *whole} if got.get(place) != whole.get(place))
        broken.append(f"content: expected that of the undisturbed run, got other events at {other[:3]}")
    shutil.rmtree(folder)
    drawn = {"method": "expert", "world": "webarena", "placement": "local", "fault": f"SIGKILL of a browser's {part}"}
    return Verdict(kind="browser", seed=seed, drawn=drawn, deaths=deaths, broken=tuple(broken))


@cache
def _undisturbed(task: str) -> tuple[Content, int]:
    folder = own_nursery().new_folder(f"whole-{task}")
    code, _, _ = _play(task, folder, 0, "")
    assert not code, (task, code)
    return _content(folder), int((folder / COMMITS).read_text())


def _play(task: str, folder: Path, kill_at: int, part: str) -> tuple[int, int, Sequence[str]]:
    """The exit code, how many processes were killed, and what of the browsers was left."""
    words = ("eval", "expert", "webarena", "--tasks", task, "--out", str(folder / "run"))
    plan = LifePlan(words=words, folder=str(folder), notify=(kill_at,) if kill_at else ())
    family: list[Process] = []
    victims: list[int] = []

    def kill_part(run: int) -> None:
        family.extend(below(run))
        victims.extend([each.number for each in family if each.is_a(part)][:1])
        for victim in victims:
            strike("SIGKILL", victim)

    ending = play_life(plan, _SECONDS, kill_part)
    return ending.code, len(victims), [each.command[:100] for each in left_of(family)]


def _content(folder: Path) -> Content:
    return find(folder / "run", folder).content


def missing() -> str:
    """Why it cannot run here."""
    try:
        return HostBrowser().lacking()
    except ImportError as error:
        return f"it needs {error.name}: pip install quintet-agents[web]"


KIND = Kind("browser", check, weight=1, missing=missing)
