"""`[memory]` and `[memory.embedder]`: in the configuration of runs with a memory alone, and refused elsewhere."""

import tomllib
from pathlib import Path

import pytest

from quintet.config.memory_section import EmbedderSettings, MemorySection
from quintet.config.resolve import as_tables, resolve
from quintet.config.sections import RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.messages.parts import Notebook, Recollection, SectionRecall
from tests.command import printed

REACT = ("method.name=react", "environment.name=alfworld")
LEARNS_A_PLAN = ("method.name=autoplan", "environment.name=alfworld", "run.learn=true")
LEARNS_A_MEMORY = ("method.name=ldm2", "environment.name=alfworld", "run.learn=true")


def _config(*assignments: str) -> RunConfig:
    return resolve([from_assignments(assignments)]).config


def test_a_run_without_a_memory_has_no_section() -> None:
    assert _config(*REACT).memory is None
    assert "memory" not in as_tables(_config(*REACT))


def test_a_run_that_is_given_a_memory_has_it_with_an_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for given, kept in (("runs/m@3", f"{tmp_path}/runs/m@3"), ("m.sqlite", f"{tmp_path}/m.sqlite")):
        config = _config(*REACT, f"memory.source={given}", "memory.retrieval=lexical", "memory.budget=100")
        assert config.memory == MemorySection(source=kept, retrieval="lexical", budget=100)
        assert RunConfig.model_validate_json(config.model_dump_json()) == config
        assert resolve([from_table(as_tables(config), "a test")]).config == config


def test_a_run_that_learns_a_memory_has_the_section_too() -> None:
    assert _config(*LEARNS_A_MEMORY).memory == MemorySection()
    forms = _config(*LEARNS_A_MEMORY, "memory.trajectories=['a.jsonl']", "memory.from_runs=['runs/one']").memory
    assert forms is not None
    assert [path.name for path in (*forms.trajectories, *forms.from_runs)] == ["a.jsonl", "one"]
    assert forms.forms


def test_episodes_recall_as_the_section_says() -> None:
    memory = _config(*REACT, "memory.source=m", "memory.batch=2", "memory.control=shuffled").memory
    assert memory is not None
    recollection = memory.recollection(seed=3)
    assert isinstance(recollection, Recollection)
    assert (recollection.batch, recollection.retrieval, recollection.budget) == (2, "type", 8192)
    assert (recollection.control, recollection.seed) == ("shuffled", 3)


def test_sections_of_a_notebook_are_recalled_in_their_order_each_as_its_table_says() -> None:
    sections = ("memory.sections.insights.retrieval=all", "memory.sections.examples.most=2")
    config = _config(*REACT, "memory.source=m", "memory.kind=notebook", "memory.retrieval=embedding", *sections)
    assert resolve([from_table(as_tables(config), "a test")]).config == config
    assert config.memory is not None
    assert config.memory.embeds is not None
    recollection = config.memory.recollection(seed=3)
    assert isinstance(recollection, Notebook)
    assert recollection.sections == (
        SectionRecall(section="insights", retrieval="all"),
        SectionRecall(section="examples", retrieval="embedding", most=2),
    )
    alone = MemorySection(kind="notebook", retrieval="lexical")
    assert alone.recalled_sections == (SectionRecall(retrieval="lexical", most=8),)
    with pytest.raises(UsageError, match=r"memory\.sections\.a\.colour: expected no such key, got .red."):
        _config(*REACT, "memory.source=m", "memory.sections.a.colour=red")


def test_a_memory_that_is_learnt_is_not_shuffled_while_it_is() -> None:
    with pytest.raises(UsageError, match=r"memory\.control: expected 'none' in a run that learns, .*RUN@VERSION"):
        _config(*LEARNS_A_MEMORY, "memory.control=shuffled")


def _embeds(*assignments: str) -> EmbedderSettings | None:
    config = _config(*REACT, "memory.source=memory.sqlite", *assignments)
    assert resolve([from_table(as_tables(config), "run")]).config == config
    assert config.memory is not None
    return config.memory.embeds


def test_a_run_embeds_only_if_it_is_told_to_or_recalls_by_embedding() -> None:
    assert _embeds() is None
    assert _embeds("memory.retrieval=lexical") is None
    assert _embeds("memory.retrieval=embedding") == EmbedderSettings(name="wordllama")
    found = _embeds("memory.embedder.name=hashed-words", "memory.embedder.dimensions=16")
    assert found is not None
    assert found.options == {"dimensions": 16}
    url = "http://127.0.0.1:9/v1"
    found = _embeds("memory.embedder.name=m", f"memory.embedder.url={url}", "memory.embedder.key=MY_KEY")
    assert found is not None
    assert (found.name, found.url, found.options["key"]) == ("m", url, "MY_KEY")


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("memory.embedder.dimensions=many", r"memory\.embedder\.dimensions: expected"),
        ("memory.embedder.colour=red", r"memory\.embedder\.colour: expected .*, got an unknown key"),
        ("memory.embedder=wordllama", r"expected a table, .* did you mean memory\.embedder\.name\?"),
    ],
)
def test_a_bad_embedder_is_refused(assignment: str, said: str) -> None:
    named = () if assignment == "memory.embedder=wordllama" else ("memory.embedder.name=hashed-words",)
    with pytest.raises(UsageError, match=said):
        _embeds(*named, assignment)


@pytest.mark.parametrize(
    ("assignments", "said"),
    [
        (
            (*REACT, "memory.batch=2"),
            "memory.batch: expected a run with a memory (--memory, or a method that learns one), got one without "
            "(--set memory.batch=2)",
        ),
        (
            (*REACT, "memory.source=m", "memory.retrieval=any"),
            "memory.retrieval: expected 'type', 'best', 'lexical', 'embedding' or 'all', got 'any' "
            "(--set memory.retrieval=any)",
        ),
        ((*REACT, "memory.source=m", "memory.batch=0"), "memory.batch: expected >= 1, got 0 (--set memory.batch=0)"),
        (
            ("method.name=random", "environment.name=alfworld", "memory.source=m"),
            "memory.source: expected a method that asks an executor, or for programs, got 'random' "
            "(--set memory.source=m)",
        ),
        (
            (*LEARNS_A_PLAN, "memory.source=m"),
            "memory.source: expected a method that learns a memory or a notebook, got 'autoplan', which learns a plan "
            "(--set memory.source=m)",
        ),
        (
            (*LEARNS_A_MEMORY, "method.plan=plan.md"),
            "method.plan: expected a method that learns a plan, got 'ldm2', which learns a memory "
            "(--set method.plan=plan.md)",
        ),
        (
            (*REACT, "memory.source=m", "memory.from_runs=['runs/one']"),
            "memory.trajectories, memory.from_runs: expected a run that learns (quintet optimize, or run.learn=true), "
            "got one that does not (--set memory.from_runs=['runs/one'])",
        ),
    ],
)
def test_what_nobody_would_read_is_refused(assignments: tuple[str, ...], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        _config(*assignments)
    assert str(caught.value) == said


def test_flags_give_a_memory_and_what_to_form_one_from(tmp_path: Path) -> None:
    lines = ['{"goal": "craft stick", "reward": 1, "steps": [{"observation": "o", "action": "get 1 log"}]}'] * 2
    (tmp_path / "expert.jsonl").write_text("\n".join([lines[0], lines[1].replace("craft stick", "craft bowl")]))
    words = ["optimize", "ldm2", "textcraft", "--tasks", "1", "--train-tasks", "3", "--set", "learning.goals=1"]
    given = ["--set", "learning.source=given", "--batch", "1", "--trajectories", str(tmp_path / "expert.jsonl")]
    found = tomllib.loads(printed(*words, *given, "--dry-run"))
    assert found["memory"]["trajectories"] == [str(tmp_path / "expert.jsonl")]
