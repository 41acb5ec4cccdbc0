"""Every example has a picture in the gallery, and the gallery shows no other.

    gallery.py ROOT

`./dev pictures NAME` makes the picture of an example; look at it before it is committed.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
examples = {path.parent.name for path in (root / "examples").glob("*/README.md")} - {"benchmarks", "python"}
page = (root / "docs/gallery.md").read_text()
shown = set(re.findall(r"\]\(gallery/(\w+)\.png\)\]\(\.\./examples/\w+/README\.md\)", page))
problems = [f"examples/{name} has no picture: ./dev pictures {name}" for name in sorted(examples - shown)]
problems += [f"docs/gallery.md shows {name}, which is no example" for name in sorted(shown - examples)]
for name in sorted(shown) + ["page_light", "page_dark"]:
    picture = root / f"docs/gallery/{name}.png"
    if not picture.exists():
        problems.append(f"docs/gallery/{name}.png does not exist: ./dev pictures {name}")
    elif picture.read_bytes()[:8] != b"\x89PNG\r\n\x1a\n" or picture.stat().st_size < 2000:
        problems.append(f"docs/gallery/{name}.png is no picture, or an empty one")
for picture in (root / "docs/gallery").glob("*.png"):
    if picture.stem not in shown | {"page_light", "page_dark", "page_phone"}:
        problems.append(f"docs/gallery/{picture.name} is shown nowhere")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(shown)} examples, {len(shown)} pictures")
