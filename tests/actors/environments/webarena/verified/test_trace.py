"""What is kept of requests that a real browser makes."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from quintet.environments.webarena.browser.browser import Browser
from quintet.environments.webarena.verified.trace import NetworkTrace

pytestmark = pytest.mark.web

FORM = """<form method="post" action="/wish"><input name="product" value="22 &amp; 7"><button>Wish</button></form>
<script>fetch("/total.json").then(() => fetch("http://127.0.0.1:9/away")).catch(() => { document.title = "asked"; })
</script>"""


async def shown(_request: web.Request) -> web.Response:
    return web.Response(text=FORM, content_type="text/html")


async def total(_request: web.Request) -> web.Response:
    return web.json_response({"items_qty": 1})


async def wished(_request: web.Request) -> web.Response:
    answer = web.Response(status=302, headers={"Location": "/done"})
    answer.set_cookie("messages", "%5Badded%5D")
    return answer


async def test_pages_forms_and_what_scripts_fetch_are_kept_in_order() -> None:
    application = web.Application()
    application.router.add_get("/total.json", total)
    application.router.add_post("/wish", wished)
    application.router.add_get("/{path:.*}", shown)
    browser = Browser()
    async with TestServer(application) as server:
        window = await browser.window(hosts=[server.make_url("/").authority])
        try:
            trace = NetworkTrace(window.context)
            await window.open([str(server.make_url("/form"))])
            (page,) = window.context.pages
            await page.wait_for_function("document.title === 'asked'")
            await page.click("button")
            await page.wait_for_url("**/done")
            entries = [each for each in await trace.entries() if "favicon" not in each["request"]["url"]]
        finally:
            await window.close()
            await browser.close()
    told = [(each["request"]["method"], each["request"]["url"].rpartition("/")[2]) for each in entries]
    assert told[:5] == [("GET", "form"), ("GET", "total.json"), ("GET", "away"), ("POST", "wish"), ("GET", "done")]
    form, sum_, away, wish, _ = entries[:5]
    assert header(form, "Sec-Fetch-Dest") == "document"
    assert header(form, "Accept").startswith("text/html")
    assert json.loads(sum_["response"]["content"]["text"]) == {"items_qty": 1}
    assert "content" not in form["response"]
    assert away["response"]["status"] == -1
    sent = wish["request"]["postData"]
    assert sent == {"mimeType": "application/x-www-form-urlencoded", "text": "product=22+%26+7"}
    assert (wish["response"]["status"], wish["response"]["redirectURL"]) == (302, "/done")
    assert wish["response"]["cookies"] == [{"name": "messages", "value": "%5Badded%5D"}]


def header(entry: Mapping[str, Any], name: str) -> str:
    return next(str(each["value"]) for each in entry["request"]["headers"] if each["name"].lower() == name.lower())
