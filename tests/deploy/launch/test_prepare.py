"""Preparing a run: parts that do not fit are refused before it begins, and changed code at its resume."""

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from quintet.config.settings import from_assignments, from_table
from quintet.environments.textcraft.world import TextCraft
from quintet.errors import UsageError
from quintet.launch.build import build_spec_on_host
from quintet.launch.prepare import Prepared, prepare, prepare_again, prepare_config, refuse_changes
from quintet.launch.versions import commit_of, find_recorded, record_code
from quintet.messages.environment import Task
from quintet.plugins.brought import BroughtObject
from quintet.plugins.objects import find_object
from quintet.ports.async_world import AsyncState, AsyncWorld
from quintet.ports.world import Outcome
from quintet.runs.record import CodeRecord
from tests.actors.counter import Counter
from tests.actors.fakes import Kitchen
from tests.actors.quiz import Quiz
from tests.deploy import samples


def prepared(method: Mapping[str, Any], environment: object = "textcraft", **model: Any) -> Prepared:
    tables = {"method": method, "environment": {"name": environment}, "model": {"name": "sim-weak", **model}}
    return prepare([from_table(tables, "a test")])


@pytest.mark.parametrize(
    "method",
    [
        {"name": "lats"},
        {"name": "search"},
        {"name": "adapt", "or": "parallel"},
        {"name": "devils_advocate", "speculate": True},
    ],
)
def test_a_method_that_copies_sessions_is_refused_in_a_world_that_cannot(
    method: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert prepared(method).spec.method.needs_forks()
    monkeypatch.setattr(TextCraft, "forks", "none")
    monkeypatch.setattr(TextCraft, "goes_back", True, raising=False)
    expected = f"expected one whose sessions can be copied, for method {method['name']}, got textcraft, which cannot"
    with pytest.raises(UsageError, match=expected):
        prepared(method)


def test_a_method_that_copies_none_runs_in_any_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextCraft, "forks", "none")
    for method in ("react", "adapt", "expert"):  # on TextCraft, ADaPT goes on from the world as it is
        assert not prepared({"name": method}).spec.method.needs_forks()


@pytest.mark.parametrize("method", ["devils_advocate", "adapt(try_again)", "adapt(plan_act)"])
def test_a_method_that_only_goes_back_runs_where_snapshots_lead_back(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TextCraft, "forks", "none")
    monkeypatch.setattr(TextCraft, "goes_back", True, raising=False)
    assert prepared({"name": method}).spec.world.forks == "none"
    monkeypatch.setattr(TextCraft, "goes_back", False)
    expected = (
        "expected one whose sessions can be copied, or that goes back to snapshots, for method .*, got textcraft, "
    )
    with pytest.raises(UsageError, match=expected + "which can neither"):
        prepared({"name": method})


@pytest.mark.parametrize(("method", "named"), [("expert", "an expert"), ("naive", "a naive policy")])
def test_a_method_that_follows_a_policy_is_refused_in_a_world_without_one(method: str, named: str) -> None:
    said = f"^method {method}: expected a world with {named}, which it follows, got kitchen, which has none$"
    with pytest.raises(UsageError, match=said):
        prepared({"name": method}, Kitchen)


def test_a_method_that_takes_listed_actions_is_refused_in_a_world_that_lists_none() -> None:
    said = r"^method random: expected a world with a list of possible actions \(`admissible`\), of which it takes one"
    with pytest.raises(UsageError, match=said):
        prepared({"name": "random"}, "textcraft")
    assert prepared({"name": "random"}, Kitchen).spec.method.takes_listed_actions


class Listless(AsyncState):
    async def step(self, action: str) -> Outcome:
        raise NotImplementedError


class Listing(Listless):
    async def admissible(self) -> tuple[str, ...] | None:
        return ("wait",)


class Waits(AsyncWorld):
    name, splits = "waits", ("all",)

    def tasks(self, split: str) -> tuple[str, ...]:
        return ("supper",)

    async def open(self, task: Task) -> Listless:
        raise AssertionError("a state that waits is not opened to look at it")


class Lists(Waits):
    async def open(self, task: Task) -> Listing:
        raise AssertionError("a state that waits is not opened to look at it")


class Silent(Waits):
    async def open(self, task: Task):  # type: ignore[no-untyped-def]
        raise AssertionError("a state that waits is not opened to look at it")


def test_a_world_that_waits_is_known_by_the_class_of_states_that_it_says_it_opens() -> None:
    with pytest.raises(UsageError, match="method random: expected a world with a list"):
        prepared({"name": "random"}, Waits)
    for world in (Lists, Silent):
        assert prepared({"name": "random"}, world).record.tasks


def _limits(method: str, limits: Mapping[str, object], **options: object) -> dict[str, object]:
    return samples.record(method, limits=limits, method=options).configuration.limits.model_dump()


def test_a_budget_in_tokens_holds_the_longest_completion_and_a_prompt() -> None:
    for key in ("budget_tokens", "episode_tokens"):
        assert _limits("adapt", {key: 1_025})[key] == 1_025
        said = rf"limits\.{key}: expected at least 1,025 tokens, since every call .*, got 1,024 \("
        with pytest.raises(UsageError, match=said):
            _limits("adapt", {key: 1_024})
    assert _limits("adapt", {"episode_tokens": 500}, inner={"model": {"max_tokens": 100}})["episode_tokens"] == 500
    assert _limits("expert", {"episode_tokens": 1})["episode_tokens"] == 1


def test_a_budget_in_usd_holds_the_cheapest_call(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1.0\noutput = 2.0\n', encoding="utf-8")
    for key in ("budget_usd", "episode_usd"):
        assert _limits("react", {key: 0.0021, "prices": str(prices)})[key] == 0.0021
        with pytest.raises(UsageError, match=rf"limits\.{key}: expected at least 0\.002049 USD, since .*, got 0\.002"):
            _limits("react", {key: 0.002, "prices": str(prices)})


def test_a_judges_model_and_its_prompt_are_in_the_record_and_its_role_among_the_run_s() -> None:
    run = prepared({"name": "naive"}, Quiz(), judge={"name": "sim-strong", "max_tokens": 64})
    assert run.record.models == {"judge": "sim-strong (simulated)"}
    assert list(run.record.prompts) == ["grade", "grade.reason"]
    assert [role.name for role in run.spec.roles] == ["judge", "environment", "subtask"]
    assert (run.spec.judged, run.spec.methods[0].sampling["judge"].max_tokens) == (True, 64)
    assert prepare_config(run.config, "a record", run.objects).record.models == run.record.models
    without = prepared({"name": "naive"}, Quiz())
    assert (without.spec.judged, without.record.models, without.record.prompts) == (False, {}, {})


@pytest.mark.parametrize(
    ("world", "model", "said"),
    [
        (
            Quiz(needs_judge=True),
            {},
            r"a model whose verdict is the reward on quiz \(--set model.judge.name=MODEL\), got none",
        ),
        (
            "textcraft",
            {"judge": {"name": "sim-strong"}},
            r"an environment with answers for a judge, got textcraft, .* \(a test\)$",
        ),
    ],
    ids=["a world that needs one", "a world that asks none"],
)
def test_a_judge_is_there_where_its_world_asks_it(world: object, model: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=rf"^model.judge: expected {said}"):
        prepared({"name": "naive"}, world, **model)


@pytest.mark.parametrize(
    ("world", "model", "said"),
    [
        (
            Counter(needs_user=True),
            {},
            r"a model that answers the agent on counter \(--set model.user.name=MODEL\), got none",
        ),
        ("textcraft", {"user": {"name": "sim-strong"}}, "an environment with messages to a user, got textcraft"),
    ],
    ids=["a world that needs one", "a world that asks none"],
)
def test_a_user_is_there_where_its_world_asks_it(world: object, model: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=rf"^model.user: expected {said}"):
        prepared({"name": "naive"}, world, **model)


def test_a_users_model_and_its_prompt_are_in_the_record_and_its_role_among_the_run_s() -> None:
    run = prepared({"name": "naive"}, Counter(), user={"name": "sim-strong"})
    assert run.record.models == {"user": "sim-strong (simulated)"}
    assert list(run.record.prompts) == ["answer_as_user"]
    assert run.record.model == "user sim-strong (simulated)"
    assert prepared({"name": "naive"}, Counter()).record.models == {}


class Nothing:
    """No objects of the user's."""

    def unpack(self) -> tuple[BroughtObject, ...]:
        return ()


def test_a_host_whose_world_has_other_data_is_refused() -> None:
    run = prepared({"name": "expert"}, "hotpotqa")
    version = run.spec.world.version
    packed: Any = Nothing()
    assert build_spec_on_host(run.config, run.spec.prompts, version, packed).world.version == version
    with pytest.raises(UsageError, match=r"environment hotpotqa: expected version other as where .*: its data differ"):
        build_spec_on_host(run.config, run.spec.prompts, "other", packed)


RUN = Path("run")
MINE = "from tests.actors.fakes import Kitchen\nfrom pantry import NAME\n\nclass Mine(Kitchen):\n    name = NAME\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "pantry.py").write_text("NAME = 'mine'\n")
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def recorded(given: object) -> tuple[CodeRecord, ...]:
    found = find_object("environment", given)
    assert found is not None
    assert found.brought is not None
    return record_code([found.brought])


def test_it_has_each_file_and_the_repositorys_commit(mine: Path) -> None:
    (code,) = recorded(f"{mine}:Mine")
    assert code.texts.keys() == {"mine.py", "pantry.py"}
    assert (code.origin, code.git_commit) == (f"{mine}:Mine", None)
    git = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-C", str(mine.parent))
    subprocess.run([*git, "init", "-q"], check=True)
    assert commit_of(mine.parent) is None
    for words in (("add", "."), ("commit", "-q", "-m", "x")):
        subprocess.run([*git, *words], check=True)
    commit = commit_of(mine.parent)
    assert commit is not None
    assert len(commit) == 40
    (mine.parent / "pantry.py").write_text("NAME = 'ours'\n")
    assert commit_of(mine.parent) == f"{commit}+changes"


def test_the_same_code_is_found_again_and_changed_code_is_refused_with_its_file(mine: Path) -> None:
    code = recorded(f"{mine}:Mine")
    assert [each.name for each in find_recorded(code, (), RUN)] == ["mine"]
    noticed = mine.parent / "noticed"
    (mine.parent / "pantry.py").write_text(f"NAME = 'mine'\nopen({str(noticed)!r}, 'w').close()\n")
    begun = code[0].texts["pantry.py"]
    said = rf"code of environment mine, pantry\.py .*: expected SHA-256 {begun}, .*; changed code is another run"
    with pytest.raises(UsageError, match=said):
        find_recorded(code, (), RUN)
    assert not noticed.exists()  # it was read, and not imported
    mine.unlink()
    with pytest.raises(UsageError, match=r"no such file: .*mine\.py"):
        find_recorded(code, (), RUN)


def test_an_object_from_python_must_be_given_again() -> None:
    code = recorded(Kitchen())
    with pytest.raises(
        UsageError, match=r"environment kitchen: .* got none; resume it from Python: .*objects=\[\.\.\.\]"
    ):
        find_recorded(code, (), RUN)
    again = Kitchen()
    (found,) = find_recorded(code, ["not a world", object(), again], RUN)
    assert found.value is again


def test_a_run_is_prepared_again_under_the_same_code_only(mine: Path) -> None:
    given = [f"environment.name={mine}:Mine", "method.name=random"]
    record = prepare([from_assignments(given)]).record
    changes = from_assignments(["runtime.concurrency=2"])
    assert prepare_again(record, changes, RUN).objects[0].name == "mine"
    refuse_changes(record, changes, RUN)
    with pytest.raises(UsageError, match=r"run\.seed: expected 0"):
        refuse_changes(record, from_assignments(["run.seed=2"]), RUN)
    mine.write_text(MINE + "\n")
    for prepare_or_refuse in (prepare_again, refuse_changes):
        with pytest.raises(UsageError, match=r"code of environment mine, mine\.py"):
            prepare_or_refuse(record, changes, RUN)
