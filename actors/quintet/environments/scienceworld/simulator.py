"""The package's simulator: one Java process, in which this process plays any number of games, and one that finds ways.

Games are kept apart. The simulator draws from one generator and numbers its objects by one counter, whoever plays; so
each game has its own of both, which are put in place before it is called. One call is made at a time.
"""

import os
import re
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from threading import Lock
from typing import Any, Final, Literal
from weakref import finalize

from msgspec import Struct

from quintet.environments.scienceworld.package import simulator_file
from quintet.errors import WorldFault, one_line

_JAVA_OPTIONS: Final = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-XX:+UseSerialGC"]
"""Sets of objects are walked in the order of their hashes, by default other ones in every game; so all are alike.
Java's default collector lets the garbage of a long way grow to gigabytes, and is no faster."""
_WITHOUT_OBJECT: Final = ("look around", "inventory", "wait", "wait1")
_VERBS: Final = (
    "activate|close|connect|deactivate|disconnect|dunk|eat|flush|focus on|go to|look at|look in|mix|move|open|pick up|"
    "pour|put down|read|use"
)
_SHUT: Final = re.compile(r"The ([^.\n]+) door is closed\.")
"""A container, in what is seen of a room."""
_FIRST: Final = "look around"
"""What the package does before an agent's first action."""
_NOT_UNDERSTOOD: Final = "No known action matches"
_LISTING_IDS: Final = 1 << 40
"""Numbers of objects that are made while actions are listed."""


class Turns:
    """A lock that goes to who asked first. Python's own would stay with a replay, which asks again at once."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._asked = deque[Lock]()
        """One of each who waits, released when it is its turn; the first is whose turn it is."""

    def __enter__(self) -> None:
        mine = Lock()
        with self._guard:
            if self._asked:
                mine.acquire()
            self._asked.append(mine)
        mine.acquire()

    def __exit__(self, *raised: object) -> None:
        with self._guard:
            self._asked.popleft()
            if self._asked:
                self._asked[0].release()


class SimulatorAnswer(Struct, frozen=True):
    """What the simulator said to an action."""

    seen: str
    score: int
    """The package's own: up to 100, and below 0 once the task has failed."""
    completed: bool

    @property
    def understood(self) -> bool:
        """Whether the action was carried out."""
        return not self.seen.startswith(_NOT_UNDERSTOOD)

    @property
    def ends(self) -> bool:
        """Whether the task is over, solved or failed."""
        return self.completed or self.score < 0


class SimulatorGame:
    """One task that is played."""

    def __init__(self, simulator: "_Simulator", kind: str, variation: int) -> None:
        self._simulator = simulator
        self.random, self.ids = simulator.new_random(), 0
        with simulator.turn_of(self):  # what it makes, it makes with the generator that is in place
            self._play = simulator.new_interface()
            finalize(self, simulator.forget, self._play, self.random).atexit = False
            self._play.load(kind, variation, "", False)
        self.first = self.step(_FIRST).seen
        """What is seen as the task begins."""

    def step(self, action: str) -> SimulatorAnswer:
        """Act; `action` is a text of UTF-8."""
        with self._simulator.turn_of(self):
            seen: str = self._play.step(action)
            return SimulatorAnswer(seen, round(100 * self._play.getScore()), self._play.getCompleted())

    def task_description(self) -> str:
        """What the task is, in the package's words."""
        with self._simulator.turn_of(self):
            text: str = self._play.getTaskDescription()
            return text

    def possible_actions(self) -> tuple[str, ...]:
        """Those that the simulator lists and understands, sorted; listing them changes nothing.

        Half of its list may have names, such as `bee 0` or of what is behind a closed door of a cupboard, that it does
        not understand itself.
        """
        listing = _Listing(self._simulator.new_random(), _LISTING_IDS)
        with self._simulator.turn_of(listing):
            listed = self._simulator.texts(self._play.getValidActionObjectCombinations())
            names = self._simulator.texts(self._play.getPossibleObjects())
            shut: list[str] = _SHUT.findall(self._play.freeActionLook())
        # A large cupboard is a cupboard in the names of what is in it.
        within = [f" in {name}" for name in names if any(each.endswith(name) for each in shut)]
        one = f"(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})"
        understood = re.compile(rf"\d+|(?:{_VERBS}) {one}(?: (?:to|into|in|on) {one})?")
        known = (each for each in listed if each in _WITHOUT_OBJECT or understood.fullmatch(each))
        return tuple(sorted({each for each in known if not any(held in each for held in within)}))


class _Listing(Struct):
    """What is put in place while actions are listed, instead of a game's own."""

    random: Any
    ids: int


class _Simulator:
    """A Java process. It ends with this one, however that ends: it reads its input, a pipe, to the end."""

    def __init__(self) -> None:
        py4j = import_module("py4j.java_gateway")
        port, token, self._process = py4j.launch_gateway(
            classpath=simulator_file(),
            cwd=os.sep,  # it looks there for a table of types that an earlier one wrote
            javaopts=_JAVA_OPTIONS,
            die_on_exit=True,
            create_new_process_group=True,  # an interrupt is for the run, which then closes its sessions
            enable_auth=True,
            return_proc=True,
        )
        gateway = py4j.JavaGateway(gateway_parameters=py4j.GatewayParameters(port=port, auth_token=token))
        self._gateway: Any = gateway
        self._java: Any = gateway.jvm
        find: Callable[[str], Any] = self._java.java.lang.Class.forName
        self._generator = find("scala.util.Random$").getField("MODULE$").get(None)
        self._generator_field = find("scala.util.Random").getDeclaredField("self")
        self._generator_field.setAccessible(True)
        self._counter = find("util.UniqueIdentifier$").getField("MODULE$").get(None)
        self._paths = find("scienceworld.goldagent.PathFinder$").getField("MODULE$").get(None)
        types = find("util.UniqueTypeID$")
        written = types.getDeclaredField("FILENAME_IDS")
        written.setAccessible(True)
        written.set(types.getField("MODULE$").get(None), os.devnull)
        self._turns = Turns()
        self._playing: SimulatorGame | _Listing | None = None

    @property
    def process_id(self) -> int:
        """Of the Java process."""
        number: int = self._process.pid
        return number

    @property
    def ended(self) -> bool:
        """Whether its process has ended, so that its games are lost."""
        return self._process.poll() is not None

    def new_random(self) -> Any:
        """A generator that nobody else draws from."""
        return self._java.java.util.Random(0)

    def new_interface(self) -> Any:
        """The simulator's own object for a game."""
        return self._java.scienceworld.runtime.pythonapi.PythonInterface()

    def forget(self, *held: Any) -> None:
        """Let Java free what it holds for Python, megabytes for a game: py4j's objects are parts of cycles."""
        for each in held:
            self._gateway.detach(each)

    def texts(self, listed: Any) -> list[str]:
        """Those in a list of Java's, which is forgotten. An iterator of its would hold it too."""
        try:
            return [*map(listed.get, range(listed.size()))]
        finally:
            self.forget(listed)

    @contextmanager
    def turn_of(self, player: SimulatorGame | _Listing) -> Generator[None, None, None]:
        """Hold the simulator for one player, with its generator and its counter in place.

        Raises:
            WorldFault: what is done inside fails in Java, or Java has ended.
        """
        failed: type[Exception] = import_module("py4j.protocol").Py4JError
        try:
            with self._turns:
                self._put_in_place(player)
                yield
        except failed as error:
            raise WorldFault(f"scienceworld: expected an answer of the simulator, got {one_line(error)}") from error

    def gold_path(self, kind: str, variation: int) -> tuple[str, ...]:
        """The package's own way to solve a task; it may go on after that."""
        player = _Listing(self.new_random(), 0)
        with self.turn_of(player):
            found = self.new_interface()
            self._paths.precomputedExhaustivePaths().clear()  # or the way depends on those that were asked before
            try:
                found.load(kind, variation, "", True)
                return tuple(self.texts(found.getGoldActionSequence()))
            finally:
                self.forget(found)

    def _put_in_place(self, player: SimulatorGame | _Listing) -> None:
        if self._playing is player:
            return
        if self._playing is not None:
            self._playing.ids = self._counter.count()
        self._generator_field.set(self._generator, player.random)
        getattr(self._counter, "count_$eq")(player.ids)
        self._playing = player


_STARTING: Final = Lock()
_STARTED: Final[dict[Literal["games", "ways"], _Simulator]] = {}


def simulator() -> _Simulator:
    """The one in which this process plays, started at the first call, and again if it has ended."""
    return _started("games")


def way_finder() -> _Simulator:
    """Another, in which ways are found and tried, for many seconds each: games go on meanwhile."""
    return _started("ways")


def _started(use: Literal["games", "ways"]) -> _Simulator:
    with _STARTING:
        found = _STARTED.get(use)
        if found is None or found.ended:
            try:
                found = _STARTED[use] = _Simulator()
            except (OSError, ValueError, import_module("py4j.protocol").Py4JError) as error:
                raise WorldFault(
                    f"scienceworld: expected Java to start the simulator, got {one_line(error)}"
                ) from error
        return found
