"""The reference scripts of the examples still give the numbers of expected.json. Skipped (77) without SciPy."""
import pathlib
import subprocess
import sys

root = pathlib.Path(sys.argv[1])
tried = [sys.executable, "/usr/bin/python3"]
able = [p for p in tried if subprocess.run([p, "-c", "import scipy"], capture_output=True).returncode == 0]
if not able:
    sys.exit(77)
scripts = sorted(root.glob("examples/**/reference.py"))
failed = [s for s in scripts if subprocess.run([able[0], str(s)]).returncode != 0]
for script in failed:
    print(f"{script} does not agree with expected.json")
sys.exit(1 if failed or not scripts else 0)
