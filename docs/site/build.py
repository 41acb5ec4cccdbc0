#!/usr/bin/env python3
"""Builds the site, strictly: every warning of Sphinx, such as a link that leads nowhere, is a fault.

    build.py OUT

All pages are read each time, so that a fault of an unchanged page is found again. Ends with 77 where Sphinx, MyST or the theme is not installed.
"""
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True  # nothing is left among the sources
missing = [name for name in ("sphinx", "myst_parser", "furo") if importlib.util.find_spec(name) is None]
if missing:
    print(f"skipped: {', '.join(missing)} not installed; ./dev docs installs them")
    sys.exit(77)

from sphinx.cmd.build import build_main  # noqa: E402

here = pathlib.Path(__file__).resolve().parent
root, out = here.parents[1], pathlib.Path(sys.argv[1])
sys.exit(build_main(["-q", "-E", "-W", "--keep-going", "-b", "html", "-c", str(here), "-d", str(out / ".doctrees"), str(root), str(out)]))
