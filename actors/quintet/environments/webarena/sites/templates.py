"""Writes a site's pages by Jinja, which escapes whatever a page is given."""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jinja2 import Environment

    from quintet.environments.webarena.sites.site import Site

_SHARED = Path(__file__).parent / "templates"
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def money(cents: int) -> str:
    """An amount as a page shows it: `$1,234.50`."""
    sign = "-" if cents < 0 else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def day(moment: str) -> str:
    """The day of a moment: `6/15/2023`."""
    year, month, number = moment[:10].split("-")
    return f"{int(month)}/{int(number)}/{year}"


def long_day(moment: str) -> str:
    """The day of a moment: `Jun 15, 2023`."""
    year, month, number = moment[:10].split("-")
    return f"{_MONTHS[int(month) - 1]} {int(number)}, {year}"


def long_moment(moment: str) -> str:
    """A moment: `Jun 15, 2023, 14:05`."""
    return f"{long_day(moment)}, {moment[11:16]}"


_FILTERS: Final[Mapping[str, Callable[..., object]]] = {
    "money": money,
    "day": day,
    "long_day": long_day,
    "moment": long_moment,
}


@cache
def _templates(site: "Site") -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    loader = FileSystemLoader([site.folder / "templates", _SHARED])
    found = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters.update({**_FILTERS, **site.filters})
    return found


def render_template(site: "Site", template: str, values: Mapping[str, object]) -> str:
    """A page's HTML. A name that the template knows and nobody gave is an error."""
    return _templates(site).get_template(template).render(values)
