"""Calls of learners, judges and value functions by batches: answered as they are without, and killed."""

import asyncio
import json
from collections.abc import Sequence
from contextlib import closing
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from quintet.events import CallMade
from quintet.journal.reader import JournalReader
from quintet.runs.run_folder import RunFolder
from tests.command import printed
from tests.deploy.batches.providers import BatchServer, Hold, batch_server
from tests.deploy.batches.test_runs import QUICK, kill_and_resume

pytestmark = pytest.mark.real_time


def sets(*settings: str) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


CALLERS: dict[str, Sequence[str]] = {
    "learner and judge": (
        *("optimize", "autoplan", "hotpotqa", "--tasks", "1"),
        *sets("learning.tasks=2", "learning.batch=2", "model.judge.name=judge"),
    ),
    "values": (
        *("eval", "search", "hotpotqa", "--tasks", "2"),
        *sets("method.nodes=4", "method.candidates=3", "method.samples=2", 'model.executor.omit=["n"]'),
        *sets("model.reflector.name=marks", "model.reflector.temperature=0.5"),
    ),
}
"""Runs in which each of them has a model of that name, or else `m`."""


def said_of(body: dict[str, Any]) -> str:
    """An answer of any role, by what it was asked; a mark or a verdict by the models of these names."""
    draw = body.get("seed") if body["model"] == "m" and body["temperature"] else None
    digest = sha256(json.dumps([body["messages"], draw]).encode()).hexdigest()[:8]
    match body["model"]:
        case "judge":
            return ("NO", "YES")[int(digest, 16) % 2]
        case "marks":
            return f"Mark: {1 + int(digest, 16) % 9}"
        case _:
            action = "search" if draw and int(digest, 16) % 4 else "finish"
            return f"Thought: {digest}.\nAction: {action}[{digest}]\nPlan: {digest}"


def run_of(caller: str, server: BatchServer, out: Path, *words: str) -> tuple[str, ...]:
    return (*CALLERS[caller], "--model", "m", "--model-url", server.url, "--out", str(out), *words)


def content_of(folder: Path) -> list[tuple[str, object, str]]:
    """What was asked and answered at each place of a run."""
    with closing(JournalReader.open(RunFolder.open_to_read(folder).journal)) as reader:
        calls = [record.event for record in reader.records() if isinstance(record.event, CallMade)]
        return sorted((call.path, reader.prompt(call.path), call.completion.text) for call in calls)


KILLS = {
    "before its name is known": ("POST /v1/batches", 1, True),
    "before it is collected": ("GET /v1/files/output-0/content", 1, False),
}
"""See `Hold`."""
KILLED = {
    "values": ("values", "reflector"),
    "learner": ("learner and judge", "reflector"),
    "judge": ("learner and judge", "judge"),
}
"""The runs that are killed, and the role whose calls alone go by batches."""


@pytest.mark.slow
@pytest.mark.parametrize(("killed", "place"), list(product(KILLED, KILLS)))
async def test_killed_while_a_batch_of_theirs_is_on_its_way_they_submit_nothing_twice_and_end_as_undisturbed(
    killed: str, place: str, tmp_path: Path
) -> None:
    caller, role = KILLED[killed]
    with batch_server() as server:
        server.says = said_of
        words = run_of(caller, server, tmp_path / "run", "--set", f"model.{role}.batch=true", *QUICK)
        await kill_and_resume(server, Hold(*KILLS[place]), tmp_path / "run", *words)
        assert set(server.submitted.values()) == {1}
        await asyncio.to_thread(printed, *run_of(caller, server, tmp_path / "undisturbed"))
    assert content_of(tmp_path / "run") == content_of(tmp_path / "undisturbed")


@pytest.mark.parametrize("caller", CALLERS)
def test_their_calls_are_answered_by_batches_as_they_are_without(caller: str, tmp_path: Path) -> None:
    with batch_server() as server:
        server.says = said_of
        printed(*run_of(caller, server, tmp_path / "without"))
        assert not server.batches
        server.heard.clear()
        printed(*run_of(caller, server, tmp_path / "batches", "--set", "model.batch=true", *QUICK))
    assert not any("/chat/completions" in line for line in server.heard)
    expected, found = content_of(tmp_path / "without"), content_of(tmp_path / "batches")
    assert found == expected
    asked = [request["body"] for batch in server.batches for request in batch["requests"]]
    assert sum(body.get("n", 1) for body in asked) == len(found)
    if caller == "values":
        marks = [text for *_, text in found if text.startswith("Mark")]
        assert len(set(marks)) > 2
        assert [body["n"] for body in asked if body["model"] == "marks"] == [2] * (len(marks) // 2)
    else:
        assert sum(path.startswith("~learn/") for path, *_ in found) == 2 * 3 + 1, "reflections of three parts, a plan"
        assert sum(text in ("YES", "NO") for *_, text in found) == 4, "of two tasks to learn from, and one by each plan"
        assert (tmp_path / "batches" / "plan.md").read_text() == (tmp_path / "without" / "plan.md").read_text()
