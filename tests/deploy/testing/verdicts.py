"""What contracts say of objects, and their clauses by how they begin."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from quintet.testing.contract import Verdict, clauses, run_contracts


def verdicts_on(contracts: Mapping[ModuleType, Sequence[object]]) -> list[Verdict]:
    """The verdict on every clause of some contracts, each with its cases."""
    verdicts: list[Verdict] = []
    run_contracts(contracts, verdicts.append)
    return verdicts


def clause_of(beginning: str, *contracts: ModuleType) -> Callable[[Any], None]:
    """The clause that begins with these words."""
    ((_, clause),) = _beginning(beginning, *contracts).items()
    return clause


def unbroken_clauses(broken: Iterable[str], *contracts: ModuleType) -> set[str]:
    """The clauses that begin with none of these words."""
    found = {name for beginning in broken for name in _beginning(beginning, *contracts)}
    return {name for contract in contracts for name in clauses(contract)} - found


def _beginning(words: str, *contracts: ModuleType) -> dict[str, Callable[..., None]]:
    every = (each for contract in contracts for each in clauses(contract).items())
    return {name: clause for name, clause in every if name.startswith(words)}
