"""A skipped clause fails, unless its subject or its world lacks what it needs; a quarter of the longest are fast."""

from collections import Counter
from collections.abc import Generator
from typing import cast

import pytest

from quintet.ports.model import DrawsSeveral
from quintet.testing import environment, environment_copies, environment_members, learner, method, model, stream
from quintet.testing.environment_case import EnvironmentCase
from quintet.testing.method_case import MethodCase
from quintet.testing.model_case import ModelCase

_SEVERAL = model.test_several_completions_come_by_one_request_whose_usage_the_first_has.__name__
_LISTS = environment.test_admissible_actions_are_carried_out_and_none_is_left_when_the_task_is_done.__name__
_WEB = {
    _LISTS,
    environment.test_a_rejected_action_leaves_no_trace.__name__,
    environment.test_malformed_actions_do_not_raise_and_do_not_keep_the_task_from_being_solved.__name__,
    environment_members.test_a_judges_verdicts_are_taken_and_a_good_one_earns_no_less.__name__,
    environment_members.test_figures_have_names_and_are_shares.__name__,
}
_NAIVE = environment_members.test_a_naive_policys_actions_are_carried_out_and_asking_changes_nothing.__name__
_VERDICTS = environment_members.test_a_judges_verdicts_are_taken_and_a_good_one_earns_no_less.__name__
_FIGURES = environment_members.test_figures_have_names_and_are_shares.__name__
_ANSWERS = environment_members.test_an_answer_is_an_action_that_ends_the_task.__name__
_READY = environment_members.test_it_gets_ready_for_its_tasks_and_again_where_it_is.__name__
_PLAIN = {
    _READY,
    environment_members.test_a_snapshot_leads_back_where_states_are_not_copied.__name__,
    environment_members.test_a_reset_brings_it_to_its_beginning.__name__,
    environment_members.test_as_many_sessions_as_it_has_places_are_played_at_once.__name__,
}
"""About what worlds in memory have no need of."""
SKIPS = {
    "textcraft": {*_PLAIN, _LISTS, _NAIVE, _VERDICTS, _FIGURES, _ANSWERS},
    "alfworld": {*_PLAIN, _NAIVE, _VERDICTS, _FIGURES, _ANSWERS},
    "hotpotqa": {*_PLAIN, _LISTS, _NAIVE},
    "webshop": {*_PLAIN, _LISTS, _VERDICTS, _ANSWERS},
    "shell": {
        *(_PLAIN - {_READY}),
        _LISTS,
        _NAIVE,
        _VERDICTS,
        _FIGURES,
        _ANSWERS,
    },
    "bfcl": {*_PLAIN, _LISTS, _NAIVE, _VERDICTS, _ANSWERS},
    "tau2": {*_PLAIN, _LISTS, _NAIVE, _VERDICTS, _ANSWERS},
    "miniwob": {
        environment_members.test_a_reset_brings_it_to_its_beginning.__name__,
        environment_members.test_a_snapshot_leads_back_where_states_are_not_copied.__name__,
        _LISTS,
        _NAIVE,
        _VERDICTS,
        _ANSWERS,
    },
    "scienceworld": {*(_PLAIN - {_READY}), _NAIVE, _VERDICTS, _ANSWERS},
    "webarena": {
        *_WEB,
        environment_members.test_a_reset_brings_it_to_its_beginning.__name__,
        environment_members.test_a_snapshot_leads_back_where_states_are_not_copied.__name__,
    },
    "webarena with a user's sites": {
        *_WEB,
        environment.test_an_experts_actions_solve_the_task.__name__,
        environment.test_another_process_with_another_hash_seed_gives_the_same_outcomes.__name__,
        environment.test_nothing_is_advised_once_the_task_is_solved.__name__,
        environment.test_sessions_that_are_played_at_once_do_not_disturb_each_other.__name__,
        environment.test_the_same_actions_give_the_same_outcomes.__name__,
        environment_copies.test_a_fork_goes_its_own_way.__name__,
        environment_copies.test_a_snapshot_changes_nothing_and_goes_on_where_it_was_taken.__name__,
        environment_copies.test_a_snapshot_is_what_a_replay_arrives_at.__name__,
        environment_copies.test_going_back_undoes_every_step_that_is_not_lasting.__name__,
        environment_members.test_as_many_sessions_as_it_has_places_are_played_at_once.__name__,
    },
}
"""By world."""

OF_A_METHOD = {
    method.test_it_has_its_name_and_a_version.__name__,
    method.test_a_role_answers_each_of_its_requests.__name__,
    method.test_the_actor_of_each_role_that_it_brings_accepts_the_requests_of_the_role.__name__,
    method.test_its_budget_is_one_line.__name__,
}
"""Clauses about a method's class alone, which its first case tries."""
IN_A_WORLD = {
    method.test_its_values_for_the_world_are_valid.__name__,
    method.test_every_request_has_its_prompts_in_an_environment_that_is_installed.__name__,
}
"""Clauses about a method in a world, which are no others inside another method or with other options."""

REPEATING = {
    method.test_the_same_seed_gives_the_same_content.__name__,
    method.test_another_process_with_another_hash_seed_gives_the_same_content.__name__,
    method.test_an_episode_that_was_killed_goes_on_to_the_same_content.__name__,
    method.test_an_episode_that_used_up_its_calls_ends_as_it_offered.__name__,
    learner.test_it_learns_from_its_training_tasks_and_from_no_others.__name__,
    learner.test_the_order_in_which_episodes_end_changes_nothing.__name__,
    learner.test_a_learner_that_was_killed_goes_on_to_the_same_content.__name__,
    learner.test_a_budget_that_ends_inside_a_phase_loses_nothing.__name__,
    stream.test_along_a_stream_a_kill_changes_nothing_and_repeats_no_call.__name__,
}
"""Clauses that learn, start a process, or run an episode dozens of times."""
TWICE = {
    method.test_the_same_seed_gives_the_same_content.__name__,
    method.test_another_process_with_another_hash_seed_gives_the_same_content.__name__,
}
"""Clauses that run an episode again. That a browser repeats is a claim of the world, whose own clauses hold it."""


@pytest.fixture(autouse=True)
def _a_few_kills(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fast suite tries fewer kills and limits than `quintet check` and the slow suite."""
    if request.node.get_closest_marker("slow") is None:
        for module, name, few in ((method, "_KILLS", 4), (method, "_LIMITS", 2), (learner, "_KILLS", 3)):
            monkeypatch.setattr(module, name, few)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Drop cases in which a clause says nothing new, and leave three quarters of a repeating clause to the slow suite.

    Cases come in fours, one for each world: the fast suite has the first world of the first four, the second of the
    next, and so on. Those that need a browser are all slow, and left out of the fours.
    """
    tried: Counter[str] = Counter()
    seen: set[tuple[str, ...]] = set()
    items[:] = [item for item in items if _says_something_new(item, seen)]
    for item in items:
        if not isinstance(item, pytest.Function):
            continue
        if item.get_closest_marker("web") is not None:
            if item.originalname in REPEATING | TWICE:
                item.add_marker(pytest.mark.slow)
        elif item.originalname in REPEATING:
            four, world = divmod(tried[item.originalname], 4)
            if world != four % 4:
                item.add_marker(pytest.mark.slow)
            tried[item.originalname] += 1


def _says_something_new(item: pytest.Item, seen: set[tuple[str, ...]]) -> bool:
    if not isinstance(item, pytest.Function) or item.originalname not in OF_A_METHOD | IN_A_WORLD:
        return True
    case = cast("MethodCase", item.callspec.params["case"])
    what = (item.originalname, case.name.partition("(")[0], case.world if item.originalname in IN_A_WORLD else "")
    new = what not in seen
    seen.add(what)
    return new


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call" and not report.failed and isinstance(item, pytest.Function):
        case = item.funcargs.get("case")
        skips = isinstance(case, EnvironmentCase) and item.originalname in SKIPS.get(_world(case), set())
        if isinstance(case, ModelCase) and item.originalname == _SEVERAL:
            skips = not isinstance(case.model, DrawsSeveral)
        if isinstance(case, MethodCase) and report.skipped:
            skips = (case.method.takes_listed_actions or case.method.policy is not None) and bool(case.obstacle())
        if report.skipped != skips:
            report.longrepr = f"expected {'a skip' if skips else 'no skip'}, got {report.outcome}: {report.longrepr}"
            report.outcome = "failed"
    return report


def _world(case: EnvironmentCase) -> str:
    return case.plug_in.name + (" with a user's sites" if "sites" in case.plug_in.options else "")
