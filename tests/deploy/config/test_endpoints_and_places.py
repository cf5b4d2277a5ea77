"""The addresses of models, the placement of hosts, and what a resume may change of them."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from quintet.config import plugins
from quintet.config.resolve import resolve_changes
from quintet.config.sections import METHOD_MODEL_ROLES, RunConfig
from quintet.config.settings import from_assignments, from_table
from quintet.errors import UsageError
from quintet.launch.prepare import Prepared, prepare, prepare_again
from quintet.models.endpoint.model import Endpoint
from quintet.quota.prices import Price

REACT = {"method": {"name": "react"}, "environment": {"name": "textcraft"}}
URL = "http://127.0.0.1:9/v1"


def prepared(**sections: Any) -> Prepared:
    return prepare([from_table({**REACT, **sections}, "test")])


def config(**sections: Any) -> RunConfig:
    return prepared(**sections).config


def test_a_catalogue_name_is_a_model_here_and_is_only_sent_to_a_url() -> None:
    assert plugins.make_model(config(model={"name": "sim-weak"}).model).name == "sim-weak (simulated)"
    sent = plugins.make_model(config(model={"name": "sim-weak", "url": URL}).model)
    assert isinstance(sent, Endpoint)
    assert sent.name == "sim-weak"


def test_an_unknown_name_is_openais_if_a_key_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name, expected in (
        ("gpt-4.1-mini", r"^OPENAI_API_KEY: expected a key .* for the endpoint's model 'gpt-4.1-mini'; without"),
        ("sim-weka", r"^model: expected 'sim-weak', or the name of an endpoint's model \(OPENAI_API_KEY: .*\), got"),
    ):
        with pytest.raises(UsageError, match=expected):
            config(model={"name": name})
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert isinstance(plugins.make_model(config(model={"name": "gpt-4.1-mini"}).model), Endpoint)


def with_planner(**planner: str) -> Prepared:
    model = {"name": "small", "url": URL, "planner": planner}
    return prepared(method={"name": "adapt"}, model=model)


def test_a_roles_model_is_at_the_same_endpoint_unless_it_says_otherwise() -> None:
    assert with_planner(name="large").config.model.of("planner").url == URL
    here = with_planner(name="sim-strong", url="").spec.models
    assert here["planner"].name == "sim-strong (simulated)"
    assert here["react/executor"].name == "small"


@pytest.mark.parametrize(
    ("runtime", "on_ray"),
    [
        ({}, False),
        ({"concurrency": 4}, False),
        ({"kind": "ray"}, True),
        ({"hosts": 2}, True),
        ({"placement": "per-role"}, True),
        ({"address": "auto"}, True),
        ({"quota": "shared"}, True),
        ({"roles": {"executor": {"hosts": 3, "resources": {"fast": 1.0}}}}, True),
        ({"kind": "local", "hosts": 2}, False),
    ],
)
def test_a_setting_about_ray_implies_ray_unless_set_otherwise(runtime: dict[str, Any], on_ray: bool) -> None:
    assert config(runtime=runtime).runtime.on_ray is on_ray


@pytest.mark.parametrize(
    ("sections", "expected"),
    [
        ({"runtime": {"kind": "slurm"}}, "runtime.kind: expected 'local' or 'ray', got 'slurm'"),
        ({"runtime": {"hosts": 0}}, "runtime.hosts: expected >= 1, got 0"),
        ({"runtime": {"placement": "spread"}}, "runtime.placement: expected 'colocated' or 'per-role', got 'spread'"),
        ({"runtime": {"roles": {"learner": {"hosts": 1}}}}, "runtime.roles.learner"),
        ({"runtime": {"roles": {"executor": {"cores": 1}}}}, "runtime.roles.executor.cores"),
        ({"model": {"name": "m", "url": "127.0.0.1:9"}}, "url"),
        ({"model": {"name": "m", "url": "ftp://x/v1"}}, "url"),
        ({"model": {"name": "m", "url": "http://user:sk-secret@host/v1"}}, "url"),
        ({"model": {"name": "m", "url": "http://h/v1?key=sk-secret"}}, "url"),
    ],
)
def test_a_bad_placement_or_address_is_refused_with_its_origin_and_no_secret(
    sections: dict[str, Any], expected: str
) -> None:
    with pytest.raises(UsageError) as refused:
        config(**sections)
    assert expected in str(refused.value)
    assert "(test)" in str(refused.value)
    assert "sk-secret" not in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [
        {"runtime": {"kind": "ray", "placement": "per-role", "hosts": 2}},
        {"limits": {"budget_usd": None, "budget_tokens": 10, "repeats": 9, "calls": 2}},
        {"model": {"url": "http://127.0.0.1:10/v1", "key": "OTHER_KEY"}},
    ],
)
def test_a_resume_may_change_where_it_runs_and_what_it_may_spend(
    change: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTHER_KEY", "sk-other")
    begun = config(model={"name": "sim-weak", "url": URL})
    layer = {key: setting for key, setting in from_table(change, "flags").items() if setting.value is not None}
    assert resolve_changes(begun, layer, Path("run")).config != begun


@pytest.mark.parametrize("role", METHOD_MODEL_ROLES)
def test_a_resume_may_change_where_the_model_of_a_role_is(role: str) -> None:
    begun = config(model={role: {"name": "large", "url": URL}})
    moved = {"model": {role: {"url": "http://127.0.0.1:10/v1"}}}
    assert resolve_changes(begun, from_table(moved, "flags"), Path("run")).config != begun


@pytest.mark.parametrize(
    "change", [{"limits": {"episode_tokens": 10}}, {"limits": {"episode_calls": 10}}, {"model": {"name": "sim-strong"}}]
)
def test_a_resume_may_not_change_what_can_change_results(change: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="only what cannot change results"):
        resolve_changes(config(), from_table(change, "flags"), Path("run"))


@pytest.mark.parametrize("limit", ["budget_usd", "episode_usd"])
def test_a_budget_in_dollars_needs_a_price_and_says_how_to_give_one(limit: str, tmp_path: Path) -> None:
    expected = rf"limits\.{limit}: expected a model with a list price, got 'sim-weak'.*limits\.prices"
    with pytest.raises(UsageError, match=expected):
        config(limits={limit: 1.0})
    prices = tmp_path / "prices.toml"
    prices.write_text('["sim-weak"]\ninput = 1\noutput = 2\n')
    priced = prepared(limits={limit: 1.0, "prices": str(prices)})
    assert priced.prices["sim-weak (simulated)"].output == 2


def test_a_resume_keeps_its_recorded_prices_unless_the_users_file_has_others(tmp_path: Path) -> None:
    begun = prepared(model={"name": "gpt-4.1-mini", "url": "https://api.openai.com/v1"}).record
    (name,) = begun.prices
    recorded = Price(input=Decimal(7), cached_input=Decimal(7), output=Decimal(9))
    assert begun.prices[name] != recorded
    assert prepare_again(begun, {}, tmp_path).prices == begun.prices
    assert prepare_again(begun, {}, tmp_path, {name: recorded}).prices == {name: recorded}
    file = tmp_path / "prices.toml"
    file.write_text('["gpt-4.1-mini"]\ninput = 1\noutput = 2\n')
    own = from_assignments([f"limits.prices={file}"])
    assert prepare_again(begun, own, tmp_path, {name: recorded}).prices[name].output == 2


def test_structured_answers_are_a_roles_own_and_its_prompts_follow() -> None:
    asked = {"name": "adapt"}
    text = prepared(method=asked, model={"name": "sim-weak"})
    mixed = prepared(method=asked, model={"name": "sim-weak", "planner": {"answers": "schema"}})
    assert mixed.config.model.of("planner").answers == "schema"
    assert mixed.config.model.of("executor").answers == "text"
    before, after = text.spec.methods[0].prompts, mixed.spec.methods[0].prompts
    assert text.spec.methods[1].prompts == mixed.spec.methods[1].prompts
    assert "Action: one action" in mixed.spec.methods[1].prompts["execute"]
    assert '"steps"' in after["decompose"]
    assert "{form" not in before["decompose"] + after["decompose"]
    assert text.record.prompts["react/execute"] == mixed.record.prompts["react/execute"]
    assert text.record.prompts["decompose"] != mixed.record.prompts["decompose"]


def test_a_methods_examples_are_turns_for_the_roles_that_ask_for_it_and_whatever_the_method() -> None:
    for method in ("react", "standard", "autoplan", "adapt"):
        found = prepared(method={"name": method}, model={"name": "sim-weak", "executor": {"examples": "turns"}})
        assert {name for each in found.spec.methods for name in each.with_example_turns} == {"executor"}
