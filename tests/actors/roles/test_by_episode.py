from quintet.messages.paths import episode_path
from quintet.roles.by_episode import ByEpisode

ONE, OTHER = episode_path("task", 0, 0), episode_path("task", 1, 0)


def test_things_are_found_by_their_episode_in_the_order_in_which_they_came() -> None:
    things = ByEpisode[str]()
    for episode, thing in ((ONE, "b"), (OTHER, "c"), (ONE, "a"), (ONE, "b")):
        things.add(episode, thing)
    assert things.of(ONE) == ("b", "a")
    assert things.of(OTHER) == ("c",)


def test_what_was_dropped_is_not_found_and_may_be_dropped_again() -> None:
    things = ByEpisode[str]()
    things.add(ONE, "a")
    for _ in range(2):
        things.discard(ONE, "a")
    assert things.of(ONE) == ()


def test_things_may_be_dropped_while_those_of_their_episode_are_gone_through() -> None:
    things = ByEpisode[str]()
    for thing in "abc":
        things.add(ONE, thing)
    for thing in things.of(ONE):
        things.discard(ONE, thing)
    assert things.of(ONE) == ()
