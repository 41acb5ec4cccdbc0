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
shown = dict(re.findall(r"\]\(gallery/(\w+)\.(png|webp)\)\]\(\.\./examples/\w+/README\.md\)", page))
begins = {"png": b"\x89PNG", "webp": b"RIFF", "gif": b"GIF8"}
limits = {"png": 200_000, "webp": 150_000, "gif": 2_000_000}  # bytes; the gallery as a whole stays a few megabytes
problems = [f"examples/{name} has no picture: ./dev pictures {name}" for name in sorted(examples - set(shown))]
problems += [f"docs/gallery.md shows {name}, which is no example" for name in sorted(set(shown) - examples)]
for name in sorted(examples & set(shown)):
    moves = (root / "examples" / name / "model.toml").exists()
    if moves != (shown[name] == "webp"):
        problems.append(f"{name}.{shown[name]}: mechanisms move (webp), matrices stand still (png)")
pictures = {f"{name}.{kind}" for name, kind in shown.items()} | {"page_light.png", "page_dark.png", "page_moving.gif"}
for name in sorted(pictures):
    picture, kind = root / "docs/gallery" / name, name.partition(".")[2]
    data = picture.read_bytes() if picture.exists() else b""
    if not data.startswith(begins[kind]) or len(data) < 2000:
        problems.append(f"docs/gallery/{name} is missing, no picture, or an empty one: ./dev pictures makes it")
    elif len(data) > limits[kind]:
        problems.append(f"docs/gallery/{name} has {len(data)} bytes, more than {limits[kind]}")
    elif kind == "webp" and data.count(b"ANMF") < 10 or kind == "gif" and data.count(b"\x21\xf9\x04") < 10:
        problems.append(f"docs/gallery/{name} does not move")
for picture in (root / "docs/gallery").iterdir():
    if picture.name not in pictures:
        problems.append(f"docs/gallery/{picture.name} is shown nowhere")
if problems:
    sys.exit("\n".join(problems))
print(f"{len(shown)} examples, {len(pictures)} pictures")
