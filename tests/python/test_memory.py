"""Memory stays flat: models, changes, resets, simulations and results come and go."""
import gc
import os

import sarrus


def resident():
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def pendulum(length=1.0):
    model = sarrus.Model(parameters={"push": 0})
    model.body("bob", mass=1, com=(0, 0, -length))
    model.joint("hinge", type="revolute", child="bob", axis="y", q=0.3, force="push")
    return model


def growth(work, times):
    for _ in range(times // 10):
        work()
    before = resident()
    for _ in range(times):
        work()
    return resident() - before


MEGABYTE = 1 << 20


def test_models_come_and_go():
    """A13: memory stays flat."""
    assert growth(lambda: pendulum().mass_matrix(), 2000) < MEGABYTE


def test_one_model_is_changed_again_and_again():
    model = pendulum()

    def change():
        model["bob"].mass = 1 + model["bob"].mass % 7
        model.mass_matrix()

    assert growth(change, 2000) < MEGABYTE


def test_resets_and_inputs():
    sim = pendulum().simulation()

    def again():
        sim["push"] = 1.0
        sim.step(1e-3)
        sim.reset()

    assert growth(again, 20000) < MEGABYTE


def test_results_and_errors_come_and_go():
    model = pendulum()

    def work():
        q = model.simulate(until=0.1)["hinge.q"]
        assert len(q) > 1
        try:
            model["bbo"]
        except KeyError:
            pass
        try:
            model.body("x", mas=1)
        except sarrus.ModelError:
            pass

    assert growth(work, 300) < MEGABYTE
