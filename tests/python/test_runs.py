"""Results of this process and of the command line, pictures of them, and simulations step by step."""
import copy
import math
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback

import numpy
import pytest

import sarrus

G = 9.81
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PROGRAM = os.environ.get("SARRUS_PROGRAM", "")
needs_program = pytest.mark.skipif(not PROGRAM, reason="SARRUS_PROGRAM does not name the command line")


def pendulum(length=2.0, **keys):
    model = sarrus.Model(name="pendulum", parameters={"push": 0})
    model.body("bob", mass=1, com=(0, 0, -length))
    model.joint("hinge", type="revolute", child="bob", axis="y", q=0.3, force="push", **keys)
    return model


# ── results ──


@needs_program
def test_a_run_of_the_command_line_is_read(tmp_path):
    pendulum().save(tmp_path / "p.toml")
    subprocess.run([PROGRAM, "run", tmp_path / "p.toml", "-o", tmp_path / "out", "--until", "2"], check=True,
                   capture_output=True)
    there, here = sarrus.read(tmp_path / "out"), pendulum().simulate(until=2)
    assert (there.values == here.values).all() and there.columns == here.columns
    assert there.status == "done" and there.summary == here.summary and there.name == "pendulum"
    assert not there["hinge.q"].flags.owndata and not there.time.flags.writeable
    with pytest.raises(sarrus.Error, match="nowhere"):
        sarrus.read(tmp_path / "nowhere")


@needs_program
def test_a_run_is_read_while_it_goes_on(tmp_path):
    pendulum().save(tmp_path / "p.toml")
    child = subprocess.Popen([PROGRAM, "run", tmp_path / "p.toml", "-o", tmp_path / "out", "--until", "1e9",
                              "--integrator", "rk4", "--step", "1e-3", "--output-step", "1"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        rows = []
        while len(set(rows)) < 3 and child.poll() is None:
            time.sleep(0.05)
            try:
                result = sarrus.read(tmp_path / "out")
            except sarrus.Error:
                continue  # not begun yet
            assert result.status == "unfinished"
            rows.append(len(result))
        assert rows == sorted(rows) and child.poll() is None
    finally:
        child.send_signal(signal.SIGINT)
        child.wait()
    assert sarrus.read(tmp_path / "out").status == "interrupted"


def test_a_result_is_saved_for_the_command_line(tmp_path):
    result = pendulum().simulate(until=1)
    result.save(tmp_path / "out")
    again = sarrus.read(tmp_path / "out")
    assert (again.values == result.values).all() and again.summary == result.summary
    with pytest.raises(sarrus.Error):
        result.save(tmp_path / "out")
    result.save(tmp_path / "out", replace=True)
    again.report(tmp_path / "kept.html")
    assert "bob" in (tmp_path / "kept.html").read_text()


def test_a_report_is_one_page_with_the_mechanism(tmp_path):
    result = pendulum().simulate(until=1)
    result.report(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text()
    assert page.startswith("<!") and "hinge" in page and "bob" in page
    with pytest.raises(sarrus.Error, match="x.html"):
        result.report(tmp_path / "x.html")
    result.report(tmp_path / "x.html", replace=True)
    shown = result._repr_html_()
    assert shown.startswith("<iframe") and "srcdoc" in shown and "allow-same-origin" not in shown
    model = pendulum()._repr_html_()
    assert "<iframe" in model and "degrees of freedom 1" in model
    assert "bob" in sarrus.Model(name="x")._repr_html_() or "error" in sarrus.Model(name="x")._repr_html_()


def test_tables_and_plots():
    result = pendulum().simulate(until=1, rows=10)
    pandas = pytest.importorskip("pandas")
    frame = result.table()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == result.columns[1:]
    assert (frame["hinge.q"].to_numpy() == result["hinge.q"]).all() and frame.index.name == "time"
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = result.plot("hinge.q", "hinge.u")
    assert [line.get_label() for line in axes.lines] == ["hinge.q [rad]", "hinge.u [rad/s]"]
    assert (axes.lines[0].get_ydata() == result["hinge.q"]).all()
    with pytest.raises(KeyError, match="hinge.q"):
        result.plot("hinge.w")


def test_events_are_when_they_take_place():
    model = pendulum()
    model["hinge"].q = 0.01
    model.event("bottom", when="hinge.q", direction="falling", stop=True)
    result = model.simulate(until=10, rtol=1e-11)
    quarter = math.pi / 2 * math.sqrt(2 / G) * (1 + 0.01**2 / 16)  # of the period
    assert result.status == "stopped by an event" and result.events["bottom"] == [pytest.approx(quarter, rel=1e-8)]


def test_a_run_that_fails_leaves_its_rows():
    model = pendulum()
    model["hinge"].force = "1/(0.5 - t)"
    with pytest.raises(sarrus.NumericsError) as caught:
        model.simulate(until=1)
    rows = caught.value.result
    assert caught.value.diagnostics and 0 < rows.time[-1] <= 0.5 and rows["hinge.q"][0] == 0.3


def test_progress_is_told_and_what_it_raises_arrives():
    told = []
    model = pendulum()
    long = dict(until=1e9, integrator="rk4", step=1e-3, output_step=1e6)

    def watch(t):
        told.append(t)
        if len(told) == 3:
            raise LookupError("enough")

    with pytest.raises(LookupError, match="enough") as caught:
        model.simulate(progress=watch, **long)
    assert len(told) == 3 and told == sorted(told) and len(caught.value.result) >= 1
    assert "watch" in "".join(traceback.format_tb(caught.value.__traceback__))


def test_ctrl_c_leaves_the_rows_and_the_model():
    """A11: Ctrl-C ends a run and leaves its rows, the model and the simulation."""
    script = ("import sarrus, sys\n"
              "m = sarrus.Model()\nm.body('b', mass=1, com=(0,0,-1))\n"
              "m.joint('j', type='revolute', child='b', axis='y', q=1)\n"
              "try:\n    print('runs', flush=True)\n"
              "    m.simulate(until=1e9, integrator='rk4', step=1e-3, output_step=1)\n"
              "except KeyboardInterrupt as stop:\n"
              "    assert len(stop.result) > 1 and stop.result.status == 'interrupted'\n"
              "    assert m.simulate(until=1).status == 'done'\n"
              "s = m.simulation(integrator='rk4', step=1e-3)\n"
              "try:\n    print('steps', flush=True)\n    s.advance(1e9)\n"
              "except KeyboardInterrupt:\n"
              "    t = s.time; assert t > 0; s.advance(t + 1); assert s.time == t + 1\n"
              "    sys.exit(42)\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=os.environ)
    for word in (b"runs\n", b"steps\n"):
        assert child.stdout.readline() == word
        time.sleep(0.4)
        child.send_signal(signal.SIGINT)
    assert child.wait(timeout=600) == 42


# ── step by step ──


def damped(sim):
    sim["push"] = -4 * sim["hinge.u"]


def test_sampled_control_is_called_at_even_times():
    times = []

    def controller(sim):
        times.append(sim.time)
        damped(sim)

    sim = pendulum().simulation()
    sim.every(0.01, controller)
    sim.advance(0.055)
    sim.step(0.045)
    assert times == [k * 0.01 for k in range(11)] and sim.time == pytest.approx(0.1, abs=1e-15)
    # the same by hand, to the bit
    hand = pendulum().simulation()
    for k in range(11):
        if k:
            hand.advance(k * 0.01)
        damped(hand)
        if k == 5:
            hand.advance(0.055)
    hand.advance(sim.time)
    assert hand["hinge.q"] == sim["hinge.q"]
    while sim.time < 0.2:
        sim.step()
    assert times[:20] == [k * 0.01 for k in range(20)]


def test_a_controller_that_raises_leaves_the_last_good_state():
    """A06: what a callback raises arrives with its own trace, and the state is that of the last good step."""
    def controller(sim):
        if sim.time > 0.045:
            raise LookupError("no sensor")
        damped(sim)

    sim = pendulum().simulation()
    sim.every(0.01, controller)
    with pytest.raises(LookupError, match="no sensor") as caught:
        sim.advance(1)
    assert "controller" in "".join(traceback.format_tb(caught.value.__traceback__))
    assert sim.time == 0.05 and math.isfinite(sim["hinge.q"])
    with pytest.raises(LookupError):
        sim.advance(1)
    assert sim.time == 0.05
    again = pendulum().simulation()
    again.every(0.01, damped)
    again.advance(0.05)
    assert again["hinge.q"] == sim["hinge.q"]


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
@pytest.mark.parametrize("settings", [{}, {"integrator": "rk4", "step": 1e-3}, {"formulation": "hamiltonian"}])
def test_copies_go_on_with_the_same_bits(duplicate, settings):
    """A10: copies and pickles go on with the same bits."""
    sim = pendulum().simulation(**settings)
    sim.every(0.1, damped)
    sim.advance(0.73)
    other = duplicate(sim)
    assert other.time == sim.time and (other.q == sim.q).all() and (other.inputs == sim.inputs).all()
    for one in (sim, other):
        one.advance(2.01)
    assert (other.values == sim.values).all()
    state = pickle.loads(pickle.dumps(sim.save()))
    sim.advance(3)
    later = sim.values
    other.restore(state)
    other.advance(3)
    assert (other.values == later).all()


def test_inputs_are_set_as_an_array():
    model = pendulum()
    model.parameters["b"] = 1.5
    model["hinge"].force = "push - b*hinge.u"
    sim = model.simulation()
    assert sim.input_names == ["b", "push"] and (sim.inputs == [1.5, 0]).all()
    sim.inputs = [0.5, 2]
    assert sim["push"] == 2 and sim["b"] == 0.5
    sim.advance(0.1)
    sim.reset()
    assert (sim.inputs == [1.5, 0]).all() and sim.time == 0
    with pytest.raises(ValueError, match="inputs has 2 entries, not 3"):
        sim.inputs = [1, 2, 3]
    with pytest.raises(ValueError, match="nan"):
        sim.inputs = [1, math.nan]


@pytest.mark.parametrize("call, error, words", [
    (lambda s: s.advance(-1), ValueError, "forward only"),
    (lambda s: s.advance(math.nan), ValueError, "forward only"),
    (lambda s: s.advance("x"), TypeError, ""),
    (lambda s: s.every(0, damped), ValueError, "above 0"),
    (lambda s: s.every(math.nan, damped), ValueError, "above 0"),
    (lambda s: s.every(0.1, 3), TypeError, "function"),
    (lambda s: s.restore(None), TypeError, "save()"),
    (lambda s: s.restore(two_pendulums().simulation().save()), (ValueError, sarrus.Error), "another"),
    (lambda s: s["hnge.q"], KeyError, "hinge.q"),
    (lambda s: s[0], TypeError, ""),
    (lambda s: s.__setitem__("psh", 1), ValueError, "push"),
    (lambda s: s.__setitem__("push", math.inf), ValueError, "finite"),
    (lambda s: s.__setitem__("push", "x"), TypeError, ""),
])
def test_what_a_simulation_refuses(call, error, words):
    """A05, A14: names that are not there and values that are none are refused, and nothing has changed."""
    sim = pendulum().simulation()
    sim.advance(0.5)
    before = sim.values
    with pytest.raises(error) as caught:
        call(sim)
    assert words in str(caught.value)
    assert (sim.values == before).all() and sim.time == 0.5


def two_pendulums():
    model = pendulum()
    model.body("other", mass=1, com=(0, 0, -1))
    model.joint("second", type="revolute", child="other", axis="y")
    return model


def test_simulations_in_threads_are_those_of_one():
    alone = pendulum().simulation()
    alone.advance(3)
    found = [None] * 4

    def work(i):
        sim = pendulum().simulation()
        sim.advance(3)
        found[i] = sim.values

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all((f == alone.values).all() for f in found)


def test_two_threads_on_one_simulation_are_told():
    """A08: a simulation belongs to one thread at a time."""
    sim = pendulum().simulation(integrator="rk4", step=1e-4)
    done, begun = threading.Event(), threading.Event()

    def work():
        begun.set()
        while not done.is_set():
            sim.advance(sim.time + 50)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait()
    try:
        with pytest.raises(RuntimeError, match="another thread"):
            while True:
                sim["hinge.q"]
    finally:
        done.set()
        try:
            thread.join()
        finally:
            assert math.isfinite(sim["hinge.q"])


def test_a_model_that_is_changed_leaves_its_simulations_alone():
    """A02: a simulation is that of the model as it was; the next one has the change."""
    model = pendulum(length=2.0)
    sim, result = model.simulation(), model.simulate(until=1)
    before = result["hinge.q"].copy()
    model["bob"].com = (0, 0, -1)
    model.body("more", mass=1)
    model.joint("second", type="prismatic", parent="bob", child="more", axis="x")
    sim.advance(1)
    assert sim["hinge.q"] == pytest.approx(before[-1], abs=1e-6) and (result["hinge.q"] == before).all()
    assert len(sim.q) == 1 and len(model.simulation().q) == 2


def test_import_from_any_folder():
    """A17: import needs no folder of its own, compiles nothing and waits for no other package."""
    script = ("import sys\nimport sarrus\nimport importlib\nassert 'numpy' not in sys.modules, 'numpy is read when it is needed'\n"
              "import numpy\nm = sarrus.Model()\nm.body('b', mass=1)\nm.joint('j', type='prismatic', child='b', axis='x')\n"
              "print(m.mass_matrix()[0, 0])")
    done = subprocess.run([sys.executable, "-c", script], cwd="/", capture_output=True, text=True,
                          env={"PYTHONPATH": str(pathlib.Path(sarrus.__file__).resolve().parents[1]), "HOME": "/nowhere"})
    assert done.stdout == "1.0\n", done.stderr


def test_a_fork_goes_on_with_both():
    sim = pendulum().simulation()
    sim.advance(1)
    Q = numpy.zeros((64, 1))
    pendulum().forward_dynamics(Q)  # threads have been there
    pid = os.fork()
    if pid == 0:
        try:
            sim.advance(2)
            ok = (pendulum().forward_dynamics(Q) == 0).all()
        except BaseException:
            ok = False
        os._exit(0 if ok else 1)
    assert os.waitpid(pid, 0)[1] == 0
    sim.advance(2)
    assert math.isfinite(sim["hinge.q"])


def test_views_outlive_everything_and_the_interpreter_ends():
    script = ("import sarrus, atexit\n"
              "m = sarrus.Model()\nm.body('b', mass=1, com=(0,0,-1))\n"
              "m.joint('j', type='revolute', child='b', axis='y', q=1)\n"
              "r = m.simulate(until=1); q = r['j.q']; s = m.simulation(); s.every(0.1, lambda s: None)\n"
              "keep = [r, q, s, s.save(), m]; keep.append(keep)\n"
              "del r, m, s\n"
              "atexit.register(lambda: print(len(q), flush=True))\n")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, env=os.environ, text=True)
    assert done.returncode == 0 and done.stderr == "" and int(done.stdout) == 1001
