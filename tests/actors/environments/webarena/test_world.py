"""What the world says of itself, and what it refuses, without a browser."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.webarena import world as module
from quintet.environments.webarena.recording.archive import write_recording
from quintet.environments.webarena.world import WebArena
from quintet.errors import UsageError, WorldFault
from tests.actors.environments.webarena.live import named, tasks_file, world_of
from tests.actors.environments.webarena.recording.test_archive import RECORDING


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    fuzzy = {"reference_answers": {"fuzzy_match": ["x"]}}
    return tasks_file(tmp_path, {}, {"eval": fuzzy}, {"sites": ["reddit", "map"]})


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    (tmp_path / "sites.toml").write_text('[reddit]\naddress = "http://forum.example"\n', encoding="utf-8")
    return tmp_path / "sites.toml"


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    write_recording(tmp_path / "pages.zip", RECORDING)
    return tmp_path / "pages.zip"


def test_on_our_sites_it_forks_exactly_and_repeats(tasks: Path) -> None:
    world = WebArena(tasks)
    assert (world.name, world.forks, world.exact, world.repeats) == ("webarena", "replay", True, True)
    assert world.tasks("test") == ("webarena-0", "webarena-1", "webarena-2")
    assert world.metadata("webarena-2")["task type"] == "map+reddit"
    with pytest.raises(UsageError, match=r"^split: expected test or .*, got 'dev' \(webarena\)$"):
        world.tasks("dev")


def test_on_a_users_sites_it_goes_back_and_does_not_repeat_and_recorded_pages_do(
    tasks: Path, sites: Path, pages: Path
) -> None:
    for world, repeats in (
        (WebArena(tasks, sites=sites, reset="./reset.sh all"), False),
        (WebArena(tasks, pages=pages), True),
    ):
        assert (world.forks, world.exact, world.goes_back, world.repeats) == ("none", False, True, repeats)


def test_each_source_of_sites_and_each_limit_is_another_version(tasks: Path, sites: Path, pages: Path) -> None:
    options: list[dict[str, Any]] = [
        {},
        {"sites": sites},
        {"pages": pages},
        {"max_steps": 7},
        {"observation_chars": 900},
    ]
    worlds = [WebArena(tasks, **each) for each in options]
    assert len({world.version for world in worlds}) == len(worlds)
    assert WebArena(tasks, places=1, pictures=True).version == WebArena(tasks).version


def test_tasks_that_cannot_be_played_are_refused_with_reasons_that_several_share(tasks: Path, pages: Path) -> None:
    world = WebArena(tasks)
    refusals = [world.refusal(f"webarena-{number}", judged=False) for number in range(3)]
    assert refusals == ["", "needs a judge", "needs the site map"]
    assert world.refusal("webarena-1", judged=True) == ""
    recorded = WebArena(tasks, pages=pages)
    assert recorded.refusal("webarena-0", judged=True) == "is not in the recording"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"places": 0}, r"^places: expected >= 1, got 0 \(webarena\)$"),
        ({"max_steps": 0}, r"^max_steps: expected >= 1, got 0"),
        ({"observation_chars": 0}, r"^observation_chars: expected >= 1, got 0"),
        ({"reset": "./reset.sh"}, r"^reset: expected environment.sites beside it, got none"),
        ({"sites": "nowhere.toml"}, r"^sites: expected a file, got No such file"),
        ({"pages": "nowhere.zip"}, r"^pages: expected a file of recorded pages, got No such file"),
        ({"sites": "a", "pages": "b"}, r"^pages: expected no environment.sites beside it, got both"),
        ({"tasks": "nowhere.json"}, r"nowhere.json"),
        ({"sites": "SITES", "reset": "'open"}, r"^reset: expected a command"),
        ({"sites": "TWICE"}, r"sites: expected an address for each, got one for two \(gitlab, reddit\)"),
    ],
)
def test_an_option_that_is_wrong_is_named(options: dict[str, Any], error: str, tasks: Path, sites: Path) -> None:
    twice = sites.with_name("twice.toml")
    twice.write_text("".join(f'[{name}]\naddress = "http://a.example"\n' for name in ("reddit", "gitlab")), "utf-8")
    options = {name: {"SITES": sites, "TWICE": twice}.get(value, value) for name, value in options.items()}
    with pytest.raises(UsageError, match=error):
        WebArena(options.pop("tasks", tasks), **options)


def test_without_the_extra_the_error_says_how_it_is_installed(tasks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(name: str) -> None: ...

    monkeypatch.setattr(module, "find_spec", find_nothing)
    with pytest.raises(UsageError, match=r"pip install quintet-agents\[web\], got no playwright and no jinja2$"):
        WebArena(tasks)


def test_it_is_made_without_its_browser_and_templates_being_imported(tasks: Path) -> None:
    code = (
        "import sys; from quintet.environments.webarena.world import WebArena; "
        f"WebArena({str(tasks)!r}).version; sys.exit(' '.join({{'playwright', 'jinja2'}} & set(sys.modules)) or 0)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


async def test_without_chromium_a_session_faults_in_words_that_name_the_package(tasks: Path) -> None:
    async with world_of(tasks, chromium="/no/chromium") as world:
        with pytest.raises(WorldFault, match=r"webarena: chromium: expected an executable, .*apt-get install chromium"):
            await world.open(named())
