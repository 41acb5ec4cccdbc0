"""The package is typed: stubs fit the module, and strict checking passes on the package and the examples."""
import os
import pathlib
import subprocess
import sys

import pytest

import sarrus
from sarrus._stubs import stubs

pytest.importorskip("mypy")
PACKAGE = pathlib.Path(sarrus.__file__).resolve().parent
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "python"


def run(tmp_path, code, *words):
    ended = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=tmp_path, capture_output=True, text=True,
                           env={**os.environ, "MYPYPATH": f"{PACKAGE.parent}:{EXAMPLES}", "PYTHONPATH": str(PACKAGE.parent), "PYTHONDONTWRITEBYTECODE": "1"})
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stdout


def test_strict_types_of_package_and_examples(tmp_path):
    scripts = sorted(EXAMPLES.glob("*.py"))
    assert len(scripts) >= 12 and (PACKAGE / "py.typed").exists()
    (tmp_path / "wrong.py").write_text("import sarrus\nsarrus.Model().body('a', mas=1)\n"
                                       "sarrus.Model().joint('j', type='revolut', child='a')\n")
    # one run of the checker for all: it reads numpy's types once
    said = run(tmp_path, 1, "mypy", "--strict", "--ignore-missing-imports", "--cache-dir", tmp_path / "cache",
               "-p", "sarrus", *(word for s in scripts for word in ("-m", s.stem)), "-m", "wrong")
    faults = [line for line in said.splitlines() if "error:" in line]
    # what the reader would refuse, an editor underlines; nothing else
    assert len(faults) == 2 and all(line.startswith("wrong.py") for line in faults), said
    assert '"mas"' in faults[0] and "revolut" in faults[1]


def test_types_of_keys_are_those_of_the_grammar():
    stub = (PACKAGE / "_builders_stub.pyi").read_text()
    assert stub == stubs(sarrus.Model._own_keys)
    assert "def joint(" in stub and "Literal['fixed', 'revolute'" in stub


def test_stubs_fit_the_module(tmp_path):
    run(tmp_path, 0, "mypy.stubtest", "sarrus._sarrus", "--ignore-missing-stub", "--allowlist",
        pathlib.Path(__file__).parent / "stubtest_allowlist.txt")
