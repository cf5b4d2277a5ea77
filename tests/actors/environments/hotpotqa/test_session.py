"""Sessions: what is answered, what is an action, and the expert's way."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quintet.environments.hotpotqa.corpus.corpus import CorpusPage
from quintet.environments.hotpotqa.corpus.file import corpus_of
from quintet.environments.hotpotqa.questions import QuestionRecord, SupportingFact
from quintet.environments.hotpotqa.session import HotpotQaState, ReaderAction, parse_reader_action, searching_plan
from quintet.environments.hotpotqa.wording import WORDINGS
from quintet.environments.hotpotqa.world import HotpotQa
from quintet.messages.environment import Task
from quintet.ports.world import AnswerToGrade, Outcome

MEDAL = Task(name="anker-medal-donor-birthplace", seed=0)
"""Its answer, Tern Holm, is in the sixth sentence of a page."""


def begin(**options: Any) -> HotpotQaState:
    return HotpotQa(**options).open(MEDAL)


def said(state: HotpotQaState, actions: Sequence[str]) -> list[str]:
    return [state.step(action).observation for action in actions]


def last(state: HotpotQaState, *actions: str) -> Outcome:
    return [state.step(action) for action in actions][-1]


def test_a_question_opens_as_released() -> None:
    opening = begin().opening
    assert opening.observation == (
        "Interact with Wikipedia using search[], lookup[], and finish[].\n"
        "Question: On which island was the shipowner who endowed the Anker Medal born?"
    )
    assert opening.goal == 'answer the question "On which island was the shipowner who endowed the Anker Medal born?"'
    assert opening.setting == "Interact with Wikipedia using search[], lookup[], and finish[]."


def test_a_search_shows_five_sentences_and_lookups_go_on_through_all() -> None:
    seen = said(
        begin(), ["search[valdemar anker]", "lookup[he was]", "lookup[He was]", "lookup[HE WAS]", "lookup[Tern]"]
    )
    assert seen[0].startswith("Valdemar Anker (1871 - 1956) was an Eskelandic shipowner")
    assert "Tern Holm" not in seen[0]
    assert seen[1:3] == [
        "(Result 1 / 2) He was known for paying his captains in coal when freight was low.",
        "(Result 1 / 2) He was known for paying his captains in coal when freight was low.",
    ]  # another keyword begins anew
    assert seen[4].startswith("(Result 1 / 1) He was born on Tern Holm")


def test_the_position_of_a_keyword_goes_on_until_a_page_is_opened() -> None:
    actions = ("search[Rope Hall]", "lookup[knots]", "lookup[knots]", "search[Rope Halls]", "lookup[knots]")
    first, second, none, missing, after, opened, again = said(begin(), [*actions, *actions[:2]])
    assert second.startswith("(Result 1 / 1)")
    assert none == after == "No more results."
    assert missing.startswith("Could not find Rope Halls. Similar: ['Rope Hall'")
    assert (opened, again) == (first, second)


def test_a_failed_search_keeps_the_page_and_a_lookup_without_one_finds_nothing() -> None:
    assert said(begin(), ["lookup[x]", "search[Nowhere]", "search[Fennick]", "search[Zzz]", "lookup[Rope Hall]"])[
        1:
    ] == [
        "Could not find Nowhere. Similar: [].",
        begin().step("search[Fennick]").observation,
        "Could not find Zzz. Similar: [].",
        "(Result 1 / 1) Its best known building is the Rope Hall, a former ropewalk 240 metres long.",
    ]


def test_an_answer_ends_the_episode_and_is_scored_both_ways() -> None:
    state = begin()
    outcome = last(state, "search[Anker Medal]", "Finish[the TERN Holm!]")
    assert (outcome.observation, outcome.reward, outcome.done) == ("Episode finished, reward = 1", 1.0, True)
    assert outcome.figures == {"exact": 1.0, "f1": 1.0}
    assert outcome.tells_reward
    wrong = last(begin(), "finish[Holm]")
    assert (wrong.observation, wrong.reward, wrong.done) == ("Episode finished, reward = 0", 0.0, True)
    assert wrong.figures == {"exact": 0.0, "f1": pytest.approx(2 / 3)}
    question = begin().opening.goal.split('"')[1]
    again = state.step("search[Fennick]")
    assert (again.observation, again.rejected, again.figures) == (outcome.observation, True, outcome.figures)
    assert (again.to_grade, state.expert()) == ((), ())
    assert wrong.to_grade == (AnswerToGrade(question=question, target="Tern Holm", answer="Holm"),)


def test_other_texts_are_no_actions() -> None:
    state = begin()
    for action in ("look", "think[so]", "search Fennick"):
        outcome = state.step(f" {action} ")
        assert outcome.rejected
        assert outcome.observation == f"Invalid action: {action}"
    assert state.observation == state.opening.observation


def test_a_limit_forces_an_empty_answer_after_its_last_action() -> None:
    state = begin(max_steps=3)
    seen = said(state, ["nothing", "search[Nowhere]"])
    outcome = state.step("search[Zzz]")
    assert seen == ["Invalid action: nothing", "Could not find Nowhere. Similar: []."]
    assert outcome.observation == "Could not find Zzz. Similar: [].\nEpisode finished, reward = 0"
    assert (outcome.done, outcome.rejected, outcome.figures) == (True, False, {"exact": 0.0, "f1": 0.0})
    assert last(begin(max_steps=1), "nothing").observation == "Invalid action: nothing\nEpisode finished, reward = 0"
    assert last(begin(max_steps=2), "search[Fennick]", "finish[Tern Holm]").reward == 1


def test_the_expert_leaves_out_what_no_longer_fits_into_the_limit() -> None:
    state = begin(max_steps=3)
    state.step("nothing")
    advice = state.expert()
    assert len(advice) == 2
    assert last(state, *advice).reward == 1


def test_in_autoplans_words_a_search_needs_the_title_and_the_last_action_counts() -> None:
    state = begin(wording="autoplan")
    outcome = state.step("I try search[Rope Hall] or rather search[rope hall], yes")
    assert outcome.observation.startswith(
        'Could not find exact match of "rope hall". Available entities in the database: '
    )
    assert '"Rope Hall"' in outcome.observation
    assert not outcome.rejected
    assert state.step("search[Rope Hall].").observation.startswith("The Rope Hall is a maritime museum")


def test_in_reflexions_words_a_failed_search_closes_the_page_and_a_search_shows_it_whole() -> None:
    state = begin(wording="reflexion")
    seen = said(
        state, ["Search[Valdemar Anker]", "Lookup[shipowner]", "Lookup[shipowner]", "Lookup[zzz]", "Search[Zzz]"]
    )
    assert "He was born on Tern Holm" in seen[0]
    assert seen[1].startswith("(Result 1/1) Valdemar Anker")
    assert seen[2:] == ["No More Results", "No Results", "Could not find [Zzz]. Similar: []"]
    assert state.step("Lookup[Anker]").observation.startswith("The last page Searched was not found")
    assert state.step("Think[x]").observation.startswith("Invalid Action. Valid Actions are")
    assert state.step("Finish[Tern Holm]").observation == "Answer is CORRECT"


def test_a_verdict_is_a_figure_and_leaves_the_exact_score() -> None:
    state = begin()
    state.step("finish[Holm]")
    outcome = state.graded((True,))
    assert (outcome.reward, outcome.observation) == (0.0, "Episode finished, reward = 0")
    assert outcome.figures["judge"] == 1.0
    assert outcome.to_grade == ()
    assert state.step("finish[x]").figures == outcome.figures


@pytest.mark.parametrize(("verdict", "reward", "observed"), [(True, 1.0, 1), (False, 0.0, 0), (None, 0.0, 0)])
def test_where_the_judge_scores_its_verdict_is_the_reward(verdict: bool | None, reward: float, observed: int) -> None:
    state = begin(score="judge", max_steps=2)
    before = last(state, "search[Fennick]", "finish[Tern Holm]")
    assert (before.reward, before.figures) == (0.0, {"exact": 1.0, "f1": 1.0})
    outcome = state.graded((verdict,))
    assert (outcome.reward, outcome.observation) == (reward, f"Episode finished, reward = {observed}")
    assert ("judge" in outcome.figures) == (verdict is not None)
    restored = HotpotQa(score="judge", max_steps=2).restore(MEDAL, state.snapshot())
    assert restored.step("x").reward == reward


@pytest.mark.parametrize(
    "action", [f"search[{'a b ' * 2_500}]", f"lookup[{chr(0) * 10_000}]", "search['\"*]", "lookup[\ud800]", "\ud800"]
)
def test_actions_of_ten_thousand_signs_and_lone_surrogates_are_answered(action: str) -> None:
    state = begin(max_steps=2)
    state.step(action).observation.encode()
    assert state.snapshot()
    assert state.step("search[\ud800]").observation.startswith("Could not find ?. Similar: [].")


@pytest.mark.parametrize(
    ("action", "last_action", "read"),
    [
        ("search[Rope Hall]", False, ReaderAction("search", "Rope Hall")),
        (" Lookup[knots]\n", False, ReaderAction("lookup", "knots")),
        ("Finish[]", False, ReaderAction("finish", "")),
        ("search[The Petrel [ship]]", False, ReaderAction("search", "The Petrel [ship]")),
        *((text, False, None) for text in ("SEARCH[x]", "search [x]", "search[x", "search", "I search[x]", "think[x]")),
        ("First search[A], then lookup[b] there.", True, ReaderAction("lookup", "b")),
        ("Action: Finish[42]", True, ReaderAction("finish", "42")),
        *((text, True, None) for text in ("I research[A]", "search[A] or finish[", "nothing")),
    ],
)
def test_a_text_is_an_action_or_none(action: str, last_action: bool, read: ReaderAction | None) -> None:
    assert parse_reader_action(action, last_action=last_action) == read


@given(st.sampled_from(["search", "lookup", "finish"]), st.text(), st.booleans(), st.booleans())
def test_any_argument_is_read_back(verb: str, argument: str, capital: bool, last_action: bool) -> None:
    action = f"{verb.capitalize() if capital else verb}[{argument}]"
    found = parse_reader_action(action, last_action=last_action)
    assert found is not None
    if not last_action:
        assert (found.verb, found.argument) == (verb, argument)


CORPUS = corpus_of(
    [
        CorpusPage("Mill", ("A mill.", "B.", "C.", "D.", "E.", "The miller lives in Harn.", "His cat, too, in Harn.")),
        CorpusPage("Harn", ("A town.",)),
    ],
    date="2020-01-01",
    source="test",
)


def plan(*facts: SupportingFact, wording: str = "react") -> tuple[str, ...]:
    question = QuestionRecord(name="q", text="Where?", answer="Harn", type="bridge", facts=facts)
    return searching_plan(question, CORPUS, WORDINGS[wording])


def test_a_page_is_opened_once_for_its_facts() -> None:
    facts = (SupportingFact("Mill", 0), SupportingFact("Mill", 1), SupportingFact("Harn", 0))
    assert plan(*facts) == ("search[Mill]", "search[Harn]", "finish[Harn]")


def test_a_sentence_that_a_search_does_not_show_is_looked_up() -> None:
    assert plan(SupportingFact("Mill", 5)) == ("search[Mill]", "lookup[Harn]", "finish[Harn]")
    assert plan(SupportingFact("Mill", 6)) == ("search[Mill]", "lookup[Harn]", "lookup[Harn]", "finish[Harn]")
    assert plan(SupportingFact("Mill", 5), wording="reflexion") == ("search[Mill]", "finish[Harn]")


def test_a_page_or_sentence_that_is_missing_is_searched_all_the_same() -> None:
    assert plan(SupportingFact("Inn", 7), SupportingFact("Harn", 9)) == ("search[Inn]", "search[Harn]", "finish[Harn]")
