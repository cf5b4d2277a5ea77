from quintet.ports.task_names import unknown_split, unknown_task


def test_an_unknown_split_is_told_with_those_there_are() -> None:
    assert str(unknown_split("dev", ("test", "train"), "maze")) == "split: expected test or train, got 'dev' (maze)"


def test_an_unknown_task_is_told_with_the_nearest_each_once() -> None:
    error = unknown_task("sum-3", ("sum-1", "product", "sum-2", "sum-1"), "sums")
    assert str(error) == "task: expected one such as sum-2 or sum-1, got 'sum-3' (sums)"


def test_where_no_task_is_near_the_first_is_named_and_a_long_name_is_cut() -> None:
    error = str(unknown_task("x" * 10_000, ("sum-1", "sum-2"), "sums"))
    assert error.startswith("task: expected one such as sum-1, got 'xxx")
    assert len(error) < 300
