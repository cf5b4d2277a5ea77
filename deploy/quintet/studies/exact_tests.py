"""Exact tests of paired successes, corrected for their number."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence


def sign_flip_test(differences: Sequence[int]) -> float:
    """Whether two methods succeed equally often: the p-value of Fisher's exact randomisation test, two-sided.

    If both are alike, a task's difference is as likely with the other sign, whatever its epochs have in common. The
    p-value is the share of all ways to choose the signs whose sum is at least as far from 0 as the sum that was found.
    Where every task has one epoch this is McNemar's exact test.

    Args:
        differences: by task, in how many epochs only the one method succeeded, less those in which only the other did.

    Returns:
        In (0, 1]; 1 if the methods never differ. Below about 1e-300 it is 0.

    Source: Fisher, The Design of Experiments (1935), section 21; McNemar, Psychometrika 12 (1947) 153-157.
    """
    return _chance_of(differences, abs(sum(differences)))


def _chance_of(differences: Sequence[int], least: int) -> float:
    """The share of all ways to choose the signs whose sum is at least so far from 0."""
    chances = [1.0]  # of each sum of the positive parts, from 0
    for size, tasks in Counter(abs(each) for each in differences if each).items():
        wider = [0.0] * (len(chances) + size * tasks)
        for positive, share in enumerate(_halves(tasks)):
            for part, chance in enumerate(chances, positive * size):
                wider[part] += share * chance
        chances = wider
    most = len(chances) - 1
    return min(1.0, sum(chance for part, chance in enumerate(chances) if abs(2 * part - most) >= least))


def smallest_difference(noise: Sequence[int], episodes: int, level: float = 0.05) -> float | None:
    """The smallest difference of success that `sign_flip_test` could have shown as significant.

    What differs between two equal methods differs either way alike. A method that is better adds episodes in which only
    it succeeds, one to a task. The difference is that of the fewest such episodes with a p-value below the level.

    Args:
        noise: between two equal methods, by task, as `sign_flip_test` takes it.
        episodes: of each of them, at all of these tasks.

    Returns:
        In (0, 1]; None: not even a success in all other episodes would be significant.

    Source: the share of discordant pairs decides what McNemar's test can show, as in Connor, Biometrics 43 (1987)
    207-211. Differs: exact, for significance alone instead of a power.
    """
    sizes = [abs(each) for each in noise if each]
    odd = sum(sizes) % 2  # cannot be half and half, so it counts against the better method
    most = episodes - sum(sizes)
    added = bisect_left(
        range(most + 1), True, key=lambda number: _chance_of([*sizes, *[1] * number], number - odd) < level
    )
    return (added - odd) / episodes if added <= most else None


def _halves(number: int) -> list[float]:
    """The chance of each number of heads, from 0, among so many throws of a coin."""
    ways, all_ways, found = 1, 2**number, list[float]()
    for heads in range(number + 1):
        found.append(ways / all_ways)
        ways = ways * (number - heads) // (heads + 1)
    return found


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for their number, so that the chance of any false finding among them stays bounded.

    Source: Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected


def discordant(pairs: Iterable[Sequence[tuple[bool, bool]]]) -> list[tuple[int, int]]:
    """By task, in how many of its paired episodes only the one succeeded, and only the other."""
    return [(each.count((True, False)), each.count((False, True))) for each in pairs]
