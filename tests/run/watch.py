"""`sarrus run --watch` runs again on every save, tells what is wrong, and ends with Ctrl-C.

  watch.py SARRUS
"""
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

MODEL = """
sarrus = 1
[parameters]
speed = {speed}
[[body]]
name = "sled"
mass = 1
[[joint]]
name = "rail"
type = "prismatic"
child = "sled"
axis = "x"
u = "speed"
[simulate]
until = 1
rows = 10
"""


def await_line(process, log, words):
    """The next line with these words; a program that is silent for ten minutes hangs."""
    end = time.monotonic() + 600
    for line in process.stdout:
        log.append(line)
        if words in line:
            return
        if time.monotonic() > end:
            break
    raise AssertionError(f"no '{words}' in {''.join(log)}")


def last_position(csv):
    rows = csv.read_text(encoding="utf-8").splitlines()
    return float(rows[-1].split(",")[rows[0].split(",").index("rail.q[m]")])


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "model.toml"
        model.write_text(MODEL.format(speed=1), encoding="utf-8")
        process = subprocess.Popen([program, "run", "model.toml", "--watch", "-o", "out", "--csv", "rows.csv"], cwd=folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        log = []
        try:
            await_line(process, log, "waiting for a change")
            assert abs(last_position(folder / "rows.csv") - 1) < 1e-12
            model.write_text(MODEL.format(speed="["), encoding="utf-8")  # refused, and waits
            await_line(process, log, "error[")
            await_line(process, log, "waiting for a change")
            model.write_text(MODEL.format(speed=2), encoding="utf-8")
            await_line(process, log, "waiting for a change")
            assert abs(last_position(folder / "rows.csv") - 2) < 1e-12
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(600) == 128 + signal.SIGINT, process.returncode
            assert "finished files are kept" in rest, rest
        finally:
            process.kill()
            process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
