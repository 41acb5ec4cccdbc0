"""Models built in code: every key of the grammar, places of Python, files that say the same."""
import copy
import inspect
import math
import os
import pathlib
import pickle

import numpy
import pytest

import sarrus
from sarrus._grammar import LISTS, TABLES, TOP, leading_key, python_name

G = 9.81
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def pendulum(**keys):
    model = sarrus.Model(name="pendulum", parameters={"L": 2.0, "push": 0})
    model.body("bob", mass=1, com=(0, 0, "-L"))
    model.joint("hinge", type="revolute", child="bob", axis="y", q="30 deg", force="push", **keys)
    return model


def line_here():
    return inspect.currentframe().f_back.f_lineno


def faults_of(call):
    with pytest.raises(sarrus.ModelError) as caught:
        call()
    return caught.value.diagnostics


def test_a_model_built_in_code_is_the_one_of_the_text():
    model = pendulum()
    assert model.forward_dynamics()[0] == pytest.approx(-G / 2 * math.sin(math.pi / 6), rel=1e-12)
    assert model.coordinates == ["hinge.q"] and model.bodies == ["bob"]
    assert model.name == "pendulum" and model.parameters["L"] == 2.0


def test_every_list_of_the_grammar_has_a_method_and_every_key_a_keyword():
    for name, table in LISTS.items():
        method = getattr(sarrus.Model, python_name(name))
        given = inspect.signature(method).parameters
        assert [python_name(key) for key in TABLES[table]["keys"]] == [p for p in given if p != "self"]
        for key, facts in TABLES[table]["keys"].items():
            assert f"{python_name(key)}: " in method.__doc__ and facts["help"].replace("`", "") in method.__doc__
    # nothing at the top is without a place
    assert all(hasattr(sarrus.Model, python_name(name)) for name in TOP)
    assert sarrus.Model._own_keys == {"name", "parameters", "simulate"}


def test_a_changed_key_changes_the_model():
    model = pendulum()
    assert model.mass_matrix()[0, 0] == pytest.approx(4, rel=1e-12)
    model["bob"].mass = 3
    assert model["bob"].mass == 3 and model.mass_matrix()[0, 0] == pytest.approx(12, rel=1e-12)
    model.parameters["L"] = "50 cm"
    assert model.mass_matrix()[0, 0] == pytest.approx(0.75, rel=1e-12)
    assert model.parameters["L"] == 0.5
    model["bob"].inertia = numpy.diag([1.0, 2.0, 2.5])
    assert model.mass_matrix()[0, 0] == pytest.approx(2.75, rel=1e-12)
    del model["bob"].inertia
    assert model["bob"].inertia is None and "inertia" not in model["bob"]
    assert model.mass_matrix()[0, 0] == pytest.approx(0.75, rel=1e-12)
    model.gravity = (0, 0, -1)
    assert model.forward_dynamics()[0] == pytest.approx(-1 / 0.5 * 0.5, rel=1e-12)
    model.settings.until = 0.5
    assert model.simulate().time[-1] == 0.5


class Metres:
    """What pint and others have in common."""

    def __init__(self, magnitude, units):
        self.magnitude, self.units = magnitude, units

    def to_base_units(self):
        return self


def test_quantities_are_numbers_texts_or_carry_their_unit():
    for length in (0.5, "0.5 m", "50 cm", Metres(0.5, "meter"), numpy.float32(0.5)):
        model = pendulum()
        model.parameters["L"] = length
        assert model.mass_matrix()[0, 0] == pytest.approx(0.25, rel=1e-12)
    model = pendulum()
    model.units = {"length": "mm"}  # plain numbers are millimetres, quantities stay what they are
    model["bob"].com = Metres(numpy.array([0.0, 0.0, -0.5]), "meter")
    assert model.mass_matrix()[0, 0] == pytest.approx(0.25, rel=1e-12)
    model.joint("slide", type="prismatic", parent="bob", child="weight", q=0)
    model.body("weight", mass=1)
    model.spring("rope", k=Metres(3.0, "kilogram / second ** 2"), length=1,
                 **{"from": {"body": "bob"}, "to": {"body": "weight"}})
    assert model["rope"].k == "3.0 kg/s^2" and model["rope"].from_.body == "bob"
    assert model.mass_matrix().shape == (2, 2)
    found = faults_of(lambda: setattr(model["bob"], "mass", Metres(1.0, "meter")) or model.compiled)
    assert any("mass" in d.element for d in found)


def test_pint():
    pint = pytest.importorskip("pint")
    unit = pint.UnitRegistry()
    model = pendulum()
    model["bob"].mass = 500 * unit.gram
    model["bob"].com = [0, 0, -20] * unit.centimeter
    model["hinge"].q = 45 * unit.degree
    assert model.mass_matrix()[0, 0] == pytest.approx(0.5 * 0.04, rel=1e-12)
    assert model.q[0] == pytest.approx(math.pi / 4, rel=1e-14)


def test_what_is_wrong_has_the_line_of_python_that_made_it():
    model = pendulum()
    model.body("arm",
               mass=1); first = line_here()
    model.joint("elbow", type="revolute", parent="bbo", child="arm", axis="y"); second = line_here()
    model["arm"].com = [0, 0, "-M"]; third = line_here()
    found = {d.element: d for d in faults_of(lambda: model.compiled)}
    here = os.path.abspath(__file__)
    assert os.path.abspath(found["joint/elbow/parent"].file) == here
    assert found["joint/elbow/parent"].line == second and "bob" in found["joint/elbow/parent"].hint
    assert [d.line for e, d in found.items() if e.startswith("body/arm")] == [third] and first < second
    assert f"test_model.py:{second}" in str(found["joint/elbow/parent"])


def test_what_cannot_be_meant_is_refused_at_once_and_nothing_is_changed():
    """A14: a value that cannot be meant is refused where it is given, and the old one stays."""
    model = pendulum()
    bob = model["bob"]
    for change, words in (
            (lambda: model.body("b", mas=1), "did you mean 'mass'"),
            (lambda: setattr(bob, "mas", 1), "did you mean 'mass'"),
            (lambda: setattr(bob, "mass", math.nan), "not a finite number"),
            (lambda: setattr(bob, "mass", [1, 2]), "expected number"),
            (lambda: setattr(bob, "mass", True), "expected number"),
            (lambda: setattr(bob, "com", (1, 2)), "expected 3 numbers"),
            (lambda: setattr(bob, "com", object()), "neither a number"),
            (lambda: setattr(bob, "unphysical", 1), "true or false"),
            (lambda: setattr(bob, "shape", "sphere"), "table"),
            (lambda: setattr(bob, "shape", {"type": "sphere", "radus": 1}), "radius"),
            (lambda: model.body("a", "b"), "one value"),
            (lambda: sarrus.Model(gravty=1), "gravity"),
            (lambda: sarrus.Model({"body": 3}), "list of body"),
            (lambda: sarrus.Model({"body": ["arm"]}), "expected a table")):
        before = model.to_dict()
        found = faults_of(change)
        assert words in str(found[0]) and found[0].line > 0, str(found[0])
        assert model.to_dict() == before
    assert isinstance(sarrus.ModelError("x"), ValueError)


def test_names_with_a_typo_find_near_ones():
    model = pendulum()
    with pytest.raises(KeyError, match="hinge"):
        model["hnge"]
    with pytest.raises(AttributeError, match="did you mean 'mass'"):
        model["bob"].mas
    with pytest.raises(TypeError):
        model[3]
    with pytest.raises(KeyError, match="did you mean 'joint'"):
        model.elements("joints")
    model.body("hinge", mass=1)
    with pytest.raises(KeyError, match="body/hinge"):
        model["hinge"]
    assert model["joint/hinge"].axis == "y" and "body/hinge" in model
    del model["body/hinge"]
    assert [e.name for e in model] == ["bob", "hinge"]


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_what_is_saved_says_the_same(tmp_path, ending):
    model = pendulum()
    model["bob"].shape = {"type": "box", "size": (0.1, 0.2, 0.3)}
    model.table("profile", points=[[0, 0], [1, 2], [2, 3.5]])
    model.sensor("tip", body="bob", at=(0, 0, "-L"))
    model.event("bottom", when="hinge.q", direction="falling")
    model.settings.rtol = 1e-8
    model.name = 'with "quotes", \\ and ü'
    model.save(tmp_path / f"x.{ending}")
    again = sarrus.load(tmp_path / f"x.{ending}")
    assert again.to_dict() == model.to_dict() and again.name == model.name
    assert (again.simulate(until=1).values == model.simulate(until=1).values).all()
    assert sarrus.Model(model.to_dict()).to_dict() == model.to_dict()


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/model.toml"))[::3], ids=lambda p: p.parent.name)
def test_examples_come_back_from_their_tree(path, tmp_path):
    """The tree of a file says what the file says: same mechanism, same start, same accelerations."""
    model = sarrus.load(path)
    rebuilt = sarrus.Model(model.to_dict(), folder=path.parent)
    assert rebuilt.coordinates == model.coordinates and rebuilt.to_dict() == model.to_dict()
    assert (rebuilt.q == model.q).all() and (rebuilt.u == model.u).all()
    assert (rebuilt.mass_matrix() == model.mass_matrix()).all()
    saved = sarrus.parse(model.to_toml(), file=path)
    assert saved.to_dict() == model.to_dict()
    assert (saved.mass_matrix() == model.mass_matrix()).all()


def test_a_loaded_model_can_be_changed_and_knows_its_lines(tmp_path):
    path = tmp_path / "p.toml"
    path.write_text("sarrus = 1\n[parameters]\nL = 1\n[[body]]\nname = \"bob\"\nmass = 1\n"
                    "com = [0, 0, \"-L\"]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\n"
                    "child = \"bob\"\naxis = \"y\"\n")
    model = sarrus.load(path, L=2.0)
    assert model.parameters["L"] == 2
    model["bob"].mass = 3
    assert model.mass_matrix()[0, 0] == pytest.approx(12, rel=1e-12)
    assert model.parameters["L"] == 2  # as it was loaded
    model.joint("second", type="revolute", child="bob", axis="y"); here = line_here()
    model["hinge"].child = "bbo"; there = line_here()
    del model["second"]
    found = faults_of(lambda: model.compiled)
    assert found[0].line == there and here < there
    model["hinge"].child = "bob"
    del model["bob"].mass
    found = faults_of(lambda: model.simulate(until=1))  # no mass at all: the body's own line
    assert found[0].file == str(path) and found[0].line in (4, 5, 8, 9)


def test_copies_and_pickles_are_models_of_their_own():
    model = pendulum()
    for again in (copy.copy(model), copy.deepcopy(model), model.copy(), pickle.loads(pickle.dumps(model))):
        assert again.to_dict() == model.to_dict()
        again["bob"].mass = 7
        assert model["bob"].mass == 1
        assert again.mass_matrix()[0, 0] == pytest.approx(28, rel=1e-12)
        assert model.mass_matrix()[0, 0] == pytest.approx(4, rel=1e-12)


def test_loops_in_python_replace_copy_and_paste():
    """A chain of n equal links that hang: the mass matrix is that of the text with `for`."""
    n = 6
    model = sarrus.Model(name="chain")
    parent = "world"
    for i in range(n):
        model.body(f"link{i}", mass=1 + i, com=(0, 0, -0.25), inertia=(0.01, 0.01, 0.001))
        model.joint(f"j{i}", type="revolute", parent=parent, child=f"link{i}", axis="y", q=0.1 * i,
                    on_parent={"at": (0, 0, -0.5 if i else 0)})
        parent = f"link{i}"
    text = """sarrus = 1
[[body]]
for = { i = 6 }
name = "link{i}"
mass = "{1 + i}"
com = [0, 0, -0.25]
inertia = [0.01, 0.01, 0.001]
[[joint]]
name = "j0"
type = "revolute"
child = "link0"
axis = "y"
[[joint]]
for = { i = "1..5" }
name = "j{i}"
type = "revolute"
parent = "link{i - 1}"
child = "link{i}"
axis = "y"
q = "0.1 * {i}"
on_parent = { at = [0, 0, -0.5] }
"""
    assert numpy.allclose(model.mass_matrix(), sarrus.parse(text).mass_matrix(), rtol=1e-14)


def test_nothing_is_no_model():
    assert faults_of(lambda: sarrus.parse(""))
    assert sarrus.Model().simulate(until=1).columns[0] == "time"  # nothing moves, and that is no fault
    model = sarrus.Model(name="x")
    model.joint("j", type="revolute", child="nobody")
    assert repr(model) == "<sarrus.Model 'x': 1 problem left>"
    with pytest.raises(TypeError):
        sarrus.load(None)


def test_first_keys():
    assert leading_key("body") == "name" and leading_key("include") == "file"
