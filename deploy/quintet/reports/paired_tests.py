"""Exact tests between two methods on the same tasks, and a correction for several tests."""

from collections.abc import Sequence


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
    found = abs(sum(differences))
    chances = [1.0]  # of each sum of the positive parts, from 0
    for size in filter(None, map(abs, differences)):
        none = [0.0] * size
        chances = [(one + other) / 2 for one, other in zip(chances + none, none + chances, strict=True)]
    most = len(chances) - 1
    return min(1.0, sum(chance for part, chance in enumerate(chances) if abs(2 * part - most) >= found))


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
