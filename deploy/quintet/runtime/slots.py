"""Slots: how many episodes each host may have at a time, and which host gets the next one."""

from collections import Counter
from collections.abc import Mapping, Set

from quintet.ports.transport import HostName


class Slots:
    """Hands out places for episodes, on the hosts that live.

    Args:
        each: places by host.
        lost: the hosts that died, as the driver's host comes to know of them.
    """

    def __init__(self, each: Mapping[HostName, int], lost: Set[HostName]) -> None:
        self._each = each
        self._lost = lost
        self._chosen: int | None = None
        self._busy: Counter[HostName] = Counter()

    @property
    def living(self) -> list[HostName]:
        """The hosts that live."""
        return [name for name in self._each if name not in self._lost]

    @property
    def concurrency(self) -> int:
        """How many episodes may run at a time. A dead host's places die with it, unless the number was set."""
        return sum(self._shares().values())

    @concurrency.setter
    def concurrency(self, episodes: int) -> None:
        """From now on so many, spread evenly over the hosts that live; what runs is left alone."""
        self._chosen = episodes

    def take(self) -> HostName | None:
        """A place on the host with the most room; None where there is none."""
        shares = self._shares()
        if sum(self._busy[name] for name in shares) >= sum(shares.values()):
            return None
        name = max(shares, key=lambda name: shares[name] - self._busy[name])
        self._busy[name] += 1
        return name

    def give_back(self, host: HostName) -> None:
        """An episode left its place."""
        self._busy[host] -= 1

    def _shares(self) -> Mapping[HostName, int]:
        living = self.living
        if self._chosen is None:
            return {name: self._each[name] for name in living}
        each, more = divmod(self._chosen, max(len(living), 1))
        return {name: each + (number < more) for number, name in enumerate(living)}
