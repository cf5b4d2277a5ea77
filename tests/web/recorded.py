"""The runs that the web tests look at, and a server for them."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.reports import write_run
from quintet.api import evaluate, fork
from quintet.cli import main
from quintet.events import AnyEvent, CallMade, NodeGrown, Record, SessionOpened, StepTaken
from quintet.journal.writer import SqliteJournal
from quintet.launch.writable_run import WritableRun
from quintet.messages.paths import child, episode_path
from quintet.messages.prompts import Prompt, assistant, system, user
from quintet.ports.model import Completion, Sampling
from quintet.runs.fork_record import Begun, Continued, ForkRecord
from quintet.runs.record import RunRecord
from quintet.view.folder import ViewedFolder
from quintet.view.server import ViewServer, serve_view
from tests.deploy import samples, trees
from tests.deploy.samples import Went

EPISODES = 10_000
NODES = 10_000
TURNS = 3_000
STEPS = 200
FORKS = 3
FRAMES = 40
TRACEBACK = "".join(
    [
        "Traceback (most recent call last):\n",
        *(f'  File "own.py", line {line}, in depth_{line}\n    depth_{line + 1}()\n' for line in range(FRAMES)),
        "ValueError: expected a step\n",
    ]
)
HOSTILE = (
    '</script><script>window.hacked = 1; alert("script")</script><img src=x onerror="window.hacked = 2">'
    '<a href="javascript:window.hacked = 3">click</a><style>body{display:none}</style> ${7*7} {{7*7}} <!-- &lt;b&gt;'
)

HOSTILE_TASK = "-rf $(touch hacked) `id` \"'><img src=x onerror=alert(1)><b> & ; | * ~ \\ ${HOME} !! #\u00e9"
STAIRS = "polished granite stairs/0/0"
"""An episode of the run `react` that takes many steps."""


def write_runs(folder: Path) -> None:
    """Many episodes, a large tree, conversations to read, hostile texts, runs to compare, forks, and two that learn."""
    write_run(folder / "many", epochs=EPISODES // 200, turns=1)
    trees.write_events(folder / "tree", _tree())
    _write_hostile(folder / "hostile")
    samples.write(folder / "seen", samples.record(), {"beehive": Went(calls=2, pictures=True)})
    faulted, cut_short = Went("faulted", 0.0, traceback=TRACEBACK), Went("unsolved", 0.0, cut_short=True)
    marked = {"beehive": Went(calls=3, finish="length"), "cake": faulted, "stick": cut_short}
    samples.write(folder / "marked", samples.record("react", marked), marked)
    samples.write(folder / "long", samples.record(), {"beehive": Went(calls=TURNS)})
    for method in ("adapt", "react"):
        evaluate(method, "textcraft", model="sim-fallible", tasks=12, journal=folder / method)
    fork(folder / "react", at="step:3", episode=STAIRS, observe="Nothing here.", journal=folder / "observed")
    fork(folder / "react", at="step:5", episode=STAIRS, times=2, journal=folder / "drawn")
    _write_long_fork(folder)
    _write_hostile_fork(folder)
    for method in ("autoplan", "ldm2"):
        learn = ["--set", "learning.tasks=8", "--tasks", "2", "--model", "sim-fallible"]
        assert main(["optimize", method, "textcraft", *learn, "--out", str(folder / method)]) == 0


def _write_long_fork(folder: Path) -> None:
    """An episode of 200 steps, and three forks of it at step 150, as if they had gone on in the same way."""
    walk = samples.record()
    samples.write(folder / "walk", walk, {"beehive": Went(calls=STEPS)})
    for number in range(FORKS):
        record = _fork_record(walk, folder / "walk", "beehive")
        samples.write(folder / f"walk-{number}", record, {"beehive": Went(calls=STEPS - 50 + number)})


def _write_hostile_fork(folder: Path) -> None:
    """A task whose name a shell and a browser must not obey, and a fork of its episode."""
    named = samples.record()
    fork_of_it = _fork_record(named, folder / "named", HOSTILE_TASK, HOSTILE)
    for name, record in {"named": named, "named-fork": fork_of_it}.items():
        tasks = (record.tasks[0].model_copy(update={"name": HOSTILE_TASK}),)
        samples.write(folder / name, record.model_copy(update={"tasks": tasks}), {HOSTILE_TASK: Went(calls=2)})


def _continued(task: str) -> Continued:
    return Continued(task=task, epoch=0, of=f"{task}/0/0", at="1/1", before=1, begun=Begun(world=0, epoch=0))


def _fork_record(run: RunRecord, path: Path, task: str, *changes: str) -> RunRecord:
    made = ForkRecord(run=path, created=run.created, at="1/1", episodes=(_continued(task),), changes=changes)
    return samples.record().model_copy(update={"fork": made})


def _tree() -> Iterator[NodeGrown]:
    """A tree of 10,000 nodes: three children a node, a third of them pruned."""
    for number in range(NODES):
        parent = (number - 1) // 3 if number else None
        yield NodeGrown(
            path=child(trees.EPISODE, number + 1),
            tree=trees.EPISODE,
            node=number,
            parent=parent,
            action="" if parent is None else f"go to place {number}",
            session=None,
            value=(number % 100) / 100,
            standing="chosen" if number in (0, 1, 4) else "pruned" if number % 3 == 0 else "open",
        )


def _write_hostile(path: Path) -> None:
    """A run in which model, world and task say what a browser must not obey."""
    episode = episode_path("beehive", 0, 0)
    prompt = Prompt(system(HOSTILE), user(HOSTILE), assistant(HOSTILE), user("go on"))
    events: list[AnyEvent] = [
        SessionOpened(path=child(episode, 1), session=f"{episode}/1", observation=HOSTILE),
        CallMade(
            path=child(episode, 2),
            model="model",
            prompt=prompt.node.address,
            sampling=Sampling(),
            completion=Completion(text=HOSTILE, reasoning=HOSTILE),
            phase="<b>execute",
        ),
        StepTaken(
            path=child(episode, 3),
            session=f"{episode}/1",
            action=HOSTILE,
            observation=HOSTILE,
            reward=0.0,
            done=False,
            rejected=True,
        ),
        trees.node(0, None),
        trees.node(4, 0, HOSTILE),
    ]

    async def write(file: Path) -> None:
        journal = SqliteJournal(file)
        incarnation = journal.begin(episode)
        nodes = prompt.nodes_since(())
        await journal.append(
            Record(event=event, incarnation=incarnation, prompts=nodes if isinstance(event, CallMade) else ())
            for event in events
        )
        journal.close()

    with WritableRun.create(path, samples.record("react", ("beehive",))) as folder:
        asyncio.run(write(folder.journal))


def elsewhere(work: Callable[[], object]) -> None:
    """Do what begins an event loop of its own in another thread: as long as a browser is there, this one has one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        pool.submit(work).result()


class Served:
    """A viewer's server in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_until_complete, args=(self._serve(),))
        self.server: ViewServer

    async def _serve(self) -> None:
        self._end = asyncio.Event()
        async with serve_view(ViewedFolder(self._folder)) as self.server:
            self._ready.set()
            await self._end.wait()

    def __enter__(self) -> str:
        self._thread.start()
        assert self._ready.wait(10)
        return self.server.url

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)
        self._loop.close()
