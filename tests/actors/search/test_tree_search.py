from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from quintet.messages.environment import Close
from quintet.messages.solving import Solved, Unsolved
from quintet.search.expansion import Expander
from quintet.search.tree_search import TreeSearch
from tests.actors.search.kitchen import Searched


class Played(Searched):
    """A search that expands the open leaves one after the other, as many times as it is told."""

    def __init__(
        self,
        menu: Mapping[str, Sequence[str]],
        marks: Mapping[str, str] | None = None,
        *,
        expansions: int = 1,
        **options: Any,
    ) -> None:
        self.open_sessions: list[int] = []
        """After each expansion."""

        async def grow(search: TreeSearch, expander: Expander) -> None:
            for _ in range(expansions):
                leaf = next(node for node in search.tree.nodes if node.is_open)
                await search.add(leaf, await expander.expand(search.point(leaf)))
                self.open_sessions.append(self.roles.actor.sessions)

        super().__init__(menu, marks, grow, **options)


def test_the_answer_is_the_done_leaf_and_its_path_is_chosen() -> None:
    played = Played({"": ["wait", "burn"]}, {"wait": "Mark: 10", "burn": "Mark: 1"})
    assert isinstance(played.answer, Unsolved)
    assert (played.answer.done, played.answer.reason) == (True, "the task ended without success")
    assert [turn.observation for turn in played.answer.turns] == ["It is burnt."]
    assert played.standings == {"": "chosen", "wait": "open", "burn": "chosen"}


def test_with_an_oracle_the_done_leaf_of_the_greatest_reward_is_the_answer() -> None:
    menu, marks = {"": ["burn", "sell"]}, {"burn": "Mark: 10", "sell": "Mark: 1"}
    assert (Played(menu, marks).answer.reward, Played(menu, marks, oracle=False).answer.reward) == (0.5, 0.0)


def test_a_success_is_solved_and_ends_a_search_with_an_oracle_only() -> None:
    menu, marks = {"": ["serve", "burn"]}, {"serve": "Mark: 1", "burn": "Mark: 10"}
    with_oracle, without = Played(menu, marks), Played(menu, marks, oracle=False)
    assert with_oracle.search.has_succeeded
    assert isinstance(with_oracle.answer, Solved)
    assert (with_oracle.answer.last_action, with_oracle.answer.reward) == ("serve", 1.0)
    assert not without.search.has_succeeded
    assert isinstance(without.answer, Unsolved)  # the model values the burnt supper more


def test_without_a_done_leaf_the_answer_is_the_one_of_the_highest_rank() -> None:
    played = Played({"": ["wait", "taste"]}, {"wait": "Mark: 3", "taste": "Mark: 2"})
    assert isinstance(played.answer, Unsolved)
    assert (played.answer.reason, played.answer.reward) == ("no leaf of the tree is done", 0.0)
    assert len(played.answer.turns) == 1


def test_an_empty_tree_answers_with_the_session_that_was_given() -> None:
    played = Played({"": ["fly", "swim"]})
    assert isinstance(played.answer, Unsolved)
    assert played.answer.session == played.search.episode.session
    assert (played.answer.turns, played.standings) == ((), {"": "chosen"})


def test_all_sessions_but_the_answer_s_are_closed() -> None:
    played = Played({"": ["wait", "taste"], "wait": ["wait", "burn"]}, expansions=2)
    assert played.roles.actor.sessions == 1
    assert played.answer.session not in [request.session for request in played.roles.requests(Close)]


def test_an_expanded_node_and_a_worse_end_keep_no_session() -> None:
    menu = {"": ["wait", "burn"], "wait": ["wait", "burn"]}
    played = Played(menu, expansions=6, depth=9)
    assert played.open_sessions == [3] * 6  # the root's, the best end's, and one open leaf's


def test_a_leaf_without_children_is_pruned() -> None:
    played = Played({"": ["wait", "taste"], "wait": ["fly", "swim"]}, expansions=2)
    assert played.standings == {"": "chosen", "wait": "pruned", "taste": "chosen"}


def test_a_search_is_full_when_it_has_as_many_nodes_as_it_may() -> None:
    assert not Played({"": ["wait", "taste"]}, nodes=3).search.is_full
    assert Played({"": ["wait", "taste"]}, nodes=2).search.is_full


@pytest.mark.parametrize("expansions", [1, 2, 3])
def test_what_is_offered_is_the_best_leaf_so_far(expansions: int) -> None:
    menu = {"": ["wait", "taste"], "wait": ["take salt", "burn"], "taste": ["serve", "wait"]}
    marks = {"taste": "Mark: 9", "burn": "Mark: 1", "take salt": "Mark: 2"}
    played = Played(menu, marks, expansions=expansions)
    offer = played.search.episode.latest.offer
    assert offer is not None
    expected = {1: (0.5, False), 2: (0.0, True), 3: (1.0, True)}  # tasted, burnt, served
    assert (offer.reward, offer.done) == expected[expansions]


@pytest.mark.parametrize("below", [["take salt", "take salt"], ["fly", "swim"]], ids=["expanded", "pruned"])
def test_a_node_that_is_no_leaf_any_more_is_neither_offered_nor_the_answer(below: Sequence[str]) -> None:
    marks = {"taste": "Mark: 9", "wait": "Mark: 5", "take salt": "Mark: 1"}
    played = Played({"": ["taste", "wait"], "taste": below}, marks, expansions=2)
    offer = played.search.episode.latest.offer
    assert offer is not None
    assert played.answer.session is not None
    assert (offer.session, offer.reward) == (played.answer.session.id, played.answer.reward)
    assert played.standings["wait"] == "chosen"
