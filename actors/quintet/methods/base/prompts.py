"""Prompt texts: files beside their method, which a user's folder may replace one by one.

A prompt belongs to a request and has its name: `decompose.txt` holds the instructions. The role's further texts are
parts of it: `execute.thought.txt`. All other prompts are worked examples for the executor. A world may bring prompts
for methods that have none for it, a role may bring prompts for all methods and worlds that have none, and a method has
plain ones for worlds for which there are no others: see `PLAIN`.

What all methods are told of a world is one file, which their prompts insert: see `INSERTED`.
"""

import re
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from quintet.errors import UsageError
from quintet.plugins.files import read_limited
from quintet.questions.shape import SHAPES, AnswerForm, with_form

INSERTED: Final = ("rules", "subgoals")
"""Prompts of a world that stand in others in place of `{rules}` and `{subgoals}`. `rules`: the world's actions, answers
and goals, in every prompt that acts there. `subgoals`: the parts of a task that may be goals, for the methods that
another one may give a part."""

PLAIN: Final = "plain"
"""The folder, beside those for worlds, of a method's prompts that suit every world: they know of it what its opening
says, and its `rules`."""

PLAIN_INSERTED: Final = Path(__file__).parent / PLAIN
"""What prompts insert in a world that does not say it: `rules` and `subgoals` that suit every one."""

_INSERTED = re.compile(rf"\{{({'|'.join(INSERTED)})\}}")

_LARGEST = 2**20
"""Bytes of a prompt's file."""


class Prompts:
    """The prompts of one method for one world.

    Args:
        folders: searched in order for `<folder>/<world>/<name>.txt`; a user's own folder comes first.
        forms: of the answers to requests, by their prompt's name; text unless stated.
        from_world: searched then for `<folder>/<name>.txt`: what the world brings for the method.
        plain: searched then for `<folder>/<name>.txt`: the method's own, which suit every world.
        defaults: searched last for `<folder>/<name>.txt`, which suit every method and world.

    Raises:
        UsageError: no folder can have the world's name, or one may not be searched.
    """

    def __init__(
        self,
        folders: Sequence[Path],
        world: str,
        forms: Mapping[str, AnswerForm] | None = None,
        defaults: Sequence[Path] = (),
        from_world: Sequence[Path] = (),
        plain: Sequence[Path] = (),
    ) -> None:
        for folder in folders:
            try:
                (folder / world).exists()
            except OSError as error:
                got = f"{error.strerror}: {world!r:.60}"
                raise UsageError(f"prompt: expected a folder that can be searched, got {got} ({folder})") from error
        self._folders = (*(folder / world for folder in folders), *from_world, *plain)
        self._plain = plain
        self.places: tuple[Path, ...] = (*self._folders, *defaults)
        """The folders of prompts, in the order in which they are searched."""
        self._forms = forms or {}
        self._texts: dict[str, str] = {}
        self._hashes: dict[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the method's prompts in the world, sorted."""
        found = {file.stem for folder in self._folders for file in folder.glob("*.txt")}
        return tuple(sorted(found))

    def find(self, name: str) -> Path | None:
        """The file of a prompt; None: there is none."""
        return next((file for place in self.places if (file := place / f"{name}.txt").exists()), None)

    @property
    def any_plain(self) -> bool:
        """Whether the world has, of what the method reads, only some: a plain prompt stands in for the rest."""
        return any(file.parent in self._plain for name in self.names if (file := self.find(name)))

    def text(self, name: str) -> str:
        """The prompt called `name`, without surrounding blank lines.

        Raises:
            UsageError: no folder has it, or it is not text.
        """
        file = self.find(name)
        if file is None:
            places = ", ".join(map(str, self.places))
            raise UsageError(f"prompt: expected a file {name}.txt in one of {places}, found none")
        return self._read(name, file)

    def _read(self, name: str, file: Path) -> str:
        text = _INSERTED.sub(lambda insertion: self._inserted(insertion[1], file), read_prompt(file))
        try:
            text = with_form(text, self._forms.get(name.partition(".")[0], "text"))
        except KeyError as error:
            known = ", ".join(SHAPES)
            raise UsageError(f"prompt: expected {{form NAME}} with one of {known}, got {error} ({file})") from error
        if not text.strip():
            raise UsageError(f"prompt: expected text, got an empty file ({file})")
        self._texts[name] = text.strip("\n")
        self._hashes[name] = sha256(text.encode()).hexdigest()
        return self._texts[name]

    def _inserted(self, name: str, file: Path) -> str:
        other = self.find(name)
        if other is None:
            places = ", ".join(map(str, self.places))
            raise UsageError(f"prompt: expected {name}.txt in one of {places}, found none ({file})")
        return read_prompt(other).strip("\n")

    @property
    def texts(self) -> dict[str, str]:
        """Every prompt read so far, by name."""
        return dict(sorted(self._texts.items()))

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every prompt read so far, by name: part of a run's record."""
        return dict(sorted(self._hashes.items()))


def read_prompt(file: Path) -> str:
    """The text of a prompt's file; a `UsageError` if it cannot be read, or is no text or too long."""
    try:
        data = read_limited(file, _LARGEST)
        return data.decode()
    except OSError as error:
        raise UsageError(f"prompt: expected a readable file, got {error.strerror} ({file})") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"prompt: expected UTF-8 text, got byte {error.object[error.start]:#x} ({file})") from error
    except ValueError as error:
        raise UsageError(f"prompt: {error} ({file})") from error
