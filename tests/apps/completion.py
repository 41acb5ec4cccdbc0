#!/usr/bin/env python3
"""Words are completed in real shells, and the manual pages are ones that man can set.

    completion.py PROGRAM SHELL        SHELL: bash, zsh, fish, man

Ends with 77 where the shell is not installed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program, shell = os.path.abspath(sys.argv[1]), sys.argv[2]
MODEL = """sarrus = 1
name = "m"
[parameters]
length = 1
load = 2
[[body]]
name = "bar"
mass = "load"
com = ["length/2", 0, 0]
inertia = [0.1, 0.1, 0.1]
[[joint]]
name = "hinge"
type = "revolute"
child = "bar"
axis = "y"
[simulate]
until = 0.1
"""
# what is typed, what the shell must offer for its last word, and whether it may offer nothing else
CASES = [("sarrus rep", {"report"}, True), ("sarrus run m.toml --integ", {"--integrator"}, True),
         ("sarrus run m.toml --formulation rec", {"recursive"}, True), ("sarrus run m.toml --set l", {"length=", "load="}, True),
         ("sarrus plot m hinge.", {"hinge.q", "hinge.u"}, False), ("sarrus plot hinge.q", {"hinge.q"}, False),
         ("sarrus export m --columns energy.t", {"energy.total"}, True), ("sarrus check m", {"m.toml"}, False),
         ("sarrus completion f", {"fish"}, True), ("sarrus help doc", {"doctor"}, True)]
BASH = """source ./script
IFS= read -r line
read -ra COMP_WORDS <<<"$line"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$line; COMP_POINT=${#line}
compopt() { :; }  # works only while a line is edited
_sarrus
printf '%s\\n' "${COMPREPLY[@]}"
"""
FISH = """source ./script
read -l line
complete -C $line
"""


def offered(folder, typed):
    runner = {"bash": ["bash", "--norc", "-c", BASH], "fish": ["fish", "--no-config", "-c", FISH]}[shell]
    environment = {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder), "TERM": "dumb"}
    ended = subprocess.run(runner, cwd=folder, env=environment, input=typed + "\n", capture_output=True, text=True, timeout=600)
    return {line.split("\t")[0].strip() for line in ended.stdout.splitlines() if line.strip()}, ended.stderr


def check_cases(folder):
    wrong = 0
    for typed, due, is_all in CASES:
        found, said = offered(folder, typed)
        good = found == due if is_all else due <= found and "notes.txt" not in found
        wrong += not good
        print(f"{'good ' if good else 'WRONG'} {typed}: {sorted(found)}{'' if good else f', due {sorted(due)}; {said}'}")
    return wrong


# zsh completes only in its editor; here its functions get the words, and hand what they would offer to a list
ZSH = """_describe() { local -a all; all=("${(@P)2}"); print -l -- "${(@)all%%:*}" }
_files() { print -l -- files "$@" }
compdef() { : }
source ./script
IFS= read -r line
words=(${=line}); CURRENT=$#words
_sarrus
"""


def check_zsh(folder):
    """What zsh is handed: the words that begin with what is typed, or the kinds of files."""
    subprocess.run(["zsh", "-n", "script"], cwd=folder, check=True)
    wrong = 0
    for typed, due, is_all in CASES:
        ended = subprocess.run(["zsh", "-f", "-c", ZSH], cwd=folder, input=typed + "\n", capture_output=True, text=True, timeout=600,
                               env={**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": str(folder)})
        found = set(ended.stdout.split())
        if due == {"m.toml"}:
            due = {"files", "-g", "*.(toml|json|urdf|xml|sdf)(-.)"}
        good = found == due if is_all else due <= found
        wrong += not good
        print(f"{'good ' if good else 'WRONG'} {typed}: {sorted(found)}{'' if good else f', due {sorted(due)}; {ended.stderr}'}")
    return wrong


def check_pages():
    """Every page passes groff without a warning, and has the examples and flags of its command."""
    with tempfile.TemporaryDirectory(prefix="sarrus-test-") as folder:
        subprocess.run([program, "man", "-o", folder], check=True)
        pages = sorted(pathlib.Path(folder).iterdir())
        environment = {**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""}
        for page in pages:
            ended = subprocess.run(["man", "--warnings=w", "-l", str(page)], capture_output=True, text=True, env=environment)
            assert ended.returncode == 0 and not ended.stderr.strip(), (page.name, ended.stderr)
            assert "NAME" in ended.stdout and "EXIT STATUS" in ended.stdout, page.name
            if page.name == "sarrus-run.1":
                for part in ("--integrator", "--resume", "sarrus run pendulum.toml", "EXAMPLES"):
                    assert part in ended.stdout, part
        assert len(pages) > 15, pages
    print(f"{len(pages)} pages")
    return 0


def main():
    if shutil.which(shell) is None:
        print(f"skipped: {shell} is not installed")
        sys.exit(77)
    if shell == "man":
        sys.exit(check_pages())
    with tempfile.TemporaryDirectory(prefix="sarrus-test-") as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/sarrus").symlink_to(program)
        (folder / "m.toml").write_text(MODEL)
        (folder / "notes.txt").write_text("")
        subprocess.run([program, "run", "m.toml", "-q"], cwd=folder, check=True)
        (folder / "script").write_text(subprocess.run([program, "completion", shell], check=True, capture_output=True, text=True).stdout)
        sys.exit((check_zsh if shell == "zsh" else check_cases)(folder) > 0)


main()
