"""The built viewer that the program carries is made from the sources beside it.

    viewer.py ROOT

The page holds the checksum of what it was made from (viewer/build.mjs); here it is computed anew, so
that no node is needed to notice a page that is out of date.
"""
import hashlib
import pathlib
import re
import sys

viewer = pathlib.Path(sys.argv[1]) / "viewer"
names = ["package.json", "package-lock.json", "tsconfig.json", "build.mjs", "page.html"]
names += ["src/" + name for name in sorted(path.name for path in (viewer / "src").iterdir())]
lines = "".join(f"{hashlib.sha256((viewer / n).read_bytes()).hexdigest()}  {n}\n" for n in names)
now = hashlib.sha256(lines.encode()).hexdigest()

page = (viewer / "dist/viewer.html").read_text()
made_from = re.search(r'<meta name="sarrus-source" content="(\w+)">', page).group(1)
if now != made_from:
    sys.exit("viewer/dist/viewer.html was not made from viewer/src as it is: ./dev viewer rebuilds it")

# what would break the promise of a page that needs nothing else
for bad in ("http-equiv=\"refresh\"", "<link", "src=\"http", "@import"):
    if bad in page:
        sys.exit(f"viewer/dist/viewer.html contains {bad}")
policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page).group(1)
for word in ("default-src 'none'", "script-src 'sha256-", "connect-src 'none'"):
    if word not in policy:
        sys.exit(f"the content security policy of viewer/dist/viewer.html lacks {word}")
if "unsafe" in policy:
    sys.exit("the content security policy of viewer/dist/viewer.html allows what is unsafe")
print("viewer/dist/viewer.html is up to date")
