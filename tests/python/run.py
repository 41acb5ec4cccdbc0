"""Runs the tests of this folder, or those that -k selects; ends with 77 where pytest is not installed."""
import pathlib
import sys

try:
    import pytest
except ImportError:
    print("skipped: python3-pytest is not installed")
    sys.exit(77)
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:], str(pathlib.Path(__file__).parent)]))
