"""The programs on the pages about Python run, one after the other, as a reader would type them."""
import pathlib
import re

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "tutorial" / "08-python.md"


def test_the_tutorial_runs(tmp_path, monkeypatch):
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
    assert len(blocks) >= 5
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        if "pandas" in block or "plot" in block:
            compile(block, "page", "exec")  # needs packages that may not be there
        else:
            exec(compile(block, "page", "exec"), names)
