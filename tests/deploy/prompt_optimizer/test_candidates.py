"""PromptCandidates: the same texts are one, and the best is the first of those with the greatest mean."""

from quintet.prompt_optimizer.candidates import PromptCandidates
from quintet.prompt_optimizer.played import Played


def test_the_same_texts_are_the_same_candidate() -> None:
    candidates = PromptCandidates({"a": "1"})
    other = candidates.add({"a": "2"}, candidates.start, "a")
    assert candidates.add({"a": "2"}, other, "a") is other
    assert candidates.of({"a": "2"}) is other
    assert [(each.name, each.parent) for each in candidates] == [("c0", None), ("c1", 0)]


def test_the_best_has_played_all_held_out_tasks_and_of_equal_ones_it_is_the_first() -> None:
    candidates = PromptCandidates({"a": "1"})
    first, second, third = (candidates.add({"a": text}, candidates.start, "a") for text in "234")
    candidates.start.played |= {"x": Played(0, ""), "y": Played(0.5, "")}
    first.played |= {"x": Played(1, "")}
    second.played |= {"x": Played(0.5, ""), "y": Played(0.5, "")}
    third.played |= {"x": Played(0, ""), "y": Played(1, "")}
    assert candidates.best(["x", "y"]) is second
    assert (first.mean(["x", "y"]), first.mean([])) == (None, None)
    assert PromptCandidates({}).best(["x"]).number == 0
