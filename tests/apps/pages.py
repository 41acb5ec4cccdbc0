#!/usr/bin/env python3
"""Every command that a page shows works, and prints what the page shows.

    pages.py PROGRAM SOURCE_FOLDER PAGE

What stands on a page is done in its order, in an empty folder with copies of `examples` and `docs`:

- ```toml that begins with `# NAME.toml` is written to that file, with `# NAME.toml, at the end` appended to it;
- ```sh is run and has to succeed; ./dev COMMAND and python3 SCRIPT only have to exist, as has what a comment
  says takes minutes;
- ```console is run line by line ($ …) and compared with the lines that follow. A line `…` stands for any lines, `…`
  at the end of a line for its rest;
- every `sarrus COMMAND --flag` inside the text names a command and flags that exist.

Shown and printed agree where the words do. What differs between machines need not be the same: numbers agree to 1e-6
(the default tolerance is 1e-9), counts of digits to one, small numbers that measure an error (2e-14) within a factor of 30;
of lines about time and steps only the first word counts.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

program, source, page = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
text = (source / page).read_text()
varies = ("time", "steps", "evaluated", "ledger")
faults, done = [], 0


def number(word):
    try:
        return float(word.strip("(),;:").replace(",", ""))
    except ValueError:
        return None


def words_agree(shown, printed, follows):
    """Two words of a line; `follows` is the next one shown."""
    a, b = number(shown), number(printed)
    if a is None or b is None or shown == printed:
        return shown == printed
    if follows.startswith("digit") or follows.startswith("up"):
        return abs(a - b) <= 1 if a == int(a) else abs(a - b) <= 1e-6 * abs(a)
    error = re.fullmatch(r"\(?\d(\.\d+)?e-\d+[,;)]?", shown)
    if error and a > 0 and b > 0:
        return 1 / 30 < a / b < 30
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1)


def lines_agree(shown, printed):
    a, b = shown.split(), printed.split()
    if a and b and a[0] == b[0] and a[0] in varies:
        return True
    if a and a[-1] == "…":
        a.pop()
        b = b[: len(a)]
    if len(a) != len(b):
        return False
    # "9 digits" in a sentence: also "confirms 10; discrete confirms 9", and the column of digits in the table of verify
    after = ["digits" if "–" in a or i and a[i - 1] in ("confirms", "about", "to") else (a + [""])[i + 1] for i in range(len(a))]
    return all(words_agree(x, y, then) for x, y, then in zip(a, b, after))


def agree(shown, printed):
    """Lists of lines, where "…" stands for any lines."""
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(agree(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and lines_agree(shown[0], printed[0]) and agree(shown[1:], printed[1:])


def bare(lines):
    """Without trailing blanks and without empty lines."""
    return [line.rstrip() for line in lines if line.strip()]


def known(command):
    """A fault of a command that is not run, or nothing."""
    words = shlex.split(command, comments=True)
    if words[0] == "./dev":
        listed = subprocess.run([source / "dev"], capture_output=True, text=True).stdout
        return "" if len(words) == 1 or re.search(rf"^  {re.escape(words[1])}\b", listed, re.M) else "./dev has no such command"
    if words[0] in ("python3", "node"):
        return "" if (source / words[1]).exists() else f"{words[1]} does not exist"
    return flags_exist(words)


def flags_exist(words):
    if words[0] != "sarrus":
        return ""
    name = next((word for word in words[1:] if not word.startswith("-")), "")
    if not re.fullmatch(r"[a-z]+", name) or name == "help":
        return ""  # `sarrus`, `sarrus --version`, `sarrus COMMAND`
    helped = subprocess.run([program, name, "--help"], capture_output=True, text=True)
    if helped.returncode != 0:
        return f"no command is called {name}"
    missing = [word.partition("=")[0] for word in words[2:] if word.startswith("--")]
    missing = [flag for flag in missing if not re.search(rf"{re.escape(flag)}\b", helped.stdout)]
    return f"sarrus {name} has no {', '.join(missing)}" if missing else ""


def only_looked_at(line):
    return line.startswith(("./dev", "python3 ", "node ")) or re.search(r"#.*\bminutes?\b", line) or line.startswith("sarrus view")


def run(command, folder):
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    return subprocess.run(["bash", "-e", "-c", command], cwd=folder / "here", capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, "PATH": path, "DISPLAY": "", "WAYLAND_DISPLAY": ""})


def save(block, folder):
    named = re.match(r"# ([\w.-]+\.toml)(, at the end)?\n", block)
    if named:
        with (folder / "here" / named[1]).open("a" if named[2] else "w") as file:
            file.write(block[named.end():] if named[2] else block)


def run_script(block, folder):
    """As one script, so that a folder that was entered stays the place."""
    global done
    script = []
    for line in block.replace("\\\n", " ").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        done += 1
        if not only_looked_at(line):
            script.append(line)
        elif said := known(line):
            faults.append(f"{line}: {said}")
    ran = run("set -x\n" + "\n".join(script), folder)
    if ran.returncode != 0:
        faults.append(f"exit code {ran.returncode}\n{ran.stdout}{ran.stderr}")


def run_session(block, folder):
    global done
    parts = re.split(r"^\$ (.+)\n?", block, flags=re.M)
    for command, shown in zip(parts[1::2], parts[2::2]):
        done += 1
        ran = run(command, folder)
        printed = bare((ran.stdout + ran.stderr).splitlines())
        if not agree(bare(shown.splitlines()), printed):
            faults.append(f"$ {command}\nshown\n{shown}\nprinted\n" + "\n".join(printed))


def inline_commands():
    """Commands in the text between blocks."""
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.S | re.M)
    return {" ".join(found.split()) for found in re.findall(r"`(sarrus [^`]+)`", prose)}


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for part in ("bin", "here"):
        (folder / part).mkdir()
    (folder / "bin/sarrus").write_text(f'#!/bin/sh\nexec {shlex.quote(program)} "$@"\n')
    (folder / "bin/sarrus").chmod(0o755)
    for part in ("examples", "docs"):  # copies: pages enter them, and write beside them
        shutil.copytree(source / part, folder / "here" / part, ignore=shutil.ignore_patterns("gallery", "results"))
    for kind, block in re.findall(r"^(?: *)```(\w+)\n(.*?)^ *```", text, re.S | re.M):
        block = re.sub(r"^  (?=[$\w…])", "", block, flags=re.M) if re.search(r"^  ```" + kind, text, re.M) else block
        {"toml": save, "sh": run_script, "console": run_session}.get(kind, lambda *_: None)(block, folder)
for command in sorted(inline_commands()):
    done += 1
    try:
        words = shlex.split(command.replace("…", ""))
    except ValueError:
        continue  # an apostrophe of the text around it
    if said := flags_exist(words):
        faults.append(f"`{command}`: {said}")

print("\n\n".join(faults) or f"{page}: {done} commands")
sys.exit(bool(faults))
