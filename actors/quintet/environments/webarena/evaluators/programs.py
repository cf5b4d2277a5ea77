"""Checks pages as the released HTML evaluator does: go to an address, take a place of the page, compare its text."""

import html

from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.evaluators.functions import FUNCTION_PREFIX, CallSubject, call_function, read_call
from quintet.environments.webarena.evaluators.judged import JudgedPage, SiteFacts
from quintet.environments.webarena.evaluators.strings import includes, is_exact
from quintet.environments.webarena.evaluators.urls import ALTERNATIVES
from quintet.environments.webarena.tasks.schema import ProgramCheck, RequiredContents

LAST_PAGE = "last"


async def check_holds(check: ProgramCheck, page: JudgedPage, facts: SiteFacts, addresses: SiteAddresses) -> bool:
    """Whether the place that a check names has the contents that it requires.

    Args:
        check: as read from a task, so its calls are those of the table.
        page: the session's window.
        facts: what its sites answer beside their pages.
        addresses: of its sites, for placeholders.

    Raises:
        WorldFault: a site does not answer.

    Source: WebArena's released HTML evaluator. Differs: `last` is always the page where the task ended, there the one
    that the check before went to; no released task has it after such a check. A missing value is an empty text, not
    `None`. The wait after going there is the page's.
    """
    url = await _url_of(check, page, facts, addresses)
    text = html.unescape(await _text_at(check, url, page, facts, addresses))
    return _has(check.required_contents, text, addresses)


async def _url_of(check: ProgramCheck, page: JudgedPage, facts: SiteFacts, addresses: SiteAddresses) -> str | None:
    if check.url == LAST_PAGE:
        return None
    if not check.url.startswith(FUNCTION_PREFIX):
        return addresses.expand(check.url)
    call = read_call(check.url.removeprefix(FUNCTION_PREFIX), "url")
    return await call_function(call, CallSubject(page=page, url=None, facts=facts))


async def _text_at(
    check: ProgramCheck, url: str | None, page: JudgedPage, facts: SiteFacts, addresses: SiteAddresses
) -> str:
    if url == "":
        return ""
    if not check.locator.strip():
        return await page.html(url)
    if not check.locator.startswith(FUNCTION_PREFIX):
        return await page.evaluate(url, addresses.expand(check.locator), check.prep_actions)
    call = read_call(check.locator.removeprefix(FUNCTION_PREFIX), "locator")
    return await call_function(call, CallSubject(page=page, url=url, facts=facts))


def _has(required: RequiredContents, text: str, addresses: SiteAddresses) -> bool:
    if required.exact_match is not None:
        return is_exact(addresses.expand(required.exact_match), text)
    return all(
        any(includes(addresses.expand(each), text) for each in content.split(ALTERNATIVES))
        for content in required.must_include or ()
    )
