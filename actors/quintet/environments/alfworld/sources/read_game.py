"""Whether a file holds a whole game: a cheap look at its ends, and one that reads all of its problem."""

import re
from pathlib import Path

from quintet.environments.alfworld.engine.household import Household, household
from quintet.environments.alfworld.games.game import ForeignGameError, Game, read_game
from quintet.environments.alfworld.games.grammar import states_objective
from quintet.errors import UsageError

_COMMENT = re.compile(r";[^\n]*")
_ENDS = ("}", ";")
"""An action of a grammar ends in one, its table of texts in the other."""


def whole(file: Path) -> Game:
    """The game in a file, which does not look as if something of it were missing.

    Raises:
        UsageError: it cannot be read, is no game, or a part of one.
    """
    game = read_game(file)
    problem, domain, grammar = game.pddl_problem, game.pddl_domain, game.grammar
    for what, text, is_whole in (
        ("planning problem", problem, _closed(problem) and "(:goal" in problem.lower()),
        ("domain", domain, _closed(domain)),
        ("grammar with an objective", grammar, _ended(grammar) and states_objective(grammar)),
    ):
        if not is_whole:
            raise UsageError(f"game: expected a whole {what}, got {len(text):,} characters of one ({file})")
    return game


def prepared(game: Game, file: Path) -> Household | None:
    """The game made ready for the native engine; None: only the official one can say whether it is a game.

    Raises:
        UsageError: its problem is none.
    """
    try:
        return household(game)
    except ForeignGameError:
        return None
    except ValueError as error:
        raise UsageError(f"game: {error} ({file})") from error


def _closed(text: str) -> bool:
    code = _COMMENT.sub("", text)
    return "(define" in code.lower() and code.count("(") == code.count(")")


def _ended(grammar: str) -> bool:
    # The official grammars close one brace more than they open.
    opened, closed = grammar.count("{"), grammar.count("}")
    return grammar.rstrip().endswith(_ENDS) and grammar.count('"""') % 2 == 0 and opened <= closed
