"""The programs on the pages about Python run, one after the other, as a reader would type them; so does the
notebook, cell after cell, and what its cells show can be shown."""
import ast
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial" / "08-python.md"
NOTEBOOK = ROOT / "examples" / "python" / "animation.ipynb"


def test_the_tutorial_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) >= 8
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        if "pandas" in block or "plot" in block:
            compile(block, "page", "exec")  # needs packages that may not be there
        else:
            exec(compile(block, "page", "exec"), names)


def test_the_notebook_runs_and_shows():
    """Like Jupyter: the value of the last expression of a cell is shown, as HTML where it has one."""
    names, shown = {}, []
    for cell in json.loads(NOTEBOOK.read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop()
        exec(compile(tree, "cell", "exec"), names)
        assert isinstance(last, ast.Expr)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        shown.append(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value))
    assert len(shown) == 4
    assert "degrees of freedom 2" in shown[0] and "<iframe" in shown[0] and "<iframe" in shown[1]
    assert "audits" in shown[3]
