"""What the ends of tasks are compared with."""

from collections.abc import Iterator

from quintet.environments.webarena.tasks.schema import WebTask


def references(task: WebTask) -> Iterator[str]:
    """Everything with which a task's end is compared."""
    answers = task.eval.reference_answers
    if answers and answers.exact_match:
        yield answers.exact_match
    yield from (answers.must_include or ()) if answers else ()
    yield task.eval.reference_url or ""
    for check in task.eval.program_html:
        yield from (check.url, check.locator, check.required_contents.exact_match or "")
        yield from check.required_contents.must_include or ()
