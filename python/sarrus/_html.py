"""What a notebook shows."""
from __future__ import annotations

import html
import os
import tempfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Model
    from .result import Result


def frame(page: str, height: int = 520) -> str:
    """A page inside another, which it cannot reach."""
    return (f'<iframe sandbox="allow-scripts allow-downloads" style="width:100%;height:{height}px;'
            f'border:1px solid #ccc" srcdoc="{html.escape(page, quote=True)}"></iframe>')


def result_html(result: "Result") -> str:
    if len(result) == 0:
        return f"<code>{html.escape(repr(result))}</code>"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.html")
        result.report(path)
        with open(path, encoding="utf-8") as file:
            return frame(file.read())


def model_html(model: "Model") -> str:
    """The picture at the start, and how the mechanism can move."""
    from . import _sarrus

    try:
        text = repr(model.check())
        start = model.simulation().time
        shown = model.simulate(start=start, until=start, progress=False)._repr_html_()
    except _sarrus.Error as error:
        return f"<pre>{html.escape(str(error))}</pre>"
    return f"<b>{html.escape(model.name)}</b><pre>{html.escape(text)}</pre>{shown}"
