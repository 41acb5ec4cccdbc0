"""Arrays that `sarrus export` writes are those that NumPy and SciPy read, and the CSV says the same.

  arrays.py SARRUS
"""
import csv
import pathlib
import subprocess
import sys
import tempfile
import zipfile

try:
    import numpy as np
    import scipy.io
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

MODEL = """
sarrus = 1
name = "two masses"
[[body]]
name = "größe"
mass = 2
[[body]]
name = "b"
mass = 1
[[joint]]
name = "rail-1"
type = "prismatic"
child = "größe"
axis = "x"
u = 1
[[joint]]
name = "rail_1"
type = "prismatic"
parent = "größe"
child = "b"
axis = "z"
[simulate]
until = 1
rows = 50
"""


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "model.toml").write_text(MODEL, encoding="utf-8")
        for arguments in (["run", "model.toml", "-o", "out", "-q"],
                          ["export", "out", "--csv", "rows.csv", "--npz", "rows.npz", "--mat", "rows.mat", "-q"],
                          ["export", "out", "--npz", "part.npz", "--columns", "rail_1.q", "--every", "10", "-q"]):
            subprocess.run([program, *arguments], cwd=folder, check=True)
        with open(folder / "rows.csv", encoding="utf-8") as file:
            table = list(csv.reader(file))
        heads = [head.partition("[") for head in table[0]]
        names, units = [h[0] for h in heads], [h[2].rstrip("]") for h in heads]
        values = np.array(table[1:], dtype=float)
        assert values.shape == (51, len(names)) and len(names) > 5, values.shape

        assert zipfile.ZipFile(folder / "rows.npz").testzip() is None
        arrays = np.load(folder / "rows.npz")
        assert list(arrays["columns"]) == names, list(arrays["columns"])
        assert list(arrays["units"]) == units, list(arrays["units"])
        for i, column in enumerate(names):
            assert arrays[column].dtype == np.float64 and np.array_equal(arrays[column], values[:, i]), column
        part = np.load(folder / "part.npz")
        assert sorted(part.files) == ["columns", "rail_1.q", "time", "units"], part.files
        assert np.array_equal(part["time"], values[::10, 0])

        matlab = scipy.io.loadmat(folder / "rows.mat")
        text = lambda cells: [str(c[0]) if len(c) else "" for c in cells[:, 0]]
        assert text(matlab["columns"]) == names, text(matlab["columns"])
        assert text(matlab["units"]) == units, text(matlab["units"])
        assert np.array_equal(matlab["data"], values)
        assert np.array_equal(matlab["time"][:, 0], values[:, 0])
        # two names that MATLAB would not tell apart stay two
        for column, variable in (("rail-1.q", "rail_1_q"), ("rail_1.q", "rail_1_q_2")):
            assert np.array_equal(matlab[variable][:, 0], values[:, names.index(column)]), variable
    return 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve())))
