"""`view`: look at runs in a browser."""

import asyncio
import webbrowser
from contextlib import suppress
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from quintet.cli.flags import Switch, Whole
from quintet.cli.stoppable import stoppable
from quintet.reports.text_tables import plural
from quintet.runs.files import usable_folder
from quintet.view.folder import ViewedFolder
from quintet.view.one_file import write_page
from quintet.view.server import serve_view


def view_command(
    place: Path = Path("runs"), /, *, port: Whole = 0, static: Path | None = None, open: Switch = False
) -> int:
    """Serve pages about runs to a browser on this machine, until the first SIGINT or SIGTERM.

    Args:
        place: A run folder, a study folder, or a folder with some.
        port: Where to listen, on this machine only; 0 for any that is free.
        static: Write everything into this one HTML file instead, to send to somebody.
        open: Open the page in the browser.
    """
    viewed = ViewedFolder(place)
    if static is not None:
        page = write_page(viewed)
        with usable_folder(static.parent, what="--static"):
            static.write_text(page.text, encoding="utf-8")
        left_out = f"; no room for {page.left_out:,} more" if page.left_out else ""
        pictures = f", {plural(page.pictures, 'picture')}" * bool(page.pictures or page.pictures_left_out)
        pictures += f"; no room for {page.pictures_left_out:,} more" * bool(page.pictures_left_out)
        conversations = f"{plural(page.conversations, 'conversation')}{left_out}"
        print(f"{static}: {plural(page.runs, 'run')}, {conversations}{pictures}")
        return 0
    with suppress(KeyboardInterrupt):
        asyncio.run(stoppable(_serve(viewed, port, in_browser=open)))
    return 0


async def _serve(viewed: ViewedFolder, port: int, *, in_browser: bool) -> None:
    with TemporaryDirectory(prefix="quintet-view-") as private:
        async with serve_view(viewed, port=port) as server:
            print(f"viewing {viewed.root} at {server.url}", flush=True)
            if in_browser:
                webbrowser.open(_page_that_leads_to(server.url, Path(private)).as_uri())
            await asyncio.get_running_loop().create_future()


def _page_that_leads_to(url: str, folder: Path) -> Path:
    """A page in a private folder. The address itself has the token, and every user may read a browser's arguments."""
    page = folder / "view.html"
    page.write_text(f'<!doctype html>\n<meta http-equiv="refresh" content="0; url={escape(url)}">\n', encoding="utf-8")
    return page
