"""Blocks: every path is one, its parent is above it, and following a run gives what reading it back gives."""

from hypothesis import given
from hypothesis import strategies as st

from quintet.events import BranchEnded, EpisodeEnded, Exchanged, Record, StepTaken
from quintet.journal.blocks import Block, EpisodeBlocks, read_blocks
from quintet.messages.paths import Path, parent

EPISODE = Path("stick/0/0")


def _step(path: str, at: float) -> Record:
    event = StepTaken(
        path=Path(path), session="s", action="look", observation="a shed", reward=0.0, done=False, rejected=False
    )
    return Record(event=event, incarnation=1, at=at, seconds=0.25)


def _exchange(path: str, at: float, seconds: float) -> Record:
    event = Exchanged(path=Path(path), request="execute", subject="look around", reply="{}")
    return Record(event=event, incarnation=1, at=at, seconds=seconds)


END = Record(event=EpisodeEnded(path=EPISODE, state="solved", reward=1.0), incarnation=1, at=20.0, seconds=10.0)


def _followed(*records: Record) -> list[Block]:
    blocks = EpisodeBlocks(EPISODE)
    return [block for record in records for block in blocks.add(record)]


def test_a_branch_without_a_record_covers_what_is_below_it() -> None:
    records = [_step("stick/0/0/2/1/1", 12.0), _step("stick/0/0/2/1/2", 13.0), END]
    assert [(block.path, block.kind, block.start, block.end) for block in _followed(*records)] == [
        ("stick/0/0/2/1/1", "step", 11.75, 12.0),
        ("stick/0/0/2/1/2", "step", 12.75, 13.0),
        ("stick/0/0/2/1", "branch", 11.75, 13.0),
        ("stick/0/0/2", "branch", 11.75, 13.0),
        ("stick/0/0", "episode", 10.0, 20.0),
    ]


def test_an_exchange_is_one_block_of_its_own_time() -> None:
    records = _step("stick/0/0/3/1", 12.0), _exchange("stick/0/0/3", 14.0, 3.0)
    found = {block.path: block for block in _followed(*records)}
    assert found[Path("stick/0/0/3")][1:4] == ("request", 11.0, 14.0)


def test_an_episode_that_has_not_ended_has_a_block_without_a_record() -> None:
    *_, episode = read_blocks([_step("stick/0/0/1", 12.0)])
    assert episode == Block(EPISODE, "episode", 11.75, 12.0, None)
    assert read_blocks([]) == []


def test_what_is_no_call_step_or_exchange_takes_no_time() -> None:
    ended = Record(event=BranchEnded(path=Path("stick/0/0/1/1"), place=1), incarnation=1, at=13.0)
    assert [(block.path, block.kind, block.end - block.start) for block in _followed(ended, END)] == [
        ("stick/0/0/1/1", "note", 0.0),
        ("stick/0/0/1", "branch", 0.0),
        ("stick/0/0", "episode", 10.0),
    ]


_below = st.lists(st.integers(1, 2), min_size=1, max_size=4).map(lambda parts: "/".join([EPISODE, *map(str, parts)]))


@given(st.dictionaries(_below, st.booleans(), max_size=12))
def test_every_block_has_its_parent_however_the_records_come(paths: dict[str, bool]) -> None:
    leaves = {path for path in paths if not any(other.startswith(f"{path}/") for other in paths)}
    records = [
        _exchange(path, 15.0, 2.0) if exchanged or path not in leaves else _step(path, 14.0)
        for path, exchanged in paths.items()
    ]
    followed = _followed(*sorted(records, key=lambda record: -record.event.path.count("/")), END)
    read_back = read_blocks([END, *records])
    assert {block.path: block for block in followed} == {block.path: block for block in read_back}
    found = {block.path for block in followed}
    assert len(found) == len(followed)
    assert {parent(path) for path in found - {EPISODE}} <= found
