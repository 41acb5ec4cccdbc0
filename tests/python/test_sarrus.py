"""The Python package: models, runs, steps, one instant, and what bad input gets."""
import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import sarrus

PENDULUM = """
sarrus = 1
[parameters]
L = 2.0
push = 0
[[body]]
name = "bob"
mass = 1
com = [0, 0, "-L"]
[[joint]]
name = "hinge"
type = "revolute"
child = "bob"
axis = "y"
q = 0.3
force = "push"
"""
G = 9.81


def chain(n):
    return sarrus.parse("""
sarrus = 1
[parameters]
n = 3
[[body]]
for = { i = "1..n" }
name = "b{i}"
mass = "{i}"
com = [0.1, 0.2, -0.3]
inertia = [0.3, 0.2, 0.4]
[[joint]]
name = "j1"
type = "revolute"
child = "b1"
axis = "y"
[[joint]]
for = { i = "2..n" }
name = "j{i}"
type = "revolute"
parent = "b{i - 1}"
child = "b{i}"
axis = [1, "{i}", 0.5]
on_parent = { at = [0, 0, -0.5] }
""", n=n)


def test_a_run_gives_columns_as_views_that_nobody_can_change():
    result = sarrus.parse(PENDULUM).simulate(until=numpy.float32(2), rows=numpy.int64(100), rtol=1e-11)
    assert len(result) == 101 and result.status == "done"
    q = result["hinge.q"]
    assert q.base is not None and not q.flags.owndata
    assert numpy.shares_memory(q, result.values)
    with pytest.raises(ValueError):
        q[0] = 1
    # energy of a pendulum: u² L²/2 − g L cos q stays what it is
    u = result["hinge.u"]
    energy = 2 * u**2 - 2 * G * numpy.cos(q)
    assert numpy.ptp(energy) < 1e-8 * G
    assert result.units["hinge.q"] == "rad" and result.time[-1] == 2
    assert result.energy_gap < 1e-8


def test_a_view_outlives_its_result():
    q = sarrus.parse(PENDULUM).simulate(until=1)["hinge.q"]
    copy = numpy.array(q)
    gc.collect()
    numpy.ones(100000)  # would reuse the memory
    assert (q == copy).all()


def test_parameters_are_keywords():
    slow, fast = sarrus.parse(PENDULUM, L=8.0), sarrus.parse(PENDULUM, L=0.5)
    # omega of small swings grows with sqrt(g/L); here the first acceleration −g/L sin q
    for model, length in ((slow, 8.0), (fast, 0.5)):
        assert model.forward_dynamics()[0] == pytest.approx(-G / length * math.sin(0.3), rel=1e-12)
        assert model.parameters["L"] == length


def test_step_by_step_with_a_controller_and_back():
    sim = sarrus.parse(PENDULUM).simulation(rtol=1e-9)
    for i in range(1, 801):
        sim["push"] = -12 * sim["hinge.u"] + 0.2 * G
        sim.advance(i / 100)
    # at rest the torque holds m g L sin q; what is left of the swing is e^-12
    assert math.sin(sim["hinge.q"]) == pytest.approx(0.1, abs=1e-4)
    state, q = sim.save(), sim["hinge.q"]
    sim.advance(9)
    later = sim["hinge.q"]
    sim.restore(state)
    assert sim.time == 8 and sim["hinge.q"] == q
    sim.advance(9)
    assert sim["hinge.q"] == later  # the same bits


def test_one_instant():
    model = sarrus.parse(PENDULUM)
    assert model.coordinates == ["hinge.q"] and model.velocities == ["hinge.u"]
    assert model.mass_matrix()[0, 0] == pytest.approx(4, rel=1e-12)
    tau = model.inverse_dynamics([0.5], [0.0], [2.0])
    assert tau[0] == pytest.approx(8 + 2 * G * math.sin(0.5), rel=1e-12)
    by_q, by_u, by_tau = model.derivatives([0.5], [1.0])
    assert by_q[0, 0] == pytest.approx(-G / 2 * math.cos(0.5), rel=1e-12)
    assert by_tau[0, 0] == pytest.approx(1 / 4, rel=1e-12)
    assert by_u[0, 0] == pytest.approx(0, abs=1e-12)
    hanging = sarrus.parse(PENDULUM.replace("q = 0.3", "q = 0")).modes()
    assert abs(hanging[0]) == pytest.approx(math.sqrt(G / 2), rel=1e-10)


def test_derivatives_of_a_chain_are_those_of_differences():
    model = chain(5)
    rng = numpy.random.default_rng(1)
    q, u = rng.uniform(-1, 1, 5), rng.uniform(-1, 1, 5)
    by_q, by_u, by_tau = model.derivatives(q, u)
    h = 1e-6
    for j in range(5):
        step = numpy.eye(5)[j] * h
        slope = (model.forward_dynamics(q + step, u) - model.forward_dynamics(q - step, u)) / (2 * h)
        assert numpy.abs(by_q[:, j] - slope).max() < 1e-6 * max(1, numpy.abs(slope).max())
        slope = (model.forward_dynamics(q, u + step) - model.forward_dynamics(q, u - step)) / (2 * h)
        assert numpy.abs(by_u[:, j] - slope).max() < 1e-6 * max(1, numpy.abs(slope).max())
    assert numpy.abs(by_tau @ model.mass_matrix(q) - numpy.eye(5)).max() < 1e-11


def test_a_model_with_faults_lists_all_of_them():
    with pytest.raises(sarrus.ModelError) as caught:
        sarrus.parse("sarrus = 1\n[[body]]\nname = \"a\"\nmas = 1\n[[joint]]\nname = \"j\"\nchild = \"b\"\n")
    assert isinstance(caught.value, ValueError)
    found = caught.value.diagnostics
    assert len(found) >= 2
    assert any(d.code == "unknown-key" and d.line == 4 and "mass" in d.hint for d in found)
    with pytest.raises(sarrus.ModelError):
        sarrus.load("/nowhere/model.toml")


@pytest.mark.parametrize("call, error, words", [
    (lambda m: m.simulate(untill=3), TypeError, "until"),
    (lambda m: m.simulate(rtol=-1), ValueError, "rtol"),
    (lambda m: m.simulate(rtol="x"), TypeError, "rtol takes a number, not 'x'"),
    (lambda m: m.simulate(integrator=3), TypeError, "integrator takes a text, not 3"),
    (lambda m: m.simulate(reactions=1), TypeError, "reactions takes True or False, not 1"),
    (lambda m: m.simulate(max_steps=2.5), TypeError, "max_steps takes a whole number, not 2.5"),
    (lambda m: m.simulate(until=None), TypeError, "until takes a number, not None"),
    (lambda m: m.simulate(integrator="rk5", until=0.1), (ValueError, sarrus.Error), "rk4"),
    (lambda m: m.simulate(until=0.1)["hinge.w"], KeyError, "hinge"),
    (lambda m: m.simulation()["hnge.q"], KeyError, "hinge.q"),
    (lambda m: m.forward_dynamics([1, 2]), ValueError, "q has 1 entries, not 2"),
    (lambda m: m.forward_dynamics([[1, 2]]), ValueError, "q has 1 × 1 entries, not 1 × 2"),
    (lambda m: m.forward_dynamics([[1], [2]], [[1]]), ValueError, "u has 2 × 1 entries, not 1 × 1"),
    (lambda m: m.forward_dynamics([[1], [math.inf]]), ValueError, "q[1, 0] is inf"),
    (lambda m: m.forward_dynamics([[[1]]]), ValueError, "1 × 1 × 1"),
    (lambda m: m.forward_dynamics([math.nan]), ValueError, "q[0] is nan"),
    (lambda m: m.forward_dynamics(["x"]), TypeError, "forward_dynamics"),
    (lambda m: m.simulation().__setitem__("pull", 1), ValueError, "push"),
])
def test_what_is_wrong_is_said(call, error, words):
    with pytest.raises(error) as caught:
        call(sarrus.parse(PENDULUM))
    assert words in str(caught.value)


def test_runs_in_threads_are_those_of_one():
    model = sarrus.parse(PENDULUM)
    alone = numpy.array(model.simulate(until=5)["hinge.q"])
    found = [None] * 4

    def run(i):
        found[i] = numpy.array(model.simulate(until=5)["hinge.q"])

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all((f == alone).all() for f in found)


def test_ctrl_c_ends_a_run():
    script = ("import sarrus, sys\n"
              f"m = sarrus.parse({PENDULUM!r})\n"
              "try:\n    print('runs', flush=True)\n"
              "    m.simulate(until=1e9, integrator='rk4', step=1e-4, output_step=1e6)\n"
              "except KeyboardInterrupt:\n    sys.exit(42)\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=os.environ)
    assert child.stdout.readline() == b"runs\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.wait(timeout=600) == 42


def test_import_says_its_version_and_help():
    assert sarrus.__version__.count(".") == 2
    assert "Runs the model" in sarrus.Model.simulate.__doc__
