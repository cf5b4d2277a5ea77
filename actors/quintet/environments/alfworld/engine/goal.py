"""The goal test: a PDDL condition, compiled into a function of the situation.

Conditions are built from `and`, `or`, `exists`, `=` and `not =` over the facts that a household keeps. Negations and
`forall` also range over things that no fact mentions, so they are left to the official engine.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, TypeAlias

from quintet.environments.alfworld.engine.household_state import HouseholdState
from quintet.environments.alfworld.games.game import ForeignGameError
from quintet.environments.alfworld.games.pddl import Expression, Problem, Term, read_declarations

Numbers: TypeAlias = Mapping[str, Mapping[str, int]]
"""By type, the number of every id that a fact mentions."""

_Bound: TypeAlias = list[int]
"""The value of every variable, by its slot."""
_Test: TypeAlias = Callable[[HouseholdState, _Bound], bool]
_Getter: TypeAlias = Callable[[_Bound], int]

_RELATIONS: Mapping[str, Callable[[HouseholdState, int, int], bool]] = {
    "inreceptacle": lambda now, thing, receptacle: thing in now.contents[receptacle],
    "objectatlocation": lambda now, thing, place: thing in now.beside[place],
    "atlocation": lambda now, _agent, place: now.place == place,
    "holds": lambda now, _agent, thing: now.held == thing,
}
_ONLY_AGENT = frozenset({0})
_STATES: Mapping[str, Callable[[HouseholdState], frozenset[int]]] = {
    "opened": lambda now: now.opened,
    "isclean": lambda now: now.clean,
    "ishot": lambda now: now.hot,
    "iscool": lambda now: now.cool,
    "issliced": lambda now: now.sliced,
    "istoggled": lambda now: now.toggled,
    "holdsany": lambda now: frozenset() if now.held is None else _ONLY_AGENT,
}
"""The things of which each is true."""
_STILL = frozenset(
    (
        *("receptacleatlocation", "receptacletype", "objecttype", "cancontain", "openable", "pickupable"),
        *("isreceptacleobject", "inreceptacleobject", "cleanable", "heatable", "coolable", "toggleable", "sliceable"),
    )
)


@dataclass(frozen=True, eq=False, slots=True)
class GoalTest:
    """When a game is won."""

    condition: Expression
    reached: Callable[[HouseholdState], bool]


def compile_goal(problem: Problem, numbers: Numbers) -> GoalTest:
    """Compile a problem's goal; a `ForeignGameError` if a household does not support its facts or operators."""
    compiler = _Compiler(problem, numbers)
    clause = compiler.clause(problem.goal, {})
    return GoalTest(condition=problem.goal, reached=lambda now: clause.test(now, [0] * compiler.slots))


_MOST_TRIES = 10_000_000
"""The most combinations of values for a goal's variables. The official goals have at most a million, of which all but
some dozens are ruled out beforehand."""


class _Variable(NamedTuple):
    slot: int
    type: str


@dataclass(frozen=True, slots=True)
class _Clause:
    test: _Test
    slots: frozenset[int]
    """The outer variables that it uses."""
    still: bool
    """Its value is the same in all situations."""


_Scope: TypeAlias = Mapping[str, _Variable]
_NOWHERE = HouseholdState(place=-1, contents=(), beside=())
"""A situation for tests that do not depend on it."""


class _Compiler:
    def __init__(self, problem: Problem, numbers: Numbers) -> None:
        self._facts = problem.facts
        self._types = problem.types
        others = set(problem.types.values()) - set(numbers)
        self._numbers = {
            **numbers,
            **{kind: {each: number for number, each in enumerate(sorted(_of(problem.types, kind)))} for kind in others},
        }
        self.slots = 0

    def clause(self, condition: Expression, scope: _Scope) -> _Clause:
        match condition:
            case ():
                return _Clause(lambda _now, _bound: True, frozenset(), still=True)
            case ("and", *parts):
                return _joined(all, [self.clause(_listed(part), scope) for part in parts])
            case ("or", *parts):
                return _joined(any, [self.clause(_listed(part), scope) for part in parts])
            case ("exists", variables, part):
                return self._exists(_listed(variables), _listed(part), scope)
            case ("=", one, other):
                return self._equal(one, other, scope)
            case ("not", ("=", one, other)):
                equal = self._equal(one, other, scope)
                return _Clause(lambda now, bound: not equal.test(now, bound), equal.slots, equal.still)
            case (("not" | "forall" | "imply") as other, *_):
                raise ForeignGameError(f"expected a goal of and, or, exists and known facts, got ({other} ...)")
            case (str(predicate), *arguments):
                return self._fact(predicate, arguments, scope)
            case _:
                raise ForeignGameError(f"expected a condition, got {condition!r}")

    def _exists(self, variables: Expression, part: Expression, scope: _Scope) -> _Clause:
        inner = dict(scope)
        own: list[_Variable] = []
        names, part = _flat(_variables(variables), part)
        for name, kind in names.items():
            inner[name] = _Variable(self.slots, kind)
            own.append(inner[name])
            self.slots += 1
        self._refuse_endless(inner)
        wanted = [self.clause(each, inner) for each in _parts(part)]
        outside = frozenset(variable.slot for variable in scope.values())
        slots = _slots(wanted) & outside
        test = self._search(own, wanted, known=set(outside))
        return _Clause(test, slots, still=all(each.still for each in wanted))

    def _refuse_endless(self, scope: _Scope) -> None:
        tries = prod(len(self._numbers.get(variable.type, ())) for variable in scope.values())
        if tries > _MOST_TRIES:
            raise ForeignGameError(f"expected a goal of at most {_MOST_TRIES:,} cases to try, got {tries:,}")

    def _search(self, variables: Sequence[_Variable], wanted: list[_Clause], known: set[int]) -> _Test:
        """Try the candidates of one variable after the other; every clause is tested as soon as it can be."""
        here = _joined(all, [each for each in wanted if known.issuperset(each.slots)])
        left = [each for each in wanted if not known.issuperset(each.slots)]
        if not variables:
            return here.test
        first, *others = variables
        only_first = [each for each in left if each.still and each.slots == frozenset({first.slot})]
        candidates = tuple(self._candidates(first, only_first))
        rest = self._search(others, [each for each in left if each not in only_first], known | {first.slot})

        def search(now: HouseholdState, bound: _Bound) -> bool:
            if not here.test(now, bound):
                return False
            for number in candidates:
                bound[first.slot] = number
                if rest(now, bound):
                    return True
            return False

        return search

    def _candidates(self, variable: _Variable, clauses: Sequence[_Clause]) -> Iterator[int]:
        bound = [0] * self.slots
        for number in self._numbers.get(variable.type, {}).values():
            bound[variable.slot] = number
            if all(clause.test(_NOWHERE, bound) for clause in clauses):
                yield number

    def _equal(self, one: Term, other: Term, scope: _Scope) -> _Clause:
        (first, first_slot), (second, second_slot) = self._term(one, scope), self._term(other, scope)
        if self._type(one, scope) != self._type(other, scope):
            return _Clause(lambda _now, _bound: False, first_slot | second_slot, still=True)
        return _Clause(lambda _now, bound: first(bound) == second(bound), first_slot | second_slot, still=True)

    def _fact(self, predicate: str, arguments: Sequence[Term], scope: _Scope) -> _Clause:
        terms = [self._term(argument, scope) for argument in arguments]
        slots = frozenset(slot for _, own in terms for slot in own)
        getters = tuple(getter for getter, _ in terms)
        match predicate, getters:
            case _, (only,) if predicate in _STATES:
                those = _STATES[predicate]
                return _Clause(lambda now, bound: only(bound) in those(now), slots, still=False)
            case _, (first, second) if predicate in _RELATIONS:
                holds = _RELATIONS[predicate]
                return _Clause(lambda now, bound: holds(now, first(bound), second(bound)), slots, still=False)
            case _:
                pass
        if predicate not in _STILL:
            raise ForeignGameError(f"expected known facts in the goal, got ({predicate} ...)")
        true = {tuple(self._number(argument) for argument in fact) for fact in self._facts.get(predicate, ())}
        return _Clause(lambda _now, bound: tuple(getter(bound) for getter in getters) in true, slots, still=True)

    def _term(self, term: Term, scope: _Scope) -> tuple[_Getter, frozenset[int]]:
        if isinstance(term, str) and term in scope:
            slot = scope[term].slot
            return lambda bound: bound[slot], frozenset({slot})
        number = self._number(term)
        return lambda _bound: number, frozenset()

    def _number(self, term: Term) -> int:
        if not isinstance(term, str) or term not in self._types:
            raise ForeignGameError(f"expected a declared name in the goal, got {term!r}")
        return self._numbers[self._types[term]].get(term, -1)

    def _type(self, term: Term, scope: _Scope) -> str | None:
        if not isinstance(term, str):
            return None
        return scope[term].type if term in scope else self._types.get(term)


def _variables(listed: Expression) -> dict[str, str]:
    try:
        return read_declarations(listed)
    except ValueError as error:
        raise ForeignGameError(f"{error} in the goal") from error


def _flat(names: dict[str, str], part: Expression) -> tuple[dict[str, str], Expression]:
    """Merge nested `exists`, so that all clauses narrow the candidates before the search."""
    while part[:1] == ("exists",) and len(part) == 3:
        inner = _variables(_listed(part[1]))
        if not inner.keys().isdisjoint(names):
            break
        names, part = {**names, **inner}, _listed(part[2])
    return names, part


def _of(types: Mapping[str, str], kind: str) -> Iterator[str]:
    return (each for each, type_ in types.items() if type_ == kind)


def _listed(part: Term) -> Expression:
    if isinstance(part, str):
        raise ForeignGameError(f"expected a condition in brackets, got {part!r}")
    return part


def _parts(condition: Expression) -> list[Expression]:
    if condition[:1] == ("and",):
        return [each for part in condition[1:] for each in _parts(_listed(part))]
    return [condition]


def _joined(join: Callable[[Iterable[bool]], bool], clauses: Sequence[_Clause]) -> _Clause:
    if len(clauses) == 1:
        return clauses[0]
    tests = tuple(clause.test for clause in clauses)
    still = all(clause.still for clause in clauses)
    return _Clause(lambda now, bound: join(test(now, bound) for test in tests), _slots(clauses), still)


def _slots(clauses: Iterable[_Clause]) -> frozenset[int]:
    return frozenset(slot for clause in clauses for slot in clause.slots)
