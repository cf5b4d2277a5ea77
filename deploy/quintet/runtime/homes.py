"""Homes: on which host of the environment role an episode's sessions open, in a world that has places."""

from collections import Counter
from collections.abc import Sequence, Set

from quintet.ports.transport import HostName


class Homes:
    """The hosts of the environment role, with the episodes that each is home to.

    Args:
        hosts: at the run's start.
        lost: the hosts that died, kept up to date by the driver's host.
        places: how many sessions of the world each holds; None: any number, and then no episode is given a home.
    """

    def __init__(self, hosts: Sequence[HostName], lost: Set[HostName], *, places: int | None) -> None:
        self._hosts = list(hosts)
        self._lost = lost
        self._places = places
        self._episodes: Counter[HostName] = Counter()

    @property
    def living(self) -> list[HostName]:
        """Those that are alive."""
        return [name for name in self._hosts if name not in self._lost]

    def add_host(self, name: HostName, *, in_place_of: HostName) -> None:
        """Use a host that replaces a dead one."""
        if in_place_of in self._hosts:
            self._hosts.append(name)

    def take(self, on: HostName) -> HostName | None:
        """Choose the home of an episode: its own host if it has the role, else the one with the most free places.

        Args:
            on: where the episode runs.

        Returns:
            None: no host is chosen; the placement of the role says where its sessions open.
        """
        if self._places is None or not self.living:
            return None
        home = on if on in self._hosts else min(self.living, key=lambda name: self._episodes[name])
        self._episodes[home] += 1
        return home

    def leave(self, home: HostName | None) -> None:
        """An episode ended."""
        if home is not None:
            self._episodes[home] -= 1
