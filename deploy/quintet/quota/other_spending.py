"""What else is spent of a run's budget, as the budget sees it."""

from dataclasses import dataclass
from typing import Final, Protocol

from quintet.quota.allowance import Allowance
from quintet.quota.cost import NOTHING, Cost


class OtherSpending(Protocol):
    """What else is spent of a run's budget: by other arms of its study, or by other shards of the run."""

    @property
    def whose(self) -> str:
        """Whose budget it is, in words."""
        ...

    @property
    def spent(self) -> Cost:
        """By others so far, reservations included."""
        ...

    @property
    def may_shrink(self) -> bool:
        """Whether something of it may be given back."""
        ...

    def claim(self, own: Cost, reservations: int, limit: Allowance) -> bool:
        """Have a total here, with so many open reservations, if it fits beside what others spend.

        Raises:
            JournalFault: nobody can say, or the storage failed; so of all members.
        """
        ...

    def tell(self, own: Cost, reservations: int) -> None:
        """Have a total here that is stored already."""
        ...


@dataclass(frozen=True)
class SettledSpending:
    """Other spending that does not change any more."""

    whose: str = "the run"
    spent: Cost = NOTHING
    may_shrink: bool = False

    def claim(self, own: Cost, reservations: int, limit: Allowance) -> bool:
        return limit.holds(self.spent + own)

    def tell(self, own: Cost, reservations: int) -> None:
        return


NO_OTHERS: Final = SettledSpending()
"""Nothing else is spent of the budget."""
