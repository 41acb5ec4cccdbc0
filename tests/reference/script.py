"""The script of an example still gives the numbers of its expected.json.

    script.py REFERENCE_SCRIPT        exits with 77 where numpy or scipy is missing
"""
import subprocess
import sys

try:
    import numpy  # noqa: F401
    import scipy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}; Debian has it in python3-numpy and python3-scipy")
    sys.exit(77)
sys.exit(subprocess.run([sys.executable, sys.argv[1]]).returncode)
