"""Every strategy of Reavers of Midgard conforms: it answers, touches nothing, and uses only what its player may see."""

import pytest

from strategies import conformance, registry

POLICIES = ["random", "greedy", "balanced", "planner"]
PARAMETER_SETS = [name for name in registry.names("reavers") if name not in POLICIES]


@pytest.mark.parametrize("name", POLICIES)
def test_policies_conform(name):
    assert conformance.check("reavers", name) == []


@pytest.mark.parametrize("name", PARAMETER_SETS)
def test_parameter_sets_conform(name):
    """They are the shared heuristic with other weights, so games of two show what can go wrong."""
    assert conformance.check("reavers", name, players=[2]) == []


@pytest.mark.parametrize("name", ["planner", "greedy"])
def test_strategies_conform_under_the_other_rules(name):
    rules = ["recruit_offer=space", "offer_refill=fill_gaps", "territory_rewards=open", "add_hammers_between_rolls=yes"]
    assert conformance.check("reavers", name, rules=rules, players=[3]) == []
