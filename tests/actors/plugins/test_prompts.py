"""Where the prompts of a method are found in a world that brings its own."""

from pathlib import Path

import pytest

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.methods.lats.lats import Lats
from quintet.methods.plan_act.plan_act import PlanAct
from quintet.methods.standard.standard import Standard
from quintet.plugins.prompts import find_prompts, worlds_of


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(GymnasiumWorld, "prompt_folder", tmp_path)
    for file in ("react/execute", "react/demonstrations", "search/decide", "reflexion/look_back"):
        path = tmp_path / f"{file}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{file}.")
    return tmp_path


def test_a_method_without_a_folder_of_its_own_finds_those_of_the_methods_that_it_stands_on(brought: Path) -> None:
    prompts = find_prompts(Lats, "gym")
    found = {name: prompts.find(name) for name in ("decide", "look_back", "demonstrations")}
    assert found == {
        "decide": brought / "search" / "decide.txt",
        "look_back": brought / "reflexion" / "look_back.txt",
        "demonstrations": brought / "react" / "demonstrations.txt",
    }
    (brought / "lats").mkdir()
    (brought / "lats" / "decide.txt").write_text("lats/decide.")
    assert find_prompts(Lats, "gym").find("decide") == brought / "lats" / "decide.txt"
    assert find_prompts(PlanAct, "gym").find("decide") is None


def test_a_method_with_a_folder_of_its_own_shares_only_beside_texts_of_its_own(brought: Path) -> None:
    assert find_prompts(Standard, "gym").find("execute") is None
    assert "gym" not in worlds_of(Standard)
    (brought / "standard").mkdir()
    (brought / "standard" / "execute.txt").write_text("standard/execute.")
    prompts = find_prompts(Standard, "gym")
    assert prompts.find("execute") == brought / "standard" / "execute.txt"
    assert prompts.find("demonstrations") == brought / "react" / "demonstrations.txt"
