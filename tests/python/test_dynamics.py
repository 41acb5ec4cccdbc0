"""The dynamics of one instant and of many: closed forms, identities, and differences."""
import math
import pathlib

import numpy
import pytest

import sarrus

G = 9.81
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
a, b = 0.7, 0.4  # lengths of the two links


def two_links():
    """Point masses at the ends of two massless links in the plane of x and z."""
    model = sarrus.Model(name="two links")
    model.body("upper", mass=2, com=(a, 0, 0))
    model.body("lower", mass=3, com=(b, 0, 0))
    model.joint("shoulder", type="revolute", child="upper", axis="-y")
    model.joint("elbow", type="revolute", parent="upper", child="lower", axis="-y", on_parent={"at": (a, 0, 0)})
    return model


def spatial():
    """A free body that carries a ball joint and a slide: quaternions, several freedoms per joint."""
    model = sarrus.Model(name="spatial")
    model.body("base", mass=3, com=(0.1, 0, 0.2), inertia=(0.3, 0.2, 0.25))
    model.body("arm", mass=1, com=(0, 0.3, 0.1), inertia=(0.03, 0.02, 0.025))
    model.body("tool", mass=0.5, com=(0.1, 0, 0), inertia=(0.01, 0.01, 0.01))
    model.joint("float", type="free", child="base")
    model.joint("ball", type="spherical", parent="base", child="arm", on_parent={"at": (0, 0.2, 0)})
    model.joint("slide", type="prismatic", parent="arm", child="tool", axis=(1, 1, 0))
    return model


def test_the_jacobian_of_two_links_is_that_of_the_book():
    model = two_links()
    rng = numpy.random.default_rng(2)
    for q1, q2 in rng.uniform(-3, 3, (5, 2)):
        J = model.jacobian("lower", (b, 0, 0), [q1, q2])
        s1, c1, s12, c12 = math.sin(q1), math.cos(q1), math.sin(q1 + q2), math.cos(q1 + q2)
        expected = [[-a * s1 - b * s12, -b * s12], [0, 0], [a * c1 + b * c12, b * c12], [0, 0], [-1, -1], [0, 0]]
        assert numpy.allclose(J, expected, atol=1e-14)
        u1, u2 = rng.uniform(-2, 2, 2)
        rate = model.jacobian_rate("lower", (b, 0, 0), [q1, q2], [u1, u2])
        w = u1 + u2
        expected = [[-a * c1 * u1 - b * c12 * w, -b * c12 * w], [0, 0], [-a * s1 * u1 - b * s12 * w, -b * s12 * w]]
        assert numpy.allclose(rate[:3], expected, atol=1e-13) and numpy.abs(rate[3:]).max() < 1e-15
        X = model.pose("lower", [q1, q2])
        assert numpy.allclose(X[:3, 3], [a * c1, 0, a * s1], atol=1e-15)
        assert numpy.allclose(X[:3, :3] @ X[:3, :3].T, numpy.eye(3), atol=1e-15)


def test_the_point_of_a_spatial_mechanism_moves_as_its_sensor_says():
    """J u and J u̇ + J̇ u against velocity and acceleration that a simulation records."""
    model = spatial()
    model.sensor("tip", body="tool", at=(0.3, -0.1, 0.2))
    model["float"].u = (0.3, -0.7, 0.5, 0.2, 0.1, -0.4)
    model["ball"].u = (1.1, -0.4, 0.6)
    model["slide"].u = 0.8
    sim = model.simulation(accelerations=True, rtol=1e-12)
    for t in (0.0, 0.4, 0.9):
        sim.advance(t)
        q, u, udot = sim.q, sim.u, sim.udot
        J = model.jacobian("tool", (0.3, -0.1, 0.2), q)
        Jdot = model.jacobian_rate("tool", (0.3, -0.1, 0.2), q, u)
        velocity = [sim["tip.vx"], sim["tip.vy"], sim["tip.vz"]]
        acceleration = [sim["tip.ax"], sim["tip.ay"], sim["tip.az"]]
        assert numpy.allclose((J @ u)[:3], velocity, rtol=1e-12, atol=1e-12)
        assert numpy.allclose((J @ udot + Jdot @ u)[:3], acceleration, rtol=1e-11, atol=1e-11)


def test_operational_inertia_at_the_end_of_two_links():
    model = two_links()
    q = [0.4, 0.9]
    J, M = model.jacobian("lower", (b, 0, 0), q)[[0, 2]], model.mass_matrix(q)
    expected = numpy.linalg.inv(J @ numpy.linalg.inv(M) @ J.T)
    found = model.operational_inertia("lower", (b, 0, 0), q, rows=slice(0, 3))
    assert numpy.allclose(found[numpy.ix_([0, 2], [0, 2])], expected, rtol=1e-10)
    assert numpy.abs(found[1]).max() < 1e-9  # it cannot move along y
    # pushed along the lower link's own line with the upper one at a right angle: both masses
    found = model.operational_inertia("lower", (b, 0, 0), [0, math.pi / 2], rows=slice(0, 3))
    assert found[0, 0] == pytest.approx(3, rel=1e-10) and found[2, 2] == pytest.approx(5, rel=1e-10)


def test_momentum_of_a_body_that_flies_and_spins():
    model = sarrus.Model(gravity=(0, 0, 0))
    model.body("stone", mass=2, com=(0.1, 0.2, 0.3), inertia=(0.5, 0.6, 0.7))
    model.joint("free", type="free", child="stone")
    u = numpy.arange(1.0, 7.0)
    found = model.momentum(u=u)
    J = model.jacobian("stone", (0.1, 0.2, 0.3))
    w = (J @ u)[3:]
    assert found.mass == 2 and numpy.allclose(found.com, (0.1, 0.2, 0.3), atol=1e-15)
    assert numpy.allclose(found.linear, 2 * (J @ u)[:3], rtol=1e-14)
    assert numpy.allclose(found.angular, numpy.array([0.5, 0.6, 0.7]) * w, rtol=1e-13)
    # it stays, however the model moves
    chain = spatial()
    chain.gravity = (0, 0, 0)
    chain["float"].u = (0.3, -0.7, 0.5, 0.2, 0.1, -0.4)
    chain["ball"].u = (1.1, -0.4, 0.6)
    sim = chain.simulation(rtol=1e-12)
    before = chain.momentum(sim.q, sim.u)
    sim.advance(1)
    after = chain.momentum(sim.q, sim.u)
    assert numpy.allclose(after.linear, before.linear, atol=1e-10)
    assert numpy.allclose(after.angular, before.angular, atol=1e-10)
    assert numpy.allclose(after.com, before.com + before.linear / before.mass, atol=1e-10)


def test_what_constraints_allow():
    model = sarrus.load(EXAMPLES / "four_bar" / "model.toml")
    sim = model.simulation()
    sim.advance(0.3)
    G_, N = model.constraint_jacobian(sim.q), model.null_space(sim.q)
    assert G_.shape[1] == len(model.velocities) and N.shape == (len(model.velocities), 1)
    assert numpy.abs(G_ @ sim.u).max() < 1e-9 and numpy.abs(G_ @ N).max() < 1e-12
    assert numpy.allclose(N.T @ N, numpy.eye(1), atol=1e-14)
    assert abs(abs(N[:, 0] @ sim.u) - numpy.linalg.norm(sim.u)) < 1e-9
    tree = two_links()
    assert tree.constraint_jacobian().shape == (0, 2) and (tree.null_space() == numpy.eye(2)).all()


@pytest.mark.parametrize("model", [two_links(), spatial()], ids=["two links", "spatial"])
def test_forward_and_inverse_dynamics_undo_each_other(model):
    rng = numpy.random.default_rng(4)
    sim = model.simulation()
    sim.advance(0.2)
    n = len(model.velocities)
    u, tau = rng.uniform(-1, 1, n), rng.uniform(-5, 5, n)
    udot = model.forward_dynamics(sim.q, u, tau)
    assert numpy.allclose(model.inverse_dynamics(sim.q, u, udot), tau, rtol=1e-11, atol=1e-11)
    assert numpy.allclose(model.mass_matrix(sim.q) @ udot + model.bias(sim.q, u), tau, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("rows", [1, 2, 5, 64, 300])
def test_many_states_are_as_many_single_ones(rows):
    model = two_links()
    rng = numpy.random.default_rng(rows)
    Q, U, TAU = rng.uniform(-3, 3, (3, rows, 2))
    found = model.forward_dynamics(Q, U, TAU)
    single = numpy.array([model.forward_dynamics(q, u, tau) for q, u, tau in zip(Q, U, TAU)])
    # other instructions, so the last bits may differ
    assert found.shape == (rows, 2) and numpy.allclose(found, single, rtol=1e-12, atol=1e-12)
    for threads in (1, 3):
        assert (model.forward_dynamics(Q, U, TAU, threads=threads) == found).all()
    assert (model.forward_dynamics(Q[:1], U[:1], TAU[:1]) == found[:1]).all()  # whatever its neighbours
    back = model.inverse_dynamics(Q, U, found)
    assert numpy.allclose(back, TAU, rtol=1e-10, atol=1e-10)
    # a single row stands for all, any layout is taken
    assert (model.forward_dynamics(Q, U[0], numpy.asfortranarray(TAU))
            == model.forward_dynamics(Q, numpy.tile(U[0], (rows, 1)), TAU)).all()
    assert (model.forward_dynamics(Q[::-1], U, TAU)[0] == model.forward_dynamics(Q[-1:], U[:1], TAU[:1])[0]).all()


def test_many_states_of_a_mechanism_with_loops():
    model = sarrus.load(EXAMPLES / "four_bar" / "model.toml")
    sim = model.simulation()
    Q, U = [], []
    for t in numpy.linspace(0, 1, 9):
        sim.advance(t)
        Q.append(sim.q), U.append(sim.u)
    found = model.forward_dynamics(Q, U)
    for i in range(9):
        assert (found[i] == model.forward_dynamics(Q[i], U[i])).all()
    assert model.forward_dynamics(numpy.zeros((0, len(model.q)))).shape == (0, len(model.velocities))


@pytest.mark.parametrize("call, error, words", [
    (lambda m: m.jacobian("lwer"), KeyError, "did you mean 'lower'"),
    (lambda m: m.jacobian("lower", (1, 2)), ValueError, "at has 3 entries, not 2"),
    (lambda m: m.jacobian("lower", (1, 2, math.nan)), ValueError, "at[2] is nan"),
    (lambda m: m.jacobian(3), TypeError, ""),
    (lambda m: m.forward_dynamics(tau=[1]), ValueError, "tau has 2 entries, not 1"),
    (lambda m: m.forward_dynamics(tau=[[1, 2], [3, math.nan]]), ValueError, "tau[1, 1] is nan"),
    (lambda m: m.inverse_dynamics(udot=[[1, 2, 3]]), ValueError, "udot has 1 × 2 entries, not 1 × 3"),
    (lambda m: m.forward_dynamics(numpy.array([1 + 2j, 0])), TypeError, ""),
    (lambda m: m.mass_matrix("abc"), TypeError, ""),
])
def test_what_dynamics_refuse(call, error, words):
    """A04: arrays of the wrong length, type or with NaN are refused with what was expected and what was found."""
    with pytest.raises(error) as caught:
        call(two_links())
    assert words in str(caught.value)


def test_arrays_of_any_kind_are_taken_as_they_mean():
    model = two_links()
    expected = model.forward_dynamics([1.0, 2.0], [0.5, -0.5])
    q = numpy.array([1.0, 9.0, 2.0, 9.0])[::2]  # not contiguous
    u = numpy.array([0.5, -0.5])
    u.flags.writeable = False
    assert (model.forward_dynamics(q, u) == expected).all()
    assert (model.forward_dynamics(numpy.array([1, 2]), u.astype(numpy.float32)) == expected).all()
    assert (model.forward_dynamics(q.astype(">f8"), u) == expected).all()
