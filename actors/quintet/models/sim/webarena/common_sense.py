"""Where things usually are on websites: which words of a menu lead to what."""

from collections.abc import Mapping

from quintet.models.sim.webarena.words import web_stems

_USUAL: Mapping[str, str] = {
    "account": "order address phone password email newsletter wish review profile name spend",
    "sales": "order invoice shipment ship pending hold cancel tracking",
    "catalog": "product stock quantity price sku category",
    "marketing": "coupon promotion rule review search term newsletter message",
    "reports": "sold bestseller month tax search term coupon best most review",
    "customers": "customer phone email group city spend",
    "projects": "issue merge repository member milestone commit label star fork",
    "issues": "label milestone assignee assign open close",
    "repository": "commit file branch contributor",
    "forums": "post submission comment subscribe vote",
    "preferences": "status bio language theme profile",
    "settings": "password email notification visibility description name",
}
_LEADS = {stem: web_stems(things) for place, things in _USUAL.items() for stem in web_stems(place)}


def usually_leads_to(name: frozenset[str], wanted: frozenset[str]) -> int:
    """How many of the words that are wanted belong where a link of this name leads, as a rule."""
    return max((len(_LEADS[stem] & wanted) for stem in name if stem in _LEADS), default=0)
