"""ALFWorld as a world: the source of its games, and the engine that plays them."""

import warnings
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias, get_args

from quintet.environments.alfworld.data import check_data, generate_data
from quintet.environments.alfworld.engine.household import household
from quintet.environments.alfworld.games.dialect import DIALECTS, NEW, DialectName, GameDialect, in_words_of
from quintet.environments.alfworld.games.game import ForeignGameError, Game
from quintet.environments.alfworld.games.recognition import rules_of
from quintet.environments.alfworld.official.state import TextWorldState, begin_official, require_engine, translate_game
from quintet.environments.alfworld.session import AlfWorldState
from quintet.environments.alfworld.sources.folder import FolderLibrary, OnBadFile
from quintet.environments.alfworld.sources.library import GeneratedLibrary
from quintet.environments.data_commands import DataCommand
from quintet.environments.options import check_choice
from quintet.errors import UsageError
from quintet.messages.environment import Task
from quintet.ports.effects import Effect
from quintet.ports.world import World

EngineName: TypeAlias = Literal["auto", "native", "textworld"]

_RULES = "3"
_KEPT = 256
"""Size of the cache of prepared games; one takes some 100 KB."""


class AlfWorld(World):
    """Household tasks in text: find things, clean, heat or cool them, put them where they belong.

    Args:
        data: a folder or a file of games; None: generated households.
        dialect: `classic` (used by all papers) or `new` (ALFWorld 0.4.0 and later); None: each game file's own.
        engine: `native`; `textworld`: the official one, which needs the extra `alfworld`; `auto`: the native one, but
            the official one for games with unknown rules.
        either_put: whether `put X in/on Y` and `move X to Y` both put an object down.
        causes: whether the answer to a rejected action says why (AutoPlan, Table 6). The native engine only.
        on_bad_file: `refuse` a folder with a file that holds no game, or `skip` it, with a warning that counts them.

    Raises:
        UsageError: the data cannot be used.

    Source: Shridhar et al. (2021), and its released engine for texts and rules. Differs: see README.md.
    """

    name = "alfworld"
    prompt_folder = Path(__file__).parent / "prompts"
    variables: ClassVar[Mapping[str, str]] = {
        "data": "ALFWORLD_DATA"
    }  # by which the official package finds its data too
    data_commands: ClassVar[Mapping[str, DataCommand]] = {"generate": generate_data, "check": check_data}

    def __init__(
        self,
        data: Annotated[Path | str | None, Effect.LOADS] = None,
        *,
        dialect: DialectName | None = None,
        engine: EngineName = "auto",
        either_put: bool = False,
        causes: bool = False,
        on_bad_file: OnBadFile = "refuse",
    ) -> None:
        for option, given, known in (
            ("dialect", dialect, (None, *DIALECTS)),
            ("engine", engine, get_args(EngineName)),
            ("on_bad_file", on_bad_file, get_args(OnBadFile)),
        ):
            check_choice(option, given, known, "alfworld")
        if engine == "textworld":
            if either_put or causes:
                raise UsageError("engine: expected native for either_put and causes, got 'textworld' (alfworld)")
            require_engine()
        self._library = GeneratedLibrary() if data is None else FolderLibrary(Path(data), on_bad_file)
        self._dialect = None if dialect is None else DIALECTS[dialect]
        self._engine = engine
        self._either_put = either_put
        self._causes = causes
        self._prepared = lru_cache(_KEPT)(self._prepare)
        said = "+causes" * causes + "+either_put" * either_put
        self.version = f"{_RULES}{said}+{self._library.version}"
        # The native engine copies. The official one repeats, and it plays all games only if it is configured to.
        self.forks = "replay" if engine == "textworld" else "copy"
        self.splits = self._library.splits
        """Those of `valid_unseen`, `valid_seen` and `train` that exist; for a plain folder of games `games`."""

    def tasks(self, split: str) -> tuple[str, ...]:
        """The tasks of a split; a `UsageError` if it is none, cannot be read, or no engine plays its games."""
        names = self._library.tasks(split)
        if self._engine != "textworld" and isinstance(self._library, FolderLibrary):
            self._refuse_unplayable(self._library.listing(split).dialects)
        return names

    def metadata(self, task: str) -> Mapping[str, str]:
        return {"task type": self._library.task_type(task)}

    def content(self, split: str) -> Mapping[str, str]:
        return {"games": self._library.content(split), "dialect": self._spoken.name}

    def worded(self, text: str) -> str:
        """Translate a prompt from the new dialect, in which all are written, into that of the games."""
        return in_words_of(text, self._spoken)

    @cached_property
    def _spoken(self) -> GameDialect:
        if self._dialect is not None:
            return self._dialect
        game = self._library.game(self._library.tasks(self.splits[0])[0])
        try:
            return rules_of(game).dialect
        except ForeignGameError:
            return NEW

    def open(self, task: Task) -> AlfWorldState | TextWorldState:
        """The state in which a task begins. The seed has no effect: a game fixes its whole world."""
        return self._prepared(task.name).fork()

    def _prepare(self, name: str) -> AlfWorldState | TextWorldState:
        """The game of that name at its start: prepared for the native engine, or begun by the official one."""
        game = self._library.game(name)
        if self._engine == "textworld":
            return self._official(game)
        try:
            house = household(game, self._dialect)
        except ForeignGameError as error:
            if (hindrance := self._hindrance()) is not None:
                raise UsageError(f"game: {error} ({name}); the official engine may know it, but {hindrance}") from error
            warnings.warn(f"{name} is played by the official engine: {error}", RuntimeWarning, stacklevel=2)
            return self._official(game)
        except ValueError as error:
            raise UsageError(f"game: {error} ({name})") from error
        self._refuse_other_dialect(name, house.dialect)
        return AlfWorldState(house, game.walkthrough or (), either_put=self._either_put, causes=self._causes)

    def _refuse_unplayable(self, dialects: Mapping[str, GameDialect | str]) -> None:
        foreign = [reason for reason in dialects.values() if isinstance(reason, str)]
        if foreign and (hindrance := self._hindrance()) is not None:
            how_many = f"{len(foreign):,} of {len(dialects):,} games play by rules that are not known here"
            raise UsageError(f"{foreign[0]}; {how_many}; the official engine may know them, but {hindrance}")
        if self._dialect is None:
            for name, known in dialects.items():
                if not isinstance(known, str):
                    self._refuse_other_dialect(name, known)

    def _refuse_other_dialect(self, name: str, dialect: GameDialect) -> None:
        if dialect is not self._spoken:
            both = f"of one dialect, {self._spoken.name} as the first, got one in {dialect.name}"
            raise UsageError(f"data: expected games {both}; environment.dialect says which to play all in ({name})")

    def _hindrance(self) -> str | None:
        """Why the official engine may not play games that the native one cannot; None: it may."""
        if self._either_put or self._causes:
            return "it has neither causes nor either_put (environment.causes, environment.either_put)"
        if self._engine == "native":
            return "only the native one is to play (environment.engine)"
        try:
            require_engine()
        except UsageError as error:
            return str(error)
        return None

    def _official(self, game: Game) -> TextWorldState:
        return begin_official(game if self._dialect is None else translate_game(game, self._dialect))
