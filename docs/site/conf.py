"""The documentation as a site: the Markdown of the repository, read where it stands by Sphinx.

./dev docs builds it; why Sphinx, and why formulas stay plain text, is in docs/decisions/0028-docs-site.md.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "docs/site"))

project = "Sarrus"
author = "the authors of Sarrus"
version = release = re.search(r"project\(Sarrus VERSION ([\d.]+)", (root / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "formulas"]
root_doc = "docs/README"
include_patterns = ["docs/**.md", "examples/**/README.md", "benchmarks/README.md", "viewer/README.md",
                    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
exclude_patterns = ["build", "viewer/node_modules", "results"]
myst_heading_anchors = 4
highlight_language = "none"

html_theme = "furo"
html_title = f"Sarrus {version}"
html_static_path = ["static"]
html_css_files = ["sarrus.css"]
html_extra_path = ["extra"]  # index.html, which leads to the first page
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False

# Pages that stand below another one, and pages of a section that docs/README.md does not name: by patterns.
below = {
    "docs/examples": "examples/*/README.md",
    "examples/benchmarks/README": "examples/benchmarks/*/**/README.md",
    "docs/decisions/README": "docs/decisions/0*.md",
    "docs/theory/README": "docs/theory/*.md",
}
folders = {"Tutorials": "docs/tutorial/*.md", "How to": "docs/howto/*.md", "Reference": "docs/reference/*.md"}


def pages(pattern):
    return sorted(path.relative_to(root).with_suffix("").as_posix() for path in root.glob(pattern))


def toctree(entries, caption=""):
    lines = ["", "```{toctree}", ":hidden:"] + ([f":caption: {caption}"] if caption else [])
    return "\n".join(lines + [""] + [f"/{entry}" for entry in entries] + ["```", ""])


def as_document(link):
    """The page that a link of docs/README.md names, as Sphinx calls it."""
    path = (root / "docs" / link.partition("#")[0]).resolve()
    return path.relative_to(root).with_suffix("").as_posix()


def add_toctrees(_, name, source):
    """The lists of links in docs/README.md are the order of the site: read there, written nowhere else."""
    if name in below:
        source[0] += toctree([page for page in pages(below[name]) if page != name])
    if name != root_doc:
        return
    sections = re.split(r"^## (.+)\n", source[0], flags=re.M)[1:]
    for caption, text in zip(sections[::2], sections[1::2]):
        links = re.findall(r"^- \[[^\]]+\]\(([^)#\s]+\.md)\)", text, re.M)
        others = pages(folders[caption]) if caption in folders else []
        entries = dict.fromkeys([as_document(link) for link in links] + others)
        source[0] += toctree(entries, caption)


def setup(app):
    app.connect("source-read", add_toctrees)
