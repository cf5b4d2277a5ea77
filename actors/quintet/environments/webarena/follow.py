"""Follows a task's walk: which action comes next, and how far it is once an action is done."""

from msgspec.structs import replace

from quintet.environments.webarena.actions import GoTo, WebAction, read_web_action
from quintet.environments.webarena.addresses import SiteAddresses
from quintet.environments.webarena.observation.tree import PageTree
from quintet.environments.webarena.snapshot import WebProgress
from quintet.environments.webarena.tasks.walks import StepNotHere, Walk, resolve_step


def next_action(
    walk: Walk | None, now: WebProgress, start: str, tree: PageTree, addresses: SiteAddresses
) -> WebAction | None:
    """The walk's next action; None: there is no walk, or it leads nowhere from here.

    Where something else was done than the walk says, it begins anew if nothing was sent yet.

    Args:
        walk: of the task.
        now: how far the session has come.
        start: the address of the task's first page.
        tree: the page that is open.
        addresses: of the session's sites.
    """
    if walk is None:
        return None
    if now.strayed:
        return None if now.sent else GoTo(addresses.shown(start))
    try:
        return read_web_action(resolve_step(walk[now.walked], tree, addresses))
    except StepNotHere:
        return None


def walked(now: WebProgress, done: WebAction, expected: WebAction | None) -> WebProgress:
    """How far the walk is once an action is done.

    Args:
        now: how far it was.
        done: the action.
        expected: what `next_action` said.
    """
    if done != expected:
        return replace(now, strayed=True)
    return replace(now, strayed=False, walked=0 if now.strayed else now.walked + 1)
