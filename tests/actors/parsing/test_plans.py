import random
from collections.abc import Collection

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quintet.messages.message import Unanswered
from quintet.messages.planning import AllOf, AnyOf, Decomposed, PlanMade, PlanStep, PlanTree
from quintet.messages.wire import encode
from quintet.parsing.orders import join_parts, offers_a_choice
from quintet.parsing.plans import read_decomposition, read_plan

STEPS = [PlanStep(number=number, text=f"do {number}") for number in range(1, 7)]
ONE, TWO, THREE, FOUR, FIVE, SIX = STEPS


def all_of(*parts: PlanTree) -> AllOf:
    return AllOf(parts=parts)


def any_of(*parts: PlanTree) -> AnyOf:
    return AnyOf(parts=parts)


PRINTED = "Step 1: do 1\nStep 2: do 2\nStep 3: do 3\n"


def decomposed(order: str, steps: Collection[int] = (1, 2, 3)) -> Decomposed:
    text = "".join(f"Step {number}: do {number}\n" for number in sorted(steps))
    read = read_decomposition(f"{text}Execution Order: {order}")
    assert isinstance(read, Decomposed)
    return read


@pytest.mark.parametrize(
    ("order", "plan"),
    [
        ("1 OR 2 AND 3", all_of(any_of(ONE, TWO), THREE)),
        ("1 AND 2 OR 3", any_of(all_of(ONE, TWO), THREE)),
        ("1 OR 2 OR 3 AND 4 AND 5", all_of(any_of(ONE, TWO, THREE), FOUR, FIVE)),
        ("1 OR 2 AND 3 OR 4", any_of(all_of(any_of(ONE, TWO), THREE), FOUR)),
        ("6 AND (1 OR 2 AND 3)", all_of(SIX, any_of(ONE, TWO), THREE)),
    ],
)
def test_mixed_operators_are_runs_from_left_to_right_and_recorded_as_ambiguous(order: str, plan: PlanTree) -> None:
    assert decomposed(order, taken(plan)) == Decomposed(plan=plan, ambiguous=True)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("", "no execution order"),
        ("Step 1 AND Step 9", "the order names Step 9, which the plan does not have"),
        ("Step 1 Step 2", "expected AND, OR or the end, got 'Step 2'"),
        ("Step 1 AND Step 3", "the order leaves out Step 2, and does not say so"),
        ("Step 1 plus Step 3", "the order leaves out Step 2, and does not say so"),
        ("()", "expected a step, got ')'"),
        ("Step 1 AND", "expected a step, got the end"),
        (
            "Step 2 AND Step 1 but perhaps AND Step 3",
            "expected a step, AND, OR or a bracket, got 'but perhaps AND Step'",
        ),
        ("as usual", "expected a step, AND, OR or a bracket, got 'as usual'"),
        ("Steps 3 to 1", "expected steps from a lower to a higher number, got 'Steps 3 to 1'"),
        ("(" * 300, "expected at most 200 steps, operators and brackets, got more"),
    ],
)
def test_an_order_that_cannot_be_read_falls_back_to_all_steps_and_says_why(order: str, reason: str) -> None:
    assert decomposed(order) == Decomposed(plan=all_of(ONE, TWO, THREE), fallback=reason)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("Step 1 OR Step 9", "the order names Step 9, which the plan does not have"),
        ("Step 1 AND OR Step 2", "expected a step, got 'OR'"),
        ("Step 1 OR", "expected a step, got the end"),
        ("Step 1 | 2 perhaps AND Step 3", "expected a step, AND, OR or a bracket, got 'perhaps AND Step 3'"),
        ("Step 1 OR Step 3", "the order leaves out Step 2, and does not say so"),
        ("Step 1 AND Step 2 if Step 1 fails", "expected a step, AND, OR or a bracket, got 'if Step 1 fails'"),
    ],
)
def test_an_order_with_alternatives_that_cannot_be_read_is_no_plan(order: str, reason: str) -> None:
    read = read_decomposition(f"{PRINTED}Execution Order: {order}")
    assert read == Unanswered(reason=f"the execution order cannot be read: {reason}")


def test_a_plan_without_an_order_line_falls_back_to_all_steps_or_the_one_there_is() -> None:
    missing = "no execution order"
    assert read_decomposition("Step 1: do 1\nStep 2: do 2") == Decomposed(plan=all_of(ONE, TWO), fallback=missing)
    assert read_decomposition("Step 1: do 1") == Decomposed(plan=ONE, fallback=missing)


def test_steps_go_by_their_printed_number() -> None:
    text = "Step 2: do 2\nStep 5: do 5\nExecution Order: (Step 5 AND Step 2)"
    assert read_decomposition(text) == Decomposed(plan=all_of(FIVE, TWO))


def test_a_number_printed_twice_falls_back_to_all_steps_as_printed() -> None:
    again = PlanStep(number=1, text="do it again")
    text = "Step 1: do 1\nStep 1: do it again\nExecution Order: (Step 1)"
    expected = Decomposed(plan=all_of(ONE, again), fallback="two steps are printed as Step 1")
    assert read_decomposition(text) == expected


@pytest.mark.parametrize(
    "order",
    [
        "Step 1 AND Step 3, skipping Step 2",
        "Step 1 AND Step 3 (Step 2 is not needed)",
        "(Step 1 AND Step 3)\nStep 2 can be left out, since it is done.",
        "1 -> 3; without 2",
    ],
)
def test_a_step_is_not_taken_if_the_order_says_that_it_is_left_out(order: str) -> None:
    assert decomposed(order) == Decomposed(plan=all_of(ONE, THREE))


_TEXTS = st.lists(
    st.sampled_from(
        ["find a mug", "go to desk 1", "put 2 mugs and a cup in/on the desk", "craft 1 stick using 2 bamboo"]
    )
    | st.from_regex(r"(take|open) [a-z]{3,8} [1-9]", fullmatch=True),
    min_size=1,
    max_size=12,
    unique=True,
)
_MARKS = st.sampled_from(
    ["Step {}: {}", "Step {}. {}", "step {} - {}", "**Step {}:** {}", "### Step {}\n{}", "{}. {}", "{}) {}", "({}) {}",
     "- Step {}: {}", "- [ ] Step {}: {}", "{}. [ ] {}", "{}. Step {}: {}", "| {} | {} |", "{}: {}", "[{}] {}",
     "Step {} → {}", "Step {}:\n{}", "☐ {}. {}", "> {}. {}", "Step #{}: {}", "\n**{}.** {}"]
)  # fmt: skip


@given(_TEXTS, _MARKS, st.sampled_from(["\n", "\n\n"]), st.booleans())
def test_all_steps_of_a_plan_are_read_in_order_in_any_style(
    texts: list[str], mark: str, between: str, ordered: bool
) -> None:
    lines = [mark.replace("{}", str(at), mark.count("{}") - 1).format(text) for at, text in enumerate(texts, 1)]
    order = f"Execution Order: ({' AND '.join(f'Step {at}' for at in range(1, len(texts) + 1))})"
    said = between.join([*lines, order] if ordered else lines)
    plan, made = read_decomposition(said), read_plan(said)
    assert isinstance(made, PlanMade)
    assert [step.text for step in made.steps] == texts
    assert plan == Decomposed(plan=join_parts(AllOf, *made.steps), fallback="" if ordered else "no execution order")


_JOINS = st.sampled_from(
    [" AND ", " and ", ", ", " ", "\n", "\n\n", "\n↓\n", " ↓ ", ". ", " plus ", " before ", " must precede ",
     " ANDROID ", " -> ", ", then ", "\n- ", "\n* and ", ";\n", " followed by ", " & ", " … ", " 然后 ", " >> ",
     " ; next: "]
)  # fmt: skip
_LABELS = st.sampled_from(["Step {}", "{}", "step {}", "**Step {}**", "Step {}: do {}", "Step {} (do {})", "[{}]"])
_FENCES = st.sampled_from(["{}", " {}", "\n{}", "\n```\n{}\n```", "({})", " Do {}.", "\n\n- {}"])


@given(st.integers(1, 6), _JOINS, _LABELS, _FENCES)
def test_an_order_without_a_choice_takes_all_steps_in_order(count: int, join: str, label: str, fence: str) -> None:
    order = fence.format(join.join(label.format(number, number) for number in range(1, count + 1)))
    assert decomposed(order, range(1, count + 1)).plan == (all_of(*STEPS[:count]) if count > 1 else ONE)


@given(st.lists(st.integers(1, 3), min_size=1, max_size=2), st.text(alphabet="ao ,.;:AND\n-", max_size=6))
def test_no_plan_is_shortened_by_an_order_that_does_not_say_so(numbers: list[int], join: str) -> None:
    read = read_decomposition(f"{PRINTED}Execution Order: {join.join(map(str, numbers))}")
    assert isinstance(read, Unanswered) or taken(read.plan) == {1, 2, 3}


def test_what_follows_the_order_is_not_read() -> None:
    text = "Step 1: do 1\nExecution Order: (Step 1)\n\nGoal: another.\nStep 1: else\nExecution Order: (Step 1)"
    assert read_decomposition(text) == Decomposed(plan=ONE)
    assert read_plan(text) == PlanMade(steps=(ONE,))


def test_an_empty_plan_has_failed() -> None:
    for text in ("", "Step 1:", "Execution Order: (Step 1)"):
        assert read_plan(text) == read_decomposition(text) == Unanswered(reason="the plan has no step")


def _groups(parts: st.SearchStrategy[PlanTree]) -> st.SearchStrategy[PlanTree]:
    several = st.lists(parts, min_size=2, max_size=4)
    return several.map(lambda parts: all_of(*parts)) | several.map(lambda parts: any_of(*parts))


_LEAVES: st.SearchStrategy[PlanTree] = st.sampled_from(STEPS)
_TREES = st.recursive(_LEAVES, _groups, max_leaves=20)


_DRESSES = ("Step {}", "step {}", "{}", "({})", "**Step {}**", "step_{}", "`Step {}`", "Step {} (as needed)", "#{}")


def printed(tree: PlanTree, dress: random.Random, *, calls: bool = False) -> str:
    """The tree as an order, every group in brackets, or as the call of its operator."""
    if isinstance(tree, PlanStep):
        return dress.choice(_DRESSES).format(tree.number)
    signs = (
        ["AND", "and", "And", "&", "&&", "->", "then", "→"]
        if isinstance(tree, AllOf)
        else ["OR", "or", "Or", "|", "||"]
    )
    texts = [printed(part, dress, calls=calls) for part in tree.parts]
    if calls:
        return f"{signs[0]}({', '.join(texts)})"
    if dress.random() < 0.2:
        joined = f"{', '.join(texts[:-1])}, {signs[0]} {texts[-1]}"
    else:
        joined = texts[0] + "".join(f" {dress.choice(signs)} {text}" for text in texts[1:])
    opening, closing = dress.choice([("(", ")"), ("[", "]"), ("{", "}")])
    return f"{opening}{joined}{closing}"


def flattened(tree: PlanTree) -> PlanTree:
    if isinstance(tree, PlanStep):
        return tree
    parts: list[PlanTree] = []
    for part in map(flattened, tree.parts):
        parts.extend(part.parts if isinstance(part, type(tree)) else [part])
    return type(tree)(parts=tuple(parts))


@given(_TREES, st.randoms())
def test_every_tree_is_read_back_as_it_was_printed(tree: PlanTree, dress: random.Random) -> None:
    order = printed(tree, dress, calls=dress.random() < 0.2) + dress.choice(
        ["", ".", " as all that is needed", "\n\nThat is all."]
    )
    assert decomposed(order, taken(tree)) == Decomposed(plan=flattened(tree))
    if not isinstance(tree, PlanStep) and order[-1] in ")]}":
        assert decomposed(order[:-1], taken(tree)) == Decomposed(plan=flattened(tree))


_PIECES = st.sampled_from(["Step", "1", "2", "99", ":", "(", ")", "[", " ", "AND", "or", "Execution Order:", "\n", "."])


@given(st.one_of(st.text(), st.lists(_PIECES, max_size=60).map("".join)))
@example("Step 1: x\nExecution Order: " + "1 AND 1 OR " * 5000 + "1")
@example("Step 1: x\nExecution Order: " + "(" * 99 + "1" + ")" * 99)
@example("Step 1: x\nExecution Order: " + " " * 50_000 + "1")
@example("Step ٣: x\nStep " + "9" * 5000 + ": y")
def test_no_text_raises_and_every_plan_crosses_the_wire(text: str) -> None:
    assert encode(read_plan(text))
    assert encode(read_decomposition(text))


@given(st.text(max_size=80))
def test_any_order_gives_a_plan_of_the_printed_steps(order: str) -> None:
    read = read_decomposition(f"Step 1: do 1\nStep 2: do 2\nExecution Order: {order}")
    if isinstance(read, Unanswered):
        assert offers_a_choice(order)
    else:
        assert isinstance(read, Decomposed)
        assert taken(read.plan) <= {1, 2}
        assert read.plan == all_of(ONE, TWO) or not read.fallback


_DECORATED = st.sampled_from(["Step {}", "{}", "step_{}", "(Step {})"])
_OPERATORS = st.sampled_from([" AND ", " and ", ", ", " OR ", " or ", " | ", " or else ", " then ", ", or ", " "])
_TRAILS = st.sampled_from(["", ".", ")", " in this order", ", since all are needed", " OR", " or perhaps 2"])


@given(st.lists(st.tuples(_DECORATED, st.integers(1, 4), _OPERATORS), min_size=2, max_size=6), _TRAILS)
def test_an_order_that_says_or_never_becomes_and(parts: list[tuple[str, int, str]], trail: str) -> None:
    order = "".join(label.format(number) + operator for label, number, operator in parts[:-1])
    order += parts[-1][0].format(parts[-1][1]) + trail
    read = read_decomposition(f"{PRINTED}Execution Order: {order}")
    if offers_a_choice(order) and isinstance(read, Decomposed):
        assert "AnyOf" in repr(read.plan) or len(taken(read.plan)) == 1


def taken(tree: PlanTree) -> set[int]:
    return {tree.number} if isinstance(tree, PlanStep) else set[int]().union(*map(taken, tree.parts))


@given(st.lists(st.sampled_from(["get 2 bamboo", "go to desk 1", "craft 1 stick using 2 bamboo"]), min_size=1))
def test_a_list_in_the_form_has_every_line_as_a_step(texts: list[str]) -> None:
    read = read_plan("\n".join(["List", *(f"{number}. {text}" for number, text in enumerate(texts, 1))]))
    assert read == PlanMade(steps=tuple(PlanStep(number=at, text=text) for at, text in enumerate(texts, 1)))


@given(st.text())
def test_whatever_stands_below_a_list_no_step_is_empty(text: str) -> None:
    read = read_plan(f"List\n{text}")
    assert not isinstance(read, PlanMade) or all(step.text.strip() for step in read.steps)
