"""Checks pages as the released HTML evaluator does: go to an address, take a place of the page, compare its text."""

import html

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.evaluators.functions import FUNCTION_PREFIX, call_function, read_call
from quintet.environments.webarena.evaluators.judged import EndedSession
from quintet.environments.webarena.evaluators.strings import includes, is_exact
from quintet.environments.webarena.evaluators.urls import ALTERNATIVES
from quintet.environments.webarena.tasks.schema import ProgramCheck, RequiredContents

LAST_PAGE = "last"


async def check_holds(check: ProgramCheck, judged: EndedSession) -> bool:
    """Whether the place that a check names has the contents that it requires.

    Source: WebArena's released HTML evaluator. Differs: `last` is always the page where the task ended, there the one
    that the check before went to; no released task has it after such a check. A missing value is an empty text, not
    `None`. The wait after going there is the page's.
    """
    url = await _url_of(check.url, judged)
    text = "" if url == "" else await _text_at(check, url, judged)
    return _has(check.required_contents, html.unescape(text), judged.addresses)


async def _url_of(url: str, judged: EndedSession) -> str | None:
    if url == LAST_PAGE:
        return None
    if not url.startswith(FUNCTION_PREFIX):
        return judged.addresses.expand(url)
    return await call_function(read_call(url.removeprefix(FUNCTION_PREFIX), "url"), judged)


async def _text_at(check: ProgramCheck, url: str | None, judged: EndedSession) -> str:
    if not check.locator.strip():
        return await judged.page.html(url)
    if not check.locator.startswith(FUNCTION_PREFIX):
        return await judged.page.evaluate(url, judged.addresses.expand(check.locator), check.prep_actions)
    return await call_function(read_call(check.locator.removeprefix(FUNCTION_PREFIX), "locator"), judged, url)


def _has(required: RequiredContents, text: str, addresses: SiteAddresses) -> bool:
    if required.exact_match is not None:
        return is_exact(addresses.expand(required.exact_match), text)
    return all(
        any(includes(addresses.expand(each), text) for each in content.split(ALTERNATIVES))
        for content in required.must_include or ()
    )
