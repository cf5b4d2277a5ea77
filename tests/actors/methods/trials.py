"""Trials as methods journal them."""

from quintet.events import AnyEvent, TrialEnded


def trial_of(event: AnyEvent) -> tuple[int, int, float]:
    """The number, actions and reward of a trial that followed no plan."""
    assert isinstance(event, TrialEnded)
    assert (event.steps, event.revised) == (0, False)
    return event.number, event.actions, event.reward
