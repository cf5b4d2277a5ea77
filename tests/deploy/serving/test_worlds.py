"""The worlds that a served stand-in makes for its clients, who may be other users of the machine."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from quintet.config.sections import EnvironmentSection
from quintet.messages.execution import Decide
from quintet.models.endpoint.questions import QUESTION_FIELD, encode_question
from quintet.plugins import catalogue
from quintet.ports.model import Asked
from quintet.ports.world import PlayedWorld
from quintet.serving.models import served_models
from quintet.trust.approvals import approve
from quintet.trust.side_effects import environment_effects
from tests.deploy.serving.test_endpoint import serving
from tests.deploy.trust.strangers import Traps, nothing_is_approved, set_traps

pytestmark = pytest.mark.real_time


@pytest.fixture
def traps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Traps]:
    with set_traps(tmp_path / "traps", monkeypatch) as found:
        nothing_is_approved(tmp_path / "state", monkeypatch)
        yield found


async def _asked_about(world: str, options: Mapping[str, Any]) -> tuple[int, str]:
    """The status and the text of the answer to a question about a world."""
    named = PlayedWorld(catalogue.world("textcraft"), options)
    question = json.loads(
        encode_question(Asked(question="decision", about=Decide(setting="", goal="go"), world=named), with_options=True)
    )
    body = {
        "model": "sim",
        "messages": [{"role": "user", "content": "go"}],
        "metadata": {QUESTION_FIELD: json.dumps({**question, "world": world})},
    }
    async with (
        serving(served_models("sim")) as url,
        aiohttp.ClientSession() as session,
        session.post(f"{url}/chat/completions", json=body) as answer,
    ):
        return answer.status, await answer.text()


@pytest.mark.parametrize(
    ("world", "option", "does"),
    [
        ("gym", "id", "import"),
        ("webarena", "chromium", "run"),
        ("webarena", "reset", "run"),
        ("webarena", "sites", "send requests, with the secrets it names, to the addresses in"),
        ("alfworld", "data", "load"),
        ("their-environments", "name", "import"),
    ],
)
async def test_a_world_that_would_do_more_than_read_is_refused_and_nothing_is_done(
    world: str, option: str, does: str, traps: Traps
) -> None:
    value = {"id": "trap_module:Trap", "sites": str(traps.file("sites.toml"))}.get(option, str(traps.program))
    status, said = await _asked_about(world, {option: value})
    traps.expect_untouched()
    assert status == 400
    assert f"expected one of a run that the server's user started, got one that would\\n  {does} " in said
    assert f"(environment.{option})" in said


async def test_a_world_under_options_with_which_its_user_started_a_run_is_made(traps: Traps) -> None:
    approve(environment_effects(EnvironmentSection.model_validate({"name": "gym", "id": "trap_module:Trap"})))
    assert "trap_module" in (await _asked_about("gym", {"id": "trap_module:Trap"}))[1]
    assert (traps.folder / "touched").exists()


@pytest.mark.parametrize("options", [{}, {"recipes": None}])
async def test_a_world_that_does_nothing_is_made_for_anybody(options: Mapping[str, Any], traps: Traps) -> None:
    assert (await _asked_about("textcraft", options))[0] == 200


@pytest.mark.parametrize(("world", "options"), [(" ", {}), ("none", {}), ("textcraft", {"recipe": 1, "name": "gym"})])
async def test_a_world_that_cannot_be_made_is_refused_in_words(
    world: str, options: Mapping[str, Any], traps: Traps
) -> None:
    status, said = await _asked_about(world, options)
    assert status == 400
    assert "environment" in said
