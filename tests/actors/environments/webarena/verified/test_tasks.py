"""The package's tasks in the world, on sites that nobody asks here."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from quintet.environments.webarena.tasks.library import open_library
from quintet.environments.webarena.verified.package import released_file, verified_records
from quintet.environments.webarena.verified.tasks import (
    ANSWER_FORM,
    evaluate_by_package,
    verified_library,
)
from quintet.environments.webarena.world import WebArena
from quintet.errors import UsageError
from tests.actors.environments.webarena.verified.ends import ADDRESSES, ends
from tests.actors.environments.webarena.verified.installed import needs_package, old_idna

pytestmark = needs_package


@pytest.fixture
def sites(tmp_path: Path) -> Path:
    (tmp_path / "sites.toml").write_text('[gitlab]\naddress = "http://code.example"\n', encoding="utf-8")
    return tmp_path / "sites.toml"


def test_tasks_have_the_packages_words_and_say_how_to_answer() -> None:
    library = verified_library()
    assert library.find("webarena-44").intent == f"Open my todos page. {ANSWER_FORM}"
    assert library.metadata("webarena-44") == {"task type": "gitlab", "kind": "navigate", "judge": "never"}
    kinds = Counter(task.kind for task in library.tasks.values())
    assert kinds == {"change": 364, "read": 297, "navigate": 111, "impossible": 40}


def test_there_is_a_split_of_the_hard_tasks_besides_those_of_all_tasks() -> None:
    splits, released = verified_library().splits, open_library(released_file()).splits
    assert splits.keys() - released.keys() == {"hard"}
    assert (len(splits["hard"]), len(splits["test"])) == (258, 812)


def test_on_a_users_sites_it_needs_no_judge_and_does_not_go_back(sites: Path) -> None:
    world = WebArena(sites=sites, evaluators="verified")
    released = WebArena(released_file(), sites=sites)
    assert (world.forks, world.goes_back, released.goes_back) == ("none", False, True)
    assert world.version != released.version
    assert world.version.endswith("+verified=1.2.3")
    refusals = Counter(world.refusal(name, judged=False).partition(" site")[0] for name in world.tasks("test"))
    assert refusals == {"": 180, "needs the": 632}


def test_own_tasks_and_own_sites_are_refused(sites: Path) -> None:
    beside = r"beside environment\.evaluators=verified"
    with pytest.raises(UsageError, match=rf"^tasks: expected none {beside}, .*, got own\.json \(webarena\)$"):
        WebArena("own.json", sites=sites, evaluators="verified")
    with pytest.raises(UsageError, match=rf"^sites: expected a file {beside}, .*, got none \(webarena\)$"):
        WebArena(evaluators="verified")


@old_idna
def test_a_task_is_done_if_all_evaluators_hold() -> None:
    task, record = verified_library().find("webarena-44"), verified_records()[44]
    made = [end for _, end in ends(open_library(released_file()).find("webarena-44"), record)]
    answers = [(msgspec.json.encode(end.answer).decode(), end.trace) for end in made]
    rewards = [evaluate_by_package(task, answer, trace, ADDRESSES).reward() for answer, trace in answers]
    assert rewards == [1.0, 1.0, 0.0, 0.0]
