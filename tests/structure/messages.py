"""Every code of a message is explained in docs/reference/messages.md, and the page explains no other.

    messages.py ROOT

A code is what stands behind `.code =`, and every text of lower-case words with hyphens in the C++ sources that is not one of
`others`. Codes of one word that reach a diagnostic through a function are listed in `short`.
"""
import pathlib
import re
import sys

others = {"constraint-names", "coordinate-names", "right-side", "skew-symmetric", "double-pendulum", "sarrus-demo",  # words of input
          "content-length", "last-event-id", "same-site", "sec-fetch-site", "transfer-encoding", "x-sarrus-key",     # HTTP
          "sans-serif", "xdg-open", "e-0"}
short = {"empty", "floating", "negative", "restarted", "usage", "output"}
word = r'"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)"'

root = pathlib.Path(sys.argv[1])
found = set()
for folder in ("sarrus", "apps", "python"):
    for path in (root / folder).rglob("*"):
        if path.suffix in (".cpp", ".hpp", ".inl"):
            text = re.sub(r"//[^\n]*", "", path.read_text())
            found |= {code for code in re.findall(word, text) if "-" in code or code in short}
            for pair in re.findall(r'\.code = (?:[^,;{}"]*\? )?' + word + "(?: : " + word + ")?", text):
                found |= set(filter(None, pair))
found -= others

page = (root / "docs/reference/messages.md").read_text()
told = set()
for row in re.findall(r"^\| (`[^|]+) \|", page, re.M):
    told |= set(re.findall(r"`([a-z0-9-]+)`", row))
faults = [f"docs/reference/messages.md does not explain {code}" for code in sorted(found - told)]
faults += [f"docs/reference/messages.md explains {code}, which no message has" for code in sorted(told - found)]
print("\n".join(faults) or f"{len(found)} codes")
sys.exit(bool(faults) or len(found) < 200)
