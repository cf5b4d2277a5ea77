"""Live progress, on a clock of its own."""

import io

import pytest
from rich.console import Console

from quintet.cli.console import console
from quintet.cli.progress import Progress, duration
from quintet.messages.paths import Path
from quintet.quota.cost import Cost
from quintet.runtime.counters import RunCounters


class _Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def _shown(total: int = 4) -> tuple[_Clock, RunCounters, Progress, io.StringIO]:
    clock, out = _Clock(), io.StringIO()
    counters = RunCounters(total=total, clock=clock)
    return clock, counters, Progress(counters, "adapt", console(out)), out


def test_a_line_says_what_is_done_and_what_it_took() -> None:
    clock, counters, progress, _ = _shown()
    for number, solved in enumerate((True, False)):
        episode = Path(f"beehive/{number}/0")
        counters.begin(episode)
        counters.call(episode, Cost(1, 1000, 20, 400_000))
        counters.end(episode, solved=solved, faulted=False)
    clock.now += 4
    assert progress.line() == (
        "adapt: 2/4 episodes, 50 % solved, 2 calls, 2,040 tokens, 10.0 tokens/s written, 0.0008 USD, 0.5 episodes/s, "
        "ETA 4 s"
    )


def test_a_run_with_hosts_says_how_many_of_them_live() -> None:
    _, counters, progress, _ = _shown()
    counters.hosts_text = lambda: "2 of 3 hosts live"
    assert progress.line().endswith("episodes/s, 2 of 3 hosts live")


def test_a_model_without_a_price_has_no_cost_and_a_paused_run_no_end() -> None:
    clock, counters, progress, _ = _shown()
    counters.end(Path("beehive/0/0"), solved=True, faulted=False)
    counters.cost += Cost(3, 300, 0, None)
    counters.call(Path("cake/0/0"), Cost(1, 100, 0, 500_000_000))
    counters.paused = True
    clock.now += 1
    assert progress.line() == "adapt: paused, 1/4 episodes, 100 % solved, 4 calls, 400 tokens, 1.0 episodes/s"


def test_faulted_episodes_are_no_failures_and_those_of_an_earlier_start_are_not_in_the_rate() -> None:
    clock, out = _Clock(), io.StringIO()
    counters = RunCounters(total=10, done=8, done_before=8, solved=8, clock=clock)
    progress = Progress(counters, "adapt", console(out))
    counters.end(Path("beehive/0/0"), solved=True, faulted=False)
    counters.end(Path("cake/0/0"), solved=False, faulted=True)
    clock.now += 1
    assert progress.line() == "adapt: 10/10 episodes, 100 % solved, 1 faulted, 0 calls, 0 tokens, 2.0 episodes/s"


def test_tokens_are_written_in_this_start_and_a_call_that_takes_long_is_said() -> None:
    clock, counters, progress, out = _shown()
    counters.cost = counters.cost_before = Cost(9, 900, 500, 0)
    counters.call(Path("beehive/0/0"), Cost(1, 100, 30, 0))
    clock.now += 10
    assert "1,530 tokens, 3.0 tokens/s written" in progress.line()
    counters.oldest_call = lambda: 4.0
    progress.draw()
    assert "in flight" not in out.getvalue()
    counters.oldest_call = lambda: 125.0
    clock.now += 10
    progress.draw()
    assert out.getvalue().splitlines()[-1].endswith(", a model call in flight for 2:05 min")


def test_a_run_that_learns_has_no_share_solved_which_its_report_would_not_have() -> None:
    counters = RunCounters(total=4)
    progress = Progress(counters, "autoplan", console(io.StringIO()), learns=True)
    counters.end(Path("beehive/0/0"), solved=True, faulted=False)
    assert "solved" not in progress.line()


def test_the_longest_running_come_first_and_the_silent_are_marked() -> None:
    clock, counters, progress, _ = _shown()
    counters.begin(Path("slow/0/0"))
    clock.now += 40
    counters.begin(Path("busy/0/0"))
    clock.now += 2
    counters.touch(Path("busy/0/0"))
    assert progress.slowest() == ["slow/0/0 for 42 s, silent for 42 s", "busy/0/0 for 2 s"]
    counters.touch(Path("slow/0/0"))
    counters.end(Path("busy/0/0"), solved=False, faulted=False)
    assert progress.slowest() == ["slow/0/0 for 42 s"]


def test_without_a_terminal_a_line_is_printed_on_change_every_few_seconds_and_at_the_end() -> None:
    clock, counters, progress, out = _shown(total=2)
    with progress:
        progress.draw()
        counters.end(Path("beehive/0/0"), solved=True, faulted=False)
        progress.draw()
        assert len(out.getvalue().splitlines()) == 1
        clock.now += 6
        progress.draw()
        assert len(out.getvalue().splitlines()) == 2
        counters.end(Path("cake/0/0"), solved=True, faulted=False)
    assert "\x1b" not in out.getvalue()
    assert out.getvalue().splitlines()[-1].startswith("adapt: 2/2 episodes, 100 % solved")


def test_a_terminal_shows_a_bar_and_the_slowest_and_leaves_one_line() -> None:
    clock, out = _Clock(), io.StringIO()
    counters = RunCounters(total=2, clock=clock)
    terminal = Console(file=out, force_terminal=True, width=100)
    with Progress(counters, "adapt", terminal) as progress:
        counters.begin(Path("slow/0/0"))
        clock.now += 3
        progress.draw()
        assert "slow/0/0 for 3 s" in out.getvalue()
        bars = [line for line in out.getvalue().splitlines() if "━" in line]
        assert "0/2" in bars[-1]
        assert not any("calls" in bar for bar in bars)  # what is below has lines of its own
    assert out.getvalue().rstrip().rpartition("\x1b[2K")[2] == "adapt: 0/2 episodes, 0 calls, 0 tokens, 0.0 episodes/s"


def test_an_attempt_that_is_ended_for_another_does_not_count_though_it_begins_last() -> None:
    _, counters, _, _ = _shown()
    first, again = Path("beehive/0/0"), Path("beehive/0/1")
    counters.begin(first)
    counters.begin(again)
    counters.begin(first)  # to be ended
    counters.end(first, solved=False, faulted=False)
    assert counters.done == 0
    counters.end(again, solved=True, faulted=False)
    assert (counters.done, counters.solved) == (1, 1)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (59.4, "59 s"),
        (59.6, "1:00 min"),
        (3599.4, "59:59 min"),
        (3599.7, "1:00 h"),
        (7810, "2:10 h"),
        (4 * 86400, "4 days"),
    ],
)
def test_a_span_has_two_units_at_most(seconds: float, text: str) -> None:
    assert duration(seconds) == text
