from __future__ import annotations

from types import SimpleNamespace

import pytest

from riskrank.errors import ParameterError
from riskrank.registry import Registry


@pytest.fixture
def planets():
    planets = Registry("planet", group="riskrank.planets")
    planets["Mars"] = 0.11
    planets["Proxima_b"] = 1.1
    planets.add_alias("RedPlanet", "Mars")
    return planets


@pytest.mark.parametrize("name", ["Mars", "mars", "MARS", "red-planet", "red_planet"])
def test_names_and_aliases_are_matched_in_any_case_with_or_without_dashes(planets, name):
    assert planets.named(name) == 0.11


def test_exact_names_are_matched_in_any_case_only():
    planets = Registry("planet", group="riskrank.planets", exact=True)
    planets["Proxima_b"] = 1.1
    assert planets.named("proxima_B") == 1.1
    assert planets.spelled("proximab") is planets.spelled("proxima-b") is planets.spelled("Proxima_b_") is None


def test_it_is_a_mapping_by_exact_names_without_aliases(planets):
    assert dict(planets) == {"Mars": 0.11, "Proxima_b": 1.1}
    assert len(planets) == 2
    assert "RedPlanet" not in planets
    assert planets.aliases("Mars") == ["RedPlanet"]


def test_an_unknown_name_gets_a_hint_and_the_list(planets):
    with pytest.raises(ParameterError) as caught:
        planets.named("mras")
    assert str(caught.value) == "unknown planet 'mras'. Did you mean 'Mars'? Known: Mars, Proxima_b."
    assert planets.spelled("mras") is None


def test_what_is_deleted_takes_its_aliases_along(planets):
    del planets["Mars"]
    assert planets.spelled("redplanet") is None
    assert list(planets) == ["Proxima_b"]


def test_a_module_is_loaded_when_what_it_defines_is_asked_for():
    fractions = Registry(
        "number", group="riskrank.numbers", homes={"Fraction": "fractions", "Nothing": "no_such_module"}
    )
    assert list(fractions) == ["Fraction", "Nothing"]
    assert fractions.named("fraction").__name__ == "Fraction"
    with pytest.raises(ModuleNotFoundError):
        fractions.named("nothing")


@pytest.fixture
def outside(monkeypatch):
    """Another package's entry points; what is loaded is noted."""
    loaded = []

    def entry(name, value):
        return SimpleNamespace(name=name, load=lambda: loaded.append(name) or value)

    entries = {"riskrank.planets": [entry("Vulcan", SimpleNamespace(name="Vulcan b")), entry("mars", None)]}
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries.get(group, []))
    return loaded


def test_other_packages_are_asked_last_and_do_not_replace_what_is_known(planets, outside):
    assert planets.named("mars") == 0.11
    assert outside == []
    assert planets.named("vulcan").name == "Vulcan b"
    assert outside == ["Vulcan"]
    assert list(planets) == ["Mars", "Proxima_b", "Vulcan"]


def test_things_may_name_themselves_and_entry_points_are_aliases_then(outside):
    planets = Registry("planet", group="riskrank.planets", own_name="name")
    planets["Mars"] = SimpleNamespace(name="Mars")
    assert planets.named("vulcan") is planets["Vulcan b"]
    assert planets.aliases("Vulcan b") == ["Vulcan"]


def test_what_is_broken_in_another_package_is_told_and_left_out(planets, monkeypatch):
    def broken():
        raise ModuleNotFoundError("No module named 'nowhere'")

    entries = [SimpleNamespace(name="Nowhere", load=broken), SimpleNamespace(name="Vulcan", load=lambda: 0.2)]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    with pytest.warns(UserWarning, match="the planet 'Nowhere' of another package cannot be used"):
        assert planets.named("vulcan") == 0.2
    assert "Nowhere" not in planets


def test_what_names_itself_like_ours_does_not_replace_it(planets, monkeypatch):
    entries = [SimpleNamespace(name="Vulcan", load=lambda: SimpleNamespace(name="Mars"))]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: entries)
    own = Registry("planet", group="riskrank.planets", own_name="name")
    own["Mars"] = SimpleNamespace(name="Mars", mass=0.11)
    assert own.spelled("vulcan") is None
    assert own["Mars"].mass == 0.11


def test_what_is_not_loaded_yet_can_be_deleted():
    fractions = Registry("number", group="riskrank.numbers", homes={"Fraction": "fractions"})
    del fractions["Fraction"]
    assert "Fraction" not in fractions
    with pytest.raises(KeyError):
        del fractions["Fraction"]
