from quintet.environments.miniwob.package import page_names
from quintet.environments.miniwob.tasks import WITH_FEEDBACK, WITHOUT_FEEDBACK, task_kind
from tests.actors.environments.miniwob.installed import needs_package


def test_adaplanners_table_has_nine_tasks_with_feedback_and_44_without() -> None:
    assert (len(set(WITH_FEEDBACK)), len(set(WITHOUT_FEEDBACK))) == (9, 44)
    assert not set(WITH_FEEDBACK) & set(WITHOUT_FEEDBACK)


def test_a_task_is_of_the_kind_that_the_table_has_it_under() -> None:
    assert [task_kind(name) for name in ("terminal", "click-pie", "click-menu")] == [
        "feedback",
        "further",
        "no feedback",
    ]


@needs_package
def test_each_of_them_has_its_page() -> None:
    assert set(WITH_FEEDBACK + WITHOUT_FEEDBACK) <= set(page_names())
