"""What can be named: ours, what installed plug-ins bring, objects by dotted path, and a world's own prompts."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.environments.gymnasium_world.world import GymnasiumWorld
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.methods.base.method import Method
from quintet.methods.base.prompts import PLAIN
from quintet.methods.devils_advocate.devils_advocate import DevilsAdvocate
from quintet.methods.lats.lats import Lats
from quintet.methods.plan_act.plan_act import PlanAct
from quintet.methods.react.react import React
from quintet.methods.standard.standard import Standard
from quintet.plugins import catalogue, entry_points
from quintet.plugins.members import find_member
from quintet.plugins.prompts import find_prompts
from tests.actors.plugins import objects_of_tests
from tests.distributions import install

TEXTCRAFT = "quintet.environments.textcraft.world:TextCraft"
REACT_AT = "quintet.methods.react.react:React"
OURS = (
    "textcraft",
    "alfworld",
    "hotpotqa",
    "webshop",
    "webarena",
    "shell",
    "bfcl",
    "tau2",
    "miniwob",
    "scienceworld",
    "gym",
    "openenv",
)
"""The worlds that come with the project, as they are listed."""


class NotAWorld:
    """Has a name, and that is all."""

    name = "nothing"


def badly_annotated(depth: object) -> None:
    """What its parameter is cannot be found out."""


badly_annotated.__annotations__["depth"] = "Nowhere"


def test_ours_are_found_without_a_look_at_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(kind: entry_points.Kind) -> tuple[entry_points.PlugIn, ...]:
        raise AssertionError(f"looked for {kind}s")

    monkeypatch.setattr(catalogue, "plug_ins", refuse)
    assert catalogue.method("react") is React
    assert catalogue.world("textcraft").name == "textcraft"
    assert catalogue.model("sim-weak").name == "sim-weak (simulated)"
    assert catalogue.origin("method", "adapt") is None
    assert catalogue.is_known("model", "scripted")


def test_a_plug_in_is_found_by_its_entry_point(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(
        tmp_path,
        monkeypatch,
        {
            "methods": {"mine": REACT_AT},
            "environments": {"kitchen": TEXTCRAFT},
            "models": {"oracle": "quintet.models.stand_in.model:strong"},
        },
    )
    assert catalogue.method("mine") is React
    assert isinstance(catalogue.world("kitchen"), TextCraft)
    assert catalogue.model("oracle").name == "sim-strong (simulated)"
    assert catalogue.names("environment") == (*OURS, "kitchen")
    found = catalogue.origin("environment", "kitchen")
    assert found is not None
    assert (found.distribution, found.version) == ("acme", "1.0")


def test_an_error_for_an_unknown_name_lists_the_names_plug_ins_included(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"kitchen": TEXTCRAFT}})
    with pytest.raises(UsageError, match="environment: expected 'kitchen', got 'kitchn'"):
        catalogue.world("kitchn")
    with pytest.raises(
        UsageError,
        match="environment: expected one of 'textcraft', 'alfworld', 'hotpotqa', 'webshop', 'webarena', 'shell', "
        "'bfcl', 'tau2', 'miniwob', 'scienceworld', 'gym', 'openenv', 'kitchen', got",
    ):
        catalogue.world("zzz")


def test_a_name_that_two_distributions_bring_is_refused_when_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"methods": {"mine": REACT_AT, "other": REACT_AT}}, distribution="acme")
    install(tmp_path, monkeypatch, {"methods": {"mine": REACT_AT}}, version="2.1", distribution="zenith")
    with pytest.raises(
        UsageError, match=r"method mine: expected one distribution to bring it, got acme 1.0 and zenith"
    ):
        catalogue.method("mine")
    assert catalogue.method("other") is React


def test_a_name_of_ours_stays_ours_and_who_takes_it_is_named_where_names_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {"environments": {"textcraft": f"{__name__}:NotAWorld"}})
    assert isinstance(catalogue.world("textcraft"), TextCraft)
    assert catalogue.names("environment") == OURS
    with pytest.raises(UsageError, match=r"one distribution to bring it, got quintet-agents and acme 1.0; uninstall"):
        catalogue.refuse_rivals("environment", "textcraft")


@pytest.mark.parametrize(
    ("kind", "target", "said"),
    [
        ("method", "nowhere:METHOD", "expected nowhere:METHOD, got ModuleNotFoundError: No module named 'nowhere'"),
        ("method", f"{__name__}:NOTHING", "got AttributeError: module"),
        ("method", f"{__name__}:NotAWorld", "NotAWorld'>, which is no subclass of Method"),
        (
            "environment",
            f"{__name__}:NotAWorld",
            "which lacks open, tasks",
        ),
        ("environment", f"{__name__}:TEXTCRAFT", "is not a callable object"),
        ("model", f"{__name__}:badly_annotated", "got NameError: name 'Nowhere' is not defined"),
    ],
)
def test_an_error_names_a_failing_plug_in_and_its_distribution(
    kind: entry_points.Kind, target: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, {f"{kind}s": {"odd": target}})
    ways: Mapping[str, Callable[[str], object]] = {
        "method": catalogue.method,
        "environment": catalogue.world,
        "model": catalogue.model,
    }
    with pytest.raises(UsageError) as caught:
        ways[kind]("odd")
    assert str(caught.value).startswith(f"{kind} odd (acme 1.0): expected ")
    assert said in str(caught.value)


def test_plug_ins_are_looked_up_once_a_process() -> None:
    assert entry_points.plug_ins("model") is entry_points.plug_ins("model")


NAMES_WITH_COLONS: list[tuple[entry_points.Kind, str, tuple[str, dict[str, str]]]] = [
    ("model", "local:a:b.gguf", ("local", {"file": "a:b.gguf"})),
    ("model", "bridge:anthropic/claude", ("bridge", {"id": "anthropic/claude"})),
    ("environment", "gym:module:ID-v0", ("gym", {"id": "module:ID-v0"})),
    ("model", "qwen3:8b", ("qwen3:8b", {})),
    ("model", "scripted:x", ("scripted:x", {})),
    ("environment", "gym", ("gym", {})),
]


@pytest.mark.parametrize(("kind", "name", "split"), NAMES_WITH_COLONS)
def test_what_follows_a_colon_is_the_option_that_a_factory_names(
    kind: entry_points.Kind, name: str, split: tuple[str, dict[str, str]]
) -> None:
    assert catalogue.split_name(kind, name) == split


def find(path: str, *, usable: bool = True) -> object:
    return find_member(
        objects_of_tests, path, where="mine.py", label="model", expected="a Model", is_usable=lambda _: usable
    )


def test_a_member_of_a_member_is_found() -> None:
    assert find("Echo.__init__") is objects_of_tests.Echo.__init__


def test_a_missing_one_is_refused_with_the_nearest_or_with_what_is_expected() -> None:
    with pytest.raises(UsageError, match=r"model: expected .*'Echo'.* in mine\.py, got 'Ecko'"):
        find("Ecko")
    with pytest.raises(UsageError, match=r"model: expected a Model in mine\.py, got 'Ecko'"):
        find("Ecko", usable=False)


def test_an_abstract_class_that_the_file_imports_is_not_proposed() -> None:
    assert vars(objects_of_tests)["Method"] is Method
    with pytest.raises(UsageError, match=r"expected (?!.*'Method').* in mine\.py, got 'Methot'"):
        find("Methot")


@pytest.fixture
def brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(GymnasiumWorld, "prompt_folder", tmp_path, raising=False)
    for file in ("react/execute", "react/demonstrations", "search/decide", "reflexion/look_back"):
        path = tmp_path / f"{file}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{file}.")
    return tmp_path


def _plain(method: type[Method[Any]], name: str) -> Path:
    return method.prompt_folders[0] / PLAIN / f"{name}.txt"


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
    assert find_prompts(PlanAct, "gym").find("decide") == _plain(DevilsAdvocate, "decide")


def test_a_method_with_a_folder_of_its_own_shares_only_beside_texts_of_its_own(brought: Path) -> None:
    prompts = find_prompts(Standard, "gym")
    assert prompts.find("execute") == _plain(Standard, "execute")
    assert prompts.find("demonstrations") is None
    (brought / "standard").mkdir()
    (brought / "standard" / "execute.txt").write_text("standard/execute.")
    prompts = find_prompts(Standard, "gym")
    assert prompts.find("execute") == brought / "standard" / "execute.txt"
    assert prompts.find("demonstrations") == brought / "react" / "demonstrations.txt"
