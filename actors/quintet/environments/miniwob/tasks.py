"""The tasks of AdaPlanner's table, by name.

Source: the nine with feedback are those that AdaPlanner's released code runs. The paper counts 53; their names, in this
order, are those that the released code of AutoManual (Chen et al., 2024) lists, which compares itself with it on all.
"""

from typing import Final

WITHOUT_FEEDBACK: Final = (
    "choose-list",
    "click-button",
    "click-button-sequence",
    "click-checkboxes",
    "click-checkboxes-large",
    "click-checkboxes-soft",
    "click-checkboxes-transfer",
    "click-collapsible",
    "click-collapsible-2",
    "click-color",
    "click-dialog",
    "click-dialog-2",
    "click-link",
    "click-menu",
    "click-option",
    "click-scroll-list",
    "click-shades",
    "click-shape",
    "click-tab",
    "click-tab-2",
    "click-tab-2-hard",
    "click-test",
    "click-test-2",
    "click-widget",
    "count-shape",
    "enter-date",
    "enter-password",
    "enter-text",
    "enter-text-dynamic",
    "enter-time",
    "focus-text",
    "focus-text-2",
    "grid-coordinate",
    "identify-shape",
    "login-user",
    "multi-layouts",
    "multi-orderings",
    "navigate-tree",
    "simple-algebra",
    "social-media",
    "social-media-all",
    "social-media-some",
    "use-autocomplete",
    "use-spinner",
)
WITH_FEEDBACK: Final = (
    "search-engine",
    "tic-tac-toe",
    "terminal",
    "login-user-popup",
    "guess-number",
    "email-inbox",
    "email-inbox-nl-turk",
    "email-inbox-forward-nl",
    "email-inbox-forward-nl-turk",
)
"""Feedback is what a page says of a step that went wrong, or of what comes next."""


def task_kind(name: str) -> str:
    """Where a task stands in the table."""
    if name in WITH_FEEDBACK:
        return "feedback"
    return "no feedback" if name in WITHOUT_FEEDBACK else "further"
