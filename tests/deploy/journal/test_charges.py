"""Charges: stored beside the events, and reconciled with them at a resume."""

from pathlib import Path as FilePath

from quintet.events import CallMade, Record
from quintet.journal.writer import SqliteJournal
from quintet.messages.paths import Path, episode_path
from quintet.messages.prompts import Prompt, user
from quintet.messages.quota import Charge
from quintet.ports.model import Completion, Sampling, Usage
from tests.simulation.virtual import run

EPISODE = episode_path("task", 0, 0)
MOST = Usage(prompt_tokens=1000, completion_tokens=500)
USED = Usage(prompt_tokens=200, cached_tokens=100, completion_tokens=50, reasoning_tokens=10)


def charge(number: int) -> Charge:
    return Charge(permit=f"host/{number}", path=Path(f"{EPISODE}/{number}"), model="model", usage=MOST)


async def call(journal: SqliteJournal, number: int, usage: Usage = USED) -> None:
    prompt = Prompt(user("Act."))
    completion = Completion(text="", usage=usage)
    event = CallMade(
        path=Path(f"{EPISODE}/{number}"),
        model="model",
        prompt=prompt.node.address,
        sampling=Sampling(),
        completion=completion,
    )
    await journal.append([Record(event=event, incarnation=1, prompts=prompt.nodes_since(()))])


def spent(file: FilePath) -> dict[Path, list[tuple[int, int, int]]]:
    """The charges that a resume reads, by path."""
    journal = SqliteJournal(file)
    found: dict[Path, list[tuple[int, int, int]]] = {}
    for each in journal.charges.earlier():
        usage = each.usage
        found.setdefault(each.path, []).append((usage.prompt_tokens, usage.cached_tokens, usage.completion_tokens))
    journal.close()
    return found


def test_a_settled_charge_is_what_was_used_and_an_open_one_is_its_reservation(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    journal.charges.open(charge(1))
    journal.charges.open(charge(2))
    journal.charges.settle("host/1", USED, answered=True)
    journal.charges.settle("host/1", MOST, answered=True)
    journal.close()
    assert spent(file) == {charge(1).path: [(200, 100, 50)], charge(2).path: [(1000, 0, 500)]}


def test_an_open_charge_whose_call_was_committed_is_what_the_call_used(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    for number in (
        1,
        1,
        2,
    ):  # the first attempt at call 1 was cut off, the second answered; the answer to call 2 has no usage
        journal.charges.open(charge(number))
    run(call(journal, 1))
    run(call(journal, 2, Usage()))
    journal.close()
    assert spent(file) == {charge(1).path: [(1000, 0, 500), (200, 100, 50)], charge(2).path: [(1000, 0, 500)]}


def test_calls_made_without_a_budget_count_once_there_is_one(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    journal = SqliteJournal(file)
    journal.begin(EPISODE)
    run(call(journal, 1))
    journal.close()
    assert spent(file) == {charge(1).path: [(200, 100, 50)]}


def test_permits_of_another_start_have_the_same_names_and_other_charges(tmp_path: FilePath) -> None:
    file = tmp_path / "journal.sqlite"
    for usage in (USED, Usage(prompt_tokens=7)):
        journal = SqliteJournal(file)
        journal.begin(EPISODE)
        journal.charges.open(charge(1))
        journal.charges.settle("host/1", usage, answered=True)
        journal.close()
    assert spent(file) == {charge(1).path: [(200, 100, 50), (7, 0, 0)]}
