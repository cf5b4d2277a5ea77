"""Memories as a person lists them for a comparison, and the arms that they make."""

import json
from pathlib import Path

import pytest

from quintet.config.settings import from_assignments
from quintet.errors import UsageError
from quintet.studies.arms import prepare_arms
from quintet.studies.comparison_arms import define_comparison, refuse_incomparable
from quintet.studies.memory_arms import NO_MEMORY, MemoryChoice, lists_memories, read_memories
from tests.command import printed, refused
from tests.deploy.studies.given import PLAN, a_notebook, a_run_with_a_plan, a_run_without

TEXTCRAFT = from_assignments(["environment.name=textcraft", "run.tasks=1"])


def test_one_run_is_given_to_all_methods_and_a_list_makes_arms(tmp_path: Path) -> None:
    notes = a_notebook(tmp_path / "odd:name,.sqlite")
    assert not any(map(lists_memories, ("runs/a", "runs/a@3", str(notes))))
    assert all(map(lists_memories, ("none", "none,ldm2:runs/a", "ldm2:runs/a@3", "shuffled:runs/a")))


def test_an_item_names_one_version_a_control_or_a_plan(tmp_path: Path) -> None:
    notes, plan = a_notebook(tmp_path / "notes.sqlite"), a_run_with_a_plan(tmp_path / "autoplan")
    found = read_memories(f"none,ace:{notes},shuffled:{notes},random:{notes}@0,auto:{plan},late:{plan}@2")
    assert found == (
        NO_MEMORY,
        MemoryChoice("ace", {"memory": {"source": f"{notes}@1"}}),
        MemoryChoice("shuffled ace", {"memory": {"source": f"{notes}@1", "control": "shuffled"}}),
        MemoryChoice("random notes", {"memory": {"source": f"{notes}@0", "control": "random"}}),
        MemoryChoice("auto", {"method": {"plan": f"{plan}/plans/1.md"}}),
        MemoryChoice("late", {"method": {"plan": f"{plan}/plans/2.md"}}),
    )


def test_a_memory_is_recalled_from_as_in_the_run_that_learnt_it_unless_a_setting_says_how(tmp_path: Path) -> None:
    notes, run = a_notebook(tmp_path / "notes.sqlite"), tmp_path / "run"
    recalling = ["--set", "memory.retrieval=lexical", "--set", "memory.most=1"]
    words = ["eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick", "--memory", notes, *recalling]
    printed(*words, "--out", run)
    (its_own,) = read_memories(f"a:{run}")
    assert its_own.settings["memory"] == {"source": f"{run}/memory.sqlite@0", "retrieval": "lexical", "most": 1}
    (fixed,) = read_memories(f"a:{run}", {"memory.retrieval", "run.tasks"})
    assert fixed.settings["memory"] == {"source": f"{run}/memory.sqlite@0", "most": 1}


def test_the_sections_of_a_notebook_are_recalled_as_in_the_run_that_learnt_it(tmp_path: Path) -> None:
    notes, run = a_notebook(tmp_path / "notes.sqlite"), tmp_path / "run"
    recalling = ["--set", "memory.sections.insights.retrieval=best", "--set", "memory.sections.examples.most=2"]
    words = ["eval", "react", "textcraft", "--model", "sim-strong", "--tasks", "stick", "--memory", notes, *recalling]
    printed(*words, "--out", run)
    (found,) = read_memories(f"a:{run}")
    assert found.settings["memory"]["sections"] == {"insights": {"retrieval": "best"}, "examples": {"most": 2}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("none,{notes}", "--memory: expected none, LABEL:RUN[@VERSION], shuffled:RUN or random:RUN, separated by"),
        ("none,,a:{notes}", "shuffled:RUN or random:RUN, separated by commas, got ''"),
        ("a:", "shuffled:RUN or random:RUN, separated by commas, got 'a:'"),
        ("a b:{notes}", "--memory: expected a label of letters, digits and '_.-' before the colon, got 'a b:"),
        ("none:{notes}", "--memory: expected a label of letters, digits and '_.-' before the colon, got 'none:"),
        ("none,none", "--memory: expected each label once, got 'none' twice"),
        ("a:{notes},a:{plan}", "--memory: expected each label once, got 'a' twice"),
        ("a:nowhere", "memory: expected a run folder or a memory file, found none (nowhere)"),
        ("a:{without}", "memory: expected a run that has one, got a folder without memory.sqlite ({without})"),
        ("a:{notes}@7", "memory: expected a version (0 to 1), got 7 ({notes})"),
        ("a:{plan}@7", "--memory: expected version 7, got a run with the versions 0, 1, 2 ({plan})"),
        ("a:{open}", "--memory: expected a plan that its learner chose, got a run with the versions 0, 1, 2 ({open})"),
        ("random:{plan}", "--memory: random: expected a memory or a notebook, got a plan ({plan})"),
    ],
)
def test_what_is_no_memory_is_refused(text: str, said: str, tmp_path: Path) -> None:
    places = {
        "notes": a_notebook(tmp_path / "notes.sqlite"),
        "plan": a_run_with_a_plan(tmp_path / "plan"),
        "open": a_run_with_a_plan(tmp_path / "open", chosen=None),
        "without": a_run_without(tmp_path / "without"),
    }
    with pytest.raises(UsageError) as error:
        read_memories(text.format(**places))
    assert said.format(**places) in str(error.value)


def test_the_first_method_has_every_memory_and_with_the_product_every_method() -> None:
    memories = [NO_MEMORY, MemoryChoice("ace", {"memory": {"source": "/a"}})]
    study = define_comparison(["react", "adapt"], memories=memories)
    assert list(study.arms) == ["react", "react + ace", "adapt"]
    assert study.arms["react + ace"] == {"method": {"name": "react"}, "memory": {"source": "/a"}}
    assert study.reference == "react"
    assert list(define_comparison(["react", "adapt"], memories=memories, product=True).arms) == [
        "react",
        "react + ace",
        "adapt",
        "adapt + ace",
    ]
    one = define_comparison(["react", "adapt"], memories=memories[1:])
    assert (list(one.arms), one.reference) == (["react + ace", "adapt"], "react + ace")
    assert define_comparison(["react"], memories=memories, reference="react + ace").reference == "react + ace"


def test_the_noise_arm_repeats_the_reference_in_other_draws_of_its_calls() -> None:
    memories = [NO_MEMORY, MemoryChoice("ace", {"memory": {"source": "/a"}})]
    study = define_comparison(["react"], memories=memories, noise=True, reference="react + ace", budget="calls=5")
    again = study.arms["react + ace again"]
    assert again == {**study.arms["react + ace"], "run": {"sampling_seed": 1}}
    assert list(define_comparison(["react"], noise=True).arms) == ["react", "react again"]
    arms = prepare_arms(define_comparison(["react"], noise=True), [TEXTCRAFT])
    refuse_incomparable(arms)
    specs = [arm.spec for arm in arms.values()]
    assert [(spec.seed, spec.sampling_seed) for spec in specs] == [(0, 0), (0, 1)]
    assert specs[0].task("stick", 0) == specs[1].task("stick", 0)


def test_arms_are_prepared_with_what_they_are_given_and_how_to_recall_is_no_setting_of_the_others(
    tmp_path: Path,
) -> None:
    notes, plan = a_notebook(tmp_path / "notes.sqlite"), a_run_with_a_plan(tmp_path / "autoplan")
    memories = read_memories(f"none,ace:{notes},auto:{plan}")
    arms = prepare_arms(
        define_comparison(["react", "adapt"], memories=memories),
        [TEXTCRAFT, from_assignments(["memory.retrieval=lexical"])],
    )
    refuse_incomparable(arms)
    assert {name: arm.record.label for name, arm in arms.items()} == {
        "react": "react",
        "react + ace": "react + notebook v1",
        "react + auto": "react + plan",
        "adapt": "adapt",
    }
    assert arms["react + auto"].record.plan == PLAN
    given = arms["react + ace"].config.memory
    assert given is not None
    assert given.retrieval == "lexical"
    assert arms["react"].config.memory is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("react alfworld --memory none,a:{notes}", "arm react + a: memory.source: expected a memory of alfworld, got"),
        ("expert textcraft --memory none,a:{notes}", "arm expert + a: memory.source: expected a method that asks an"),
        (
            "react textcraft --memory none,shuffled:{notes}",
            "arm react + shuffled notes: memory.control: expected a retrieval that differs from task to task",
        ),
        ("react textcraft --memory a:{notes}", "METHODS: expected at least two before the environment, got react + a"),
        ("react textcraft --memory none,a:{notes} --reference lats", "'react', 'react + a', got 'lats'"),
        ("react textcraft --memory none,a:{notes},b:{notes}", "got react + a and react + b, which are the same"),
        ("react adapt textcraft --product", "--product: expected --memory with a list to compare, got none"),
        ("{notes} {notes} --noise", "--noise: expected methods to compare, got runs"),
        (
            "react textcraft --memory none,a:{notes} --set memory.source=x",
            "memory.source: expected what study compare sets for each arm, got 'x'",
        ),
        (
            "react textcraft --noise --set run.sampling_seed=3",
            "run.sampling_seed: expected what study compare sets for each arm, got 3",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_runs(words: str, said: str, tmp_path: Path) -> None:
    notes, out = a_notebook(tmp_path / "notes.sqlite"), tmp_path / "study"
    message = refused("compare", *(each.format(notes=notes) for each in words.split()), *_out(words, out))
    assert said in message
    assert not out.exists()


def _out(words: str, out: Path) -> tuple[object, ...]:
    return () if words.startswith("{notes}") else ("--out", out)


def test_a_comparison_of_memories_is_run_reported_and_exported(tmp_path: Path) -> None:
    notes, plan = a_notebook(tmp_path / "notes.sqlite"), a_run_with_a_plan(tmp_path / "autoplan")
    study = tmp_path / "study"
    words = ["react", "expert", "textcraft", "--tasks", "beehive", "--no-picture", "--noise"]
    given = ["--memory", f"none,ace:{notes},auto:{plan}", "--model", "sim-strong"]
    (found,) = json.loads(printed("compare", *words, *given, "--json", "--out", study))["studies"].values()
    names = ["react", "react + ace", "react + auto", "expert", "react again"]
    assert [each["method"] for each in found["methods"]] == names
    assert [test["method"] for test in found["tests"]] == names[1:4]
    ace, auto = found["memories"]
    assert (ace["shown_in"], ace["recalled_per_episode"], ace["learning"], ace["learnt_by"]) == (1, 3.0, None, [])
    assert (auto["shown_in"], auto["learning"]["calls"]) == (1, 12)
    assert found["noise_floor"]["same"]
    assert "react + ace - react" in printed("report", study)
    episodes = [line.split(",") for line in printed("report", study, "--csv").splitlines()]
    recalled = episodes[0].index("recalled")
    assert {line[0]: line[recalled] for line in episodes[1:]} == {**dict.fromkeys(names, "0"), "react + ace": "3"}
    printed("export", study, "--table", tmp_path / "table.tex")
    written = (tmp_path / "table.tex").read_text()
    assert "react + ace & 1 of 1 & 3.0 notes & 0 & 0" in written
    assert "% Noise floor: two equal arms with other draws" in written
    printed("export", study, "--table", tmp_path / "table.csv")
    assert "react + ace" in (tmp_path / "table.csv").read_text()
    assert "recalled 3 notes of version 0" in printed("show", study / "arms" / "react + ace", "beehive")
