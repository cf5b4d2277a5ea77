"""`quintet memory`: looking at memories, searching them, and making new files of them."""

import json
from pathlib import Path

import pytest

from quintet.learned.given_trajectories import gather_trajectories
from quintet.memory.schema import MEMORY_FILE
from tests.command import command, printed
from tests.deploy import samples as run_samples
from tests.deploy.memory.samples import TYPES, a_memory, a_store, a_tuple, request
from tests.deploy.samples import Went

SHOWN = """\
Memory of alfworld, version 2: 6 tuples, 1 batch memory, 2 goal types, 3 observation types

By version
version  added  tuples  batches  goal types  observation types        digest
0            0       0        0           0                  0  e3b0c44298fc
1            5       5        1           2                  3  4091813ef5ef
2            1       6        1           2                  3  8ed835c57ffc

Batch memory 1
type                     tuples                                                 examples
1 heat things                 4                                              heat an egg
  1.1 at a closed thing       2                                        You see a fridge.
  1.2 in the open             2  The fridge is open. In it is an egg.; You hold the egg.
2 cool things                 2                                            cool an apple
  2.1 at a fridge             2                    You see a table.; You hold the apple.

"""

TUPLE = """\
version 1, process 0, step 1: batch 1, type 1.1, reward 1, from heat/0/0
  Goal: heat an egg
  Observation: You see a fridge.
  Evaluation: subgoal 1: heat an egg - incomplete
  Summary: The last action was to look around.
  Action: open fridge 1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    a_memory(tmp_path / "kitchens.sqlite").close()
    return tmp_path / "kitchens.sqlite"


def memory(*words: object) -> str:
    return printed("memory", *words)


def test_show_prints_versions_and_types_with_examples(file: Path) -> None:
    assert memory("show", file) == SHOWN
    assert memory("show", f"{file}@1").count("heat an egg") == 1
    assert "You hold" not in memory("show", file, "--examples", 1)
    file.rename(file.with_name(MEMORY_FILE))
    assert memory("show", file.parent) == SHOWN


def test_every_tuple_is_shown_with_where_it_comes_from(file: Path) -> None:
    out = memory("show", file, "--tuples")
    assert TUPLE in out
    assert [line.rpartition(" ")[2] for line in out.splitlines() if line.startswith("version ")] == [
        *["heat/0/0"] * 3,
        *["cool/0/0"] * 2,
        "heat/1/0",
    ]


def test_tuples_come_in_pages(tmp_path: Path) -> None:
    store = a_store(tmp_path / "m.sqlite")
    store.add(request(tuple(a_tuple(action=f"do {number}") for number in range(201)), types=TYPES))
    store.seal(1)
    store.close()
    first = memory("show", tmp_path / "m.sqlite", "--tuples")
    assert (first.count("  Action: "), first.splitlines()[-1]) == (200, "more with --page 2; all with --json")
    assert memory("show", tmp_path / "m.sqlite", "--tuples", "--page", 2).count("  Action: ") == 1
    assert "no tuples on page 3" in memory("show", tmp_path / "m.sqlite", "--tuples", "--page", 3)


def test_json_has_everything(file: Path) -> None:
    shown = json.loads(memory("show", file, "--tuples", "--json"))
    assert (shown["world"], shown["version"], sorted(shown["versions"])) == ("alfworld", 2, ["0", "1", "2"])
    assert [(each["goal_type"], each["observation_type"], each["tuples"]) for each in shown["types"]] == [
        (1, None, 4),
        (1, 1, 2),
        (1, 2, 2),
        (2, None, 2),
        (2, 1, 2),
    ]
    assert [each["tuple"]["action"] for each in shown["tuples"]][-1] == "look"
    assert "tuples" not in json.loads(memory("show", file, "--json"))


def test_an_empty_memory_says_so(tmp_path: Path) -> None:
    file = tmp_path / "m.sqlite"
    a_store(file).close()
    assert memory("show", file).splitlines()[-1] == f"no tuples: the memory is empty ({file})"
    empty = "--batch: expected none, since the memory is empty, got 1"
    assert empty in command("memory", "show", file, "--batch", 1, code=2).err


def test_search_finds_words_best_first_or_a_type(file: Path) -> None:
    found = json.loads(memory("search", file, "the", "open", "fridge", "--json"))["tuples"]
    assert found[0]["tuple"]["observation"] == "The fridge is open. In it is an egg."
    assert found[0]["score"] >= found[1]["score"] > 0
    assert len(json.loads(memory("search", file, "fridge", "--most", 1, "--json"))["tuples"]) == 1
    assert "cool an apple" not in memory("search", file, "you", "--goal-type", 1)
    typed = memory("search", file, "--goal-type", 1, "--observation-type", 1)
    assert (TUPLE in typed, typed.count("  Action: ")) == (True, 2)
    assert memory("search", file, "pumpernickel") == f"no tuples found ({file})\n"


NEW = "--out: expected a new file, got one that exists (FILE)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show FILE --tuples --page 0", "--page: expected at least 1, got 0"),
        ("show FILE --page 2", "--page: expected --tuples or --notes with it, got 2"),
        ("search FILE", "search: expected words, --batch, --goal-type, --observation-type or --section, got none"),
        ("search FILE egg --most 0", "--most: expected at least 1, got 0"),
        ("search FILE egg --batch 2", "--batch: expected 1 to 1, got 2 (FILE)"),
        ("merge FILE --out FILE", NEW),
        ("merge --out FILE", "merge: expected at least one memory, got none"),
        ("merge FILE --out ~nobody-here/x", "memory: expected a path below a known home folder, got '~nobody-here/x'"),
        ("trajectories --jsonl FILE", "trajectories: expected at least one run, got none"),
    ],
)
def test_what_makes_no_sense_is_refused(words: str, said: str, file: Path) -> None:
    found = command("memory", *words.replace("FILE", str(file)).split(), code=2)
    assert (found.out, found.err) == ("", f"quintet: {said.replace('FILE', str(file))}\n")


def test_memories_are_merged_exported_and_imported(file: Path) -> None:
    merged, lines, again = (file.with_name(name) for name in ("merged.sqlite", "m.jsonl", "again.sqlite"))
    title = "Memory of alfworld, version 0: 11 tuples, 2 batch memories, 4 goal types, 6 observation types\n"
    assert memory("merge", file, f"{file}@1", "--out", merged) == title
    assert memory("export", merged, "--jsonl", lines) == "23 lines\n"
    assert memory("import", lines, "--out", again) == title
    assert memory("show", again, "--tuples", "--json") == memory("show", merged, "--tuples", "--json")
    assert NEW.replace("FILE", str(merged)) in command("memory", "import", lines, "--out", merged, code=2).err


def test_successful_episodes_are_written_as_trajectories(tmp_path: Path) -> None:
    went = {"beehive": Went(), "cake": Went("unsolved", 0.0)}
    run = run_samples.write(tmp_path / "run", run_samples.record("react", ("beehive", "cake")), went)
    file = tmp_path / "given.jsonl"
    assert memory("trajectories", run, run, "--jsonl", file) == "2 trajectories; left out: 2 unsuccessful\n"
    written = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["goal"], line["task"], line["world"]) for line in written] == [
        ("craft beehive", "beehive", "textcraft")
    ] * 2
    assert written[0]["source"] == f"{run} beehive/0/0"
    given = gather_trajectories([file], [run], world="textcraft")
    assert (len(given.trajectories), given.left_out) == (1, {"repeated": 2, "unsuccessful": 1})
    assert "expected a new file" in command("memory", "trajectories", run, "--jsonl", file, code=2).err


def test_runs_without_a_success_make_no_file(tmp_path: Path) -> None:
    run = run_samples.write(tmp_path / "run", run_samples.record("react", ("beehive",)), {"beehive": Went("faulted")})
    assert memory("trajectories", run, "--jsonl", tmp_path / "none.jsonl") == "0 trajectories; left out: 1 faulted\n"
    assert not (tmp_path / "none.jsonl").exists()
