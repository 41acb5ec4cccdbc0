#!/usr/bin/env python3
"""Builds and runs every C++ program that the documentation shows.

    snippets.py SOURCE_FOLDER WORK_FOLDER COMPILER -- OPTIONS FOR COMPILER AND LINKER
"""
import pathlib
import re
import subprocess
import sys

source, work, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
options = sys.argv[sys.argv.index("--") + 1:]
work.mkdir(parents=True, exist_ok=True)
pages = [source / "README.md", *sorted((source / "docs").rglob("*.md")), *sorted((source / "examples").rglob("*.md"))]
programs, failed = 0, 0
for page in pages:
    if not page.exists():
        continue
    for block in re.finditer(r"^```cpp\n(.*?)^```", page.read_text(), re.S | re.M):
        if "int main" not in block.group(1):
            continue
        programs += 1
        line = page.read_text()[: block.start()].count("\n") + 1
        name = f"{page.relative_to(source)}:{line}"
        file = work / f"snippet_{programs}.cpp"
        file.write_text(block.group(1))
        binary = file.with_suffix("")
        for command in ([compiler, "-std=c++20", "-O1", str(file), "-o", str(binary), *options], [str(binary)]):
            done = subprocess.run(command, capture_output=True, text=True, cwd=work)
            if done.returncode != 0:
                failed += 1
                print(f"{name}: {' '.join(command[:1])} ended with {done.returncode}\n{done.stdout}{done.stderr}")
                break
        else:
            print(f"{name}: {done.stdout.strip()}")
print(f"{programs} programs, {failed} failed")
sys.exit(failed > 0 or programs == 0)
