"""Analyses as objects: closed forms, and the command line's own words for the same."""
import math
import pathlib

import numpy
import pytest

import sarrus

G = 9.81
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"


def cart_and_pole(q=0.0):
    model = sarrus.Model(parameters={"push": 0})
    model.body("cart", mass=2)
    model.body("pole", mass=0.5, com=(0, 0, 0.4), inertia=(0.02, 0.02, 0.001))
    model.joint("rail", type="prismatic", child="cart", axis="x", force="push")
    model.joint("pivot", type="revolute", parent="cart", child="pole", axis="y", q=q)
    model.sensor("top", body="pole", at=(0, 0, 0.8))
    return model


def test_a_linear_model_is_that_of_paper():
    """The upright pole: (m l² + I) θ̈ + m l ẍ = m g l θ,  (M + m) ẍ + m l θ̈ = F."""
    found = cart_and_pole().linearize()
    M, m, l, I = 2, 0.5, 0.4, 0.02
    mass = numpy.array([[M + m, m * l], [m * l, m * l * l + I]])
    by_q = numpy.linalg.solve(mass, [[0, 0], [0, m * G * l]])
    A = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [by_q, numpy.zeros((2, 2))]])
    assert found.states == ["rail.q", "pivot.q", "rail.u", "pivot.u"]
    assert numpy.allclose(found.A, A, atol=1e-12)
    drive = [i for i, name in enumerate(found.inputs) if "rail" in name]
    assert len(drive) == 1 and numpy.allclose(found.B[2:, drive[0]], numpy.linalg.solve(mass, [1, 0]), atol=1e-13)
    x = found.outputs.index("top.x")
    assert numpy.allclose(found.C[x], [1, 0.8, 0, 0], atol=1e-14) and found.D.shape == (len(found.outputs), len(found.inputs))
    assert numpy.abs(found.out_of_balance).max() < 1e-12 and "4 states" in repr(found)


def test_a_linear_model_predicts_the_simulation():
    model = cart_and_pole()
    found = model.linearize()
    from scipy.linalg import expm

    x = numpy.array([0, 1e-5, 0, 0])
    model["pivot"].q = 1e-5
    sim = model.simulation(rtol=1e-12)
    sim.advance(0.3)
    # what is left out is of third order
    assert numpy.allclose(numpy.concatenate([sim.q, sim.u]), expm(0.3 * found.A) @ x, atol=1e-12)


def test_modes_and_equilibria_of_a_pole():
    model = cart_and_pole(q=2.5)
    upright = cart_and_pole().modes()
    assert upright.stability == "divergence" and "unstable" in upright.verdict
    found = model.equilibrium()
    assert found.is_stable and math.cos(found.q[1]) == pytest.approx(-1, abs=1e-12)
    M, m, l, I = 2, 0.5, 0.4, 0.02
    # hanging from a cart that runs freely
    omega = math.sqrt(m * G * l / (m * l * l + I - (m * l) ** 2 / (M + m)))
    assert found.modes.omega[-1] == pytest.approx(omega, rel=1e-10)
    about = model.modes(about="equilibrium")
    assert abs(about[-1]) == pytest.approx(omega, rel=1e-10)
    assert about.frequencies[-1] == pytest.approx(omega / (2 * math.pi), rel=1e-10)
    assert "pivot" in repr(about) and "equilibrium" in repr(found)
    # in balance the reaction of the pivot carries the pole
    assert max(abs(v) for k, v in found.values.items() if k.startswith("pivot.f")) == pytest.approx(0.5 * G, rel=1e-9)
    several = model.equilibria(starts=20)
    assert {round(math.cos(one.q[1])) for one in several} == {-1, 1}
    with pytest.raises(ValueError, match="about"):
        model.modes(about="middle")
    with pytest.raises(ValueError, match="starts"):
        model.equilibria(starts=-1)


def test_check_says_how_a_mechanism_moves():
    found = sarrus.load(EXAMPLES / "four_bar" / "model.toml").check()
    assert found.freedoms == 1 and found.counted == -2 and found.redundant == 3 and found.loops == 1
    assert found.mass == pytest.approx(7.5) and "degrees of freedom 1" in repr(found)
    linkage = sarrus.load(EXAMPLES / "sarrus_linkage" / "model.toml").check()
    assert linkage.freedoms == 1 and linkage.counted == 0 and linkage.redundant == 1
    tree = cart_and_pole().check()
    assert tree.freedoms == 2 and tree.loops == 0 and tree.mobility is None and tree.mass == 2.5
    assert tree.potential == pytest.approx(0.5 * G * 0.4)


def test_verification_is_true_where_formulations_agree():
    model = cart_and_pole(q=0.3)
    found = model.verify(until=1, digits=6, budget=5, discrete=False)
    assert found and found.verdict == "agrees" and found.digits >= 6
    assert {"recursive", "hamiltonian"} <= {one["name"] for one in found.contenders}
    assert all(one["passed"] for one in found.audits) and "audits" in repr(found)
    with pytest.raises(ValueError, match="digits"):
        model.verify(digits=99)
    with pytest.raises(TypeError, match="until"):
        model.verify(untill=1)


def test_reduction_takes_and_gives_scipy_matrices():
    """Three masses on springs in a row; the first two tied together, and said twice."""
    sparse = pytest.importorskip("scipy.sparse")
    M = sparse.diags([1.0, 2.0, 3.0])
    K = sparse.csr_matrix([[20.0, -10, 0], [-10, 20, -10], [0, -10, 10]])
    C = numpy.array([[1.0, -1, 0], [2, -2, 0]])
    found = sarrus.reduce(M, K, C, coordinates=["a", "b", "c"], constraints=["tie", "again"])
    assert found.freedoms == 2 and found.rank == 1 and len(found.redundant) == 1
    assert sparse.issparse(found.T) and abs(C @ found.T.toarray()).max() < 1e-14
    # z = (x, x, y): 3 ẍ + 20 x − 10 y = 0, 3 ÿ − 10 x + 10 y = 0
    expected = numpy.linalg.eigvalsh(numpy.array([[20.0, -10], [-10, 10]]) / 3)
    assert numpy.allclose(found.omega_squared, expected, rtol=1e-12)
    T = found.T.toarray()
    assert numpy.allclose(T.T @ M.toarray() @ T, found.M.toarray(), atol=1e-14)
    assert numpy.allclose(found.frequencies, numpy.sqrt(expected) / (2 * math.pi), rtol=1e-12)
    damped = sarrus.reduce(M, K, D=0.1 * sparse.eye(3))
    assert found.D is None and damped.D is not None and all(value.real < 0 for value in damped.damped)
    with pytest.raises(sarrus.Error):
        sarrus.reduce(M, numpy.eye(2))
    with pytest.raises(ValueError, match="K has an entry"):
        sarrus.reduce(M, K * math.nan)
    with pytest.raises(ValueError, match="route"):
        sarrus.reduce(M, K, C, route="guess")


def test_a_motion_from_markers():
    """A body that turns at a constant rate while it moves on a circle; a little noise."""
    t = numpy.linspace(0, 2, 401)
    on_body = numpy.array([[0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.15], [-0.1, -0.1, 0]])
    rng = numpy.random.default_rng(7)
    place = numpy.stack([0.5 * numpy.cos(3 * t), 0.5 * numpy.sin(3 * t), 0.1 * t], axis=1)
    tracks = []
    for c, p in zip(0.8 * t, place):
        R = numpy.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
        tracks.append(on_body @ R.T + p)
    tracks = numpy.array(tracks) + rng.normal(0, 1e-4, (401, 4, 3))
    found = sarrus.markers(t, tracks, on_body)
    assert found.names[:3] == ["x", "y", "z"] and found.values.shape == (401, 6)
    inside = (t > found.start) & (t < found.until)
    assert numpy.abs(found["x"] - place[:, 0])[inside].max() < 3e-4
    assert numpy.abs(found.rates[:, found.names.index("c")] - 0.8)[inside].max() < 0.05
    assert found.noise_estimated and found.noise == pytest.approx(1e-4, rel=0.3) and "markers" in repr(found)
    with pytest.raises(KeyError, match="there is no coordinate"):
        found["phi"]
    for wrong in ((t, tracks[:-1], on_body), (t, tracks, on_body[:2]), (t[::-1], tracks, on_body),
                  (t, tracks * math.nan, on_body), (t[:3], tracks[:3], on_body)):
        with pytest.raises(ValueError):
            sarrus.markers(*wrong)
