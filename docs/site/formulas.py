"""Formulas of the theory pages, set from the plain text that they are written in.

An indented block of a theory page is a list of formulas, one in a line, perhaps with its number at the end:

    V = X V_P + S u,     c = Ṡ u + V × S u                                (1)

Single letters become italic, what follows `_` or stands in `_{…}` becomes an index, raised and lowered characters become
exponents and indices, the number goes to the right; words and everything else stay as they are. In sentences the indices of
single letters are set the same way. There is no script in the page, and nothing is loaded.
"""
import html
import re
import unicodedata

from docutils import nodes
from docutils.transforms import Transform

LETTER = r"[A-Za-zÀ-ÖØ-öø-ÿȦ-ȳḀ-ỹΑ-ΡΣ-Ωα-ωϑϕ∂ℓ]"
INDEX = r"[A-Za-z0-9Α-Ωα-ω½∞′]+"
MARKS = r"[\u0300-\u036f]*"
LOWERED = "".join(c for c in map(chr, range(0x1D00, 0x2C80)) if unicodedata.decomposition(c).startswith("<sub>"))
RAISED = "¹²³" + "".join(c for c in map(chr, range(0x1D00, 0x2C80)) if unicodedata.decomposition(c).startswith("<super>"))
SENTENCE = re.compile(rf"(?<![\w]){LETTER}{MARKS}_([A-Za-z0-9Α-Ωα-ω½∞]{{1,3}}(?:[+−][\w½]+)?)(?![A-Za-z0-9_])")
TOKEN = re.compile(rf"_\{{([^}}]*)\}}|_({INDEX}(?:[+−][\w½]+)?)|({LETTER}{MARKS}(?![A-Za-z]))|([A-Za-z][A-Za-z0-9]+)"
                   rf"|([{LOWERED}]+)|([{RAISED}]+)|(.)", re.S)
NUMBER = re.compile(r"^(.*?)\s{2,}(\(\w{1,3}[′″]?\))$")


def typeset(text):
    """One formula as HTML."""
    parts = []
    for in_braces, index, letter, word, lowered, raised, other in TOKEN.findall(text):
        if in_braces or index or lowered:
            parts.append(f"<sub>{html.escape(in_braces or index or unicodedata.normalize('NFKC', lowered))}</sub>")
        elif raised:
            parts.append(f"<sup>{html.escape(unicodedata.normalize('NFKC', raised))}</sup>")
        elif letter and letter not in "ΣΔ":
            parts.append(f"<i>{letter}</i>")
        else:
            parts.append(html.escape(letter or word or other))
    return "".join(parts)


def in_columns(line):
    """Pieces of a line that two blanks or more divide keep the columns that they have in the source."""
    cells = []
    for piece, blanks in re.findall(r"(\S(?:.*?\S)?|^)(\s{2,}|$)", line):
        width = sum(1 for c in piece + blanks if not unicodedata.combining(c)) if blanks else 0
        cells.append(f'<span style="min-width:{0.5 * width:.1f}em">{typeset(piece)}</span>')
    return "".join(cells)


def as_html(block):
    rows = []
    for line in block.splitlines():
        numbered = NUMBER.match(line)
        formula, number = numbered.groups() if numbered else (line.rstrip(), "")
        rows.append(f'<div class="formula"><span>{in_columns(formula) or "&nbsp;"}</span>'
                    + (f'<span class="number">{html.escape(number)}</span>' if number else "") + "</div>")
    return f'<div class="formulas">{"".join(rows)}</div>'


def with_indices(text):
    """A text of a sentence as nodes, with what stands behind `_` lowered."""
    at, parts = 0, []
    for found in SENTENCE.finditer(text):
        parts += [nodes.Text(text[at:found.start(1) - 1]), nodes.subscript("", found.group(1))]
        at = found.end()
    return parts + [nodes.Text(text[at:])] if parts else None


class Formulas(Transform):
    default_priority = 800

    def apply(self):
        if "/theory/" not in f"/{self.document.settings.env.docname}":
            return
        for block in list(self.document.findall(nodes.literal_block)):
            if block.get("language", "none") == "none":
                block.replace_self(nodes.raw("", as_html(block.astext()), format="html"))
        for text in list(self.document.findall(nodes.Text)):
            if not isinstance(text.parent, (nodes.literal, nodes.literal_block, nodes.raw)) and (parts := with_indices(text.astext())):
                text.parent.replace(text, parts)


def setup(app):
    app.add_transform(Formulas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
