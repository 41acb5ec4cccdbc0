#!/usr/bin/env python3
"""The packages, used as a stranger would: made, unpacked into bare folders, run, and built against.

    package_test.py SOURCE_FOLDER BUILD_FOLDER COMPILER [--keep FOLDER] [--lintian]

Ends with 77 where dpkg-deb or patchelf is missing. With --lintian, its errors and warnings fail the test.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def call(*words, **options):
    ended = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nended with {ended.returncode}:\n{ended.stdout}{ended.stderr}")
    return ended.stdout


def use_program(program, folder):
    """Runs, reports and copies an example, with nothing of this machine's environment."""
    folder.mkdir()
    bare = {"cwd": folder, "env": {"PATH": "/nowhere", "HOME": str(folder)}}
    said = call(program, "doctor", **bare)
    assert "yes  examples" in said, said
    assert "four_bar" in call(program, "examples", **bare)
    call(program, "examples", "simple_pendulum", **bare)
    said = call(program, "run", "simple_pendulum/model.toml", "--until", "1", "--report", **bare)
    assert (folder / "simple_pendulum/model.html").stat().st_size > 100_000, said
    rows = call(program, "export", "--csv", "-", "--columns", "hinge.q", **bare).split()
    return float(rows[-1].split(",")[1])  # at t = 1 s


def use_library(prefix, source, compiler, folder):
    """The user's program of the install tests, by find_package."""
    call("cmake", "-S", source / "tests/install/user", "-B", folder, "-G", "Ninja", "-D", f"CMAKE_CXX_COMPILER={compiler}",
         "-D", f"CMAKE_PREFIX_PATH={prefix}", "-D", "CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=ON")
    call("cmake", "--build", folder)
    said = call(folder / "user", source / "tests/install/user/pendulum.toml")
    assert said == "hinge.q = 1.405027 rad\n", said  # IFToMM library, A01 at t = 1 s: 1.405027311524799


SCRIPT = """
import os, sys
import sarrus
assert os.path.dirname(sarrus.__file__).startswith(sys.argv[1]), sarrus.__file__
model = sarrus.Model()
model.body("bob", mass=1, com=(0, 0, -1))
model.joint("hinge", type="revolute", child="bob", axis="-y", q="-90 deg")
result = model.simulate(until=1, rtol=1e-10)
print(result["hinge.q"][-1])
result.report(sys.argv[2])
"""


def use_python(python, where, folder):
    """A model built in code, run and shown, by a Python that knows nothing else of Sarrus."""
    page = folder / f"{where.name}.html"
    said = call(python, "-I", "-c", f"import sys; sys.path.insert(0, {str(where)!r})\n{SCRIPT}", where, page, cwd=folder)
    assert page.stat().st_size > 100_000, said
    return float(said)


def use_wheel(wheel, folder):
    """pip, without a network and without a compiler, into an environment of its own."""
    environment = folder / "environment"
    call("/usr/bin/python3", "-m", "venv", "--system-site-packages", environment)
    bare = {"env": {"PATH": "/nowhere", "HOME": str(folder)}}
    call(environment / "bin/python", "-m", "pip", "install", "--no-index", wheel, **bare)
    place, = (environment / "lib").glob("python3*/site-packages")
    return use_python(environment / "bin/python", place, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--lintian", action="store_true")
    a = parser.parse_args()
    for tool in ("dpkg-deb", "dpkg-shlibdeps", "patchelf", "objdump", "ninja", "pkg-config"):
        if shutil.which(tool) is None:
            print(f"skipped: {tool} is not installed")
            sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="sarrus-test-") as name:
        folder = pathlib.Path(name)
        out = a.keep or folder / "packages"
        print(call(a.source / "scripts/package.sh", a.build, out))
        program, = out.glob("sarrus_*.deb")
        library, = out.glob("libsarrus-dev_*.deb")
        archive, = out.glob("sarrus-*.tar.xz")
        call("dpkg-deb", "-x", program, folder / "program")
        call("dpkg-deb", "-x", library, folder / "library")
        (folder / "moved here").mkdir()
        call("tar", "-xf", archive, "-C", folder / "moved here")
        tree, = (folder / "moved here").iterdir()
        assert (folder / "program/usr/share/man/man1/sarrus-run.1.gz").exists()
        assert (folder / "program/usr/share/bash-completion/completions/sarrus").read_text().startswith("# bash")
        # IFToMM library, A01
        ends = [use_program(folder / "program/usr/bin/sarrus", folder / "one"), use_program(tree / "bin/sarrus", folder / "two")]
        assert ends[0] == ends[1] and abs(ends[0] - 1.405027311524799) < 1e-8, ends  # at the tolerance of the example
        # what the archive brings along is what it takes
        taken = call("ldd", tree / "bin/sarrus").splitlines()
        assert any(str(tree) in line for line in taken), taken
        triplet = call("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        flags = call("pkg-config", "--cflags", "sarrus", env={**os.environ, "PKG_CONFIG_PATH": str(folder / "library/usr/lib" / triplet / "pkgconfig")})
        assert any(os.path.exists(os.path.join(w[2:], "sarrus/core/version.hpp")) for w in flags.split() if w.startswith("-I")), flags
        use_library(folder / "library/usr", a.source, a.compiler, folder / "user")
        packages = [program, library]
        if wheels := list(out.glob("sarrus-*.whl")):
            package, = out.glob("python3-sarrus_*.deb")
            packages.append(package)
            call("dpkg-deb", "-x", package, folder / "python")
            ends = [use_python("/usr/bin/python3", folder / "python/usr/lib/python3/dist-packages", folder), use_wheel(wheels[0], folder)]
            assert ends[0] == ends[1] and abs(ends[0] - 1.405027311524799) < 1e-8, ends
        if a.lintian:
            found = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", *map(str, packages)],
                                   capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
            print(found.stdout + found.stderr)
            assert found.returncode == 0, "lintian is not content"


main()
