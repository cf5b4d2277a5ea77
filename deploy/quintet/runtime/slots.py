"""Where episodes live: how many each host may run at once, and which host holds the sessions of each."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set

from quintet.ports.transport import HostName


class Slots:
    """Slots by host for episodes on the hosts that are alive; a replaced host's go to the one that replaces it."""

    def __init__(self, each: Mapping[HostName, int], lost: Set[HostName]) -> None:
        self._each = dict(each)
        self._lost = lost
        self._leaving: set[HostName] = set()
        self._chosen: int | None = None
        self._busy: Counter[HostName] = Counter()

    @property
    def living(self) -> list[HostName]:
        """The hosts that are alive, without those that leave."""
        return [name for name in self._each if name not in self._lost and name not in self._leaving]

    @property
    def concurrency(self) -> int:
        """How many episodes may run at once.

        A dead host takes its slots along, unless the number was set; but the last slot goes to a host that had none.
        """
        return sum(self._shares().values())

    @concurrency.setter
    def concurrency(self, episodes: int) -> None:
        """Set how many, spread evenly over the living hosts; running episodes go on."""
        self._chosen = episodes

    def add_host(self, name: HostName, *, like: HostName, instead: bool) -> None:
        """Give a new host as many slots as a dead one had, or else spread all of them over one host more."""
        if like not in self._each:
            return
        if not instead:
            self._keep_number()
        self._each[name] = self._each[like]

    def retire(self, name: HostName) -> None:
        """Give a host no more episodes, and its slots to the others."""
        if name in self._each:
            self._keep_number()
            self._leaving.add(name)

    def take(self) -> HostName | None:
        """Take a slot on the host with the most free ones; None: there is none."""
        shares = self._shares()
        if sum(self._busy[name] for name in (*shares, *self._leaving)) >= sum(shares.values()):
            return None
        name = max(shares, key=lambda name: shares[name] - self._busy[name])
        self._busy[name] += 1
        return name

    def give_back(self, host: HostName) -> None:
        """Return a slot."""
        self._busy[host] -= 1

    def _keep_number(self) -> None:
        """From now on the number is as if it had been set: hosts that join or leave do not change it."""
        self._chosen = self.concurrency

    def _shares(self) -> Mapping[HostName, int]:
        living = self.living
        if self._chosen is None:
            shares = {name: self._each[name] for name in living}
            return shares if any(shares.values()) else dict.fromkeys(living[:1], 1)
        each, more = divmod(self._chosen, max(len(living), 1))
        return {name: each + (number < more) for number, name in enumerate(living)}


class Homes:
    """The hosts of the environment role, with the episodes that each is home to.

    Args:
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

    def add_host(self, name: HostName, *, like: HostName) -> None:
        """Use a new host, if it has the role as another has it."""
        if like in self._hosts:
            self._hosts.append(name)

    def retire(self, name: HostName) -> None:
        """Give a host no more episodes."""
        self._hosts = [host for host in self._hosts if host != name]

    def take(self, on: HostName) -> HostName | None:
        """Choose an episode's home: its own host if that has the role, else the one with the most room; None: none."""
        if self._places is None or not self.living:
            return None
        home = on if on in self._hosts else min(self.living, key=lambda name: self._episodes[name])
        self._episodes[home] += 1
        return home

    def leave(self, home: HostName | None) -> None:
        """An episode ended."""
        if home is not None:
            self._episodes[home] -= 1
