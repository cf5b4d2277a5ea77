"""A database's records by key: copies share every record that neither has looked at since."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any


class Records(dict[str, Any]):
    """Copies a record when it is first looked up by its key, since whoever looks it up may change it.

    What `values` and `items` return is looked at only.
    """

    def __init__(self, records: Mapping[str, Any]) -> None:
        super().__init__(records)
        self._own: set[str] = set()
        """Keys of records that no other has."""

    def __getitem__(self, key: str) -> Any:
        if key not in self._own:
            self[key] = deepcopy(super().__getitem__(key))
        return super().__getitem__(key)

    def __setitem__(self, key: str, record: Any) -> None:
        super().__setitem__(key, record)
        self._own.add(key)

    def __deepcopy__(self, memo: Mapping[int, Any]) -> "Records":
        self._own.clear()  # the copy has them too
        return Records(self)

    def differing(self, other: "Records") -> set[str]:
        """The keys under which two have not the very same record."""
        return {key for key in self.keys() | other.keys() if self.get(key) is not other.get(key)}
