"""A session's pages are kept, and served again without their site."""

from pathlib import Path

import pytest

from quintet.environments.webarena.recording.archive import read_recording
from quintet.environments.webarena.recording.record import record_session
from quintet.environments.webarena.recording.serve import NOT_RECORDED
from tests.actors.environments.webarena.live import named, tasks_file, world_of
from tests.actors.environments.webarena.loops import in_loop

pytestmark = pytest.mark.web

ACTIONS = ("goto [http://reddit.com/search]", "goto [http://reddit.com/forums]", "stop []")


def test_a_session_is_kept_and_played_again(tmp_path: Path) -> None:
    tasks, pages, actions = tasks_file(tmp_path, {}), tmp_path / "pages.zip", tmp_path / "actions"
    actions.write_text("\n".join(ACTIONS), encoding="utf-8")
    summary = record_session(task="webarena-0", out=pages, actions=actions, tasks=tasks)
    assert summary.notes[0] == "task webarena-0: 3 actions, reward 1"
    recording = read_recording(pages)
    assert [step.action for step in recording.steps] == ["", *ACTIONS]
    assert all(step.picture.startswith(b"\xff\xd8") for step in recording.steps)
    in_loop(_play_again)(tasks, pages, [step.observation for step in recording.steps])


async def _play_again(tasks: Path, pages: Path, seen: list[str]) -> None:
    async with world_of(tasks, pages=pages) as world:
        session = await world.open(named())
        assert "from a recording" in session.opening.setting.splitlines()[0]
        outcomes = [await session.step(action) for action in ACTIONS[:2]]
        assert [outcome.observation for outcome in outcomes] == seen[1:3]
        other = await session.step("goto [http://reddit.com/f/anything]")
        assert NOT_RECORDED in other.observation
        await session.step("go_back")
        assert (await session.step("stop []")).reward == 1.0
