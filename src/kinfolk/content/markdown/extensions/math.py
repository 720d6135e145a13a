"""Math: `$x^2$`, `` $`x^2`$ ``, `$$x^2$$` and fences of the language `math` -> MathML, made by math-core.

GitHub's rules for delimiters: a single dollar sign opens before text and closes after text, so that `$5 and $6` stays
text. The source stays in the MathML as an annotation. A formula that math-core cannot read is shown as code, and
reported.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from math_core import LatexError, LatexToMathML

from kinfolk.content.markdown.render_context import RenderContext

INLINE, BLOCK = "math_inline", "math_block"
FENCE = "math"
"""The language of fences that contain a formula."""
LONGEST = 4_000
"""Characters of a formula. math-core needs up to 1 kB of stack for each."""
DEEPEST = 50
"""Groups within groups."""
_MOST_EXPANSIONS = 200
_SHORT = 16
"""Signs of a formula that fits the line of a phone."""
_MACROS = {"substack": r"\begin{matrix}#1\end{matrix}", "smash": "#1"}
"""Commands of amsmath that math-core lacks."""
_ENVIRONMENTS = {"split": "aligned", "smallmatrix": "matrix"}

# What no part of a formula matches ends the search for its end, so each search ends at the next dollar sign.
_QUOTED = re.compile(r"\$`([^`]+)`\$(?![\w$])")
_DISPLAY = re.compile(r"\$\$(?!\s*+\$)((?>[^$\\]|\\.)++)\$\$(?![\w$])", re.DOTALL)
_SINGLE = re.compile(r"\$(?![\s`])((?>[^$\\`]|\\.)++)(?<!\s)\$(?![\w$`{(\\]|\[(?!\^)|[.,:;/]\w)", re.DOTALL)
_NOT_BEFORE = re.compile(r"[\w$\\`}]")
"""A dollar sign after one of these is part of a word, such as `US$`."""
_FENCE_END = "$$"

_DEFINITION = re.compile(
    r"\\(?:[egx]?def|let|(?:re)?newcommand|providecommand|DeclareMathOperator|newenvironment)(?![a-z])"
)
_GROUP = re.compile(r"\\(?:left|begin|right|end)(?![a-zA-Z])|\\.|[{}]", re.DOTALL)
_OPENS, _CLOSES = frozenset(("{", r"\left", r"\begin")), frozenset(("}", r"\right", r"\end"))
_ENVIRONMENT = re.compile(r"\\(begin|end)\{(split|smallmatrix)\}")
_OFFSET = re.compile(r"^\d+: ")

# What math-core writes. Anything else is not shown, so that a change of the library cannot add to a page.
_TAGS = """annotation math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup
msup mtable mtd mtext mtr munder munderover semantics""".split()
_HTML = re.compile(rf'(?>[^<>]|</?(?:{"|".join(_TAGS)})(?: [a-z]+="[^"<>]*")*/?>|</?[bi]>)*+')
_MARKUP = re.compile(r"<[^<>]*>")
_STYLE = re.compile(r' style="([^"]*)"')
_COLOR = re.compile(r"color:(#[0-9A-Fa-f]{6})")
_CLASSES = {
    "text-align: left": "to-left",
    "text-align: right": "to-right",
    "padding-left: 0": "no-gap-before",
    "padding-right: 0": "no-gap-after",
    "border-left": "line-left",
    "border-right": "line-right",
    "border-top": "line-top",
}


def has_math(text: str) -> bool:
    """Whether a text can have formulas, other than in fences."""
    return text.find("$") != text.rfind("$")


def math(parser: MarkdownIt) -> None:
    """Parse formulas between dollar signs."""
    parser.inline.ruler.after("escape", "math", _inline)
    parser.block.ruler.before("fence", "math", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def outside_math(text: str) -> list[str]:
    """The text split at its formulas: prose and formulas in turns."""
    if not has_math(text):
        return [text]
    parts: list[str] = []
    done = at = 0
    while (at := text.find("$", at)) >= 0:
        found = _match(text, at, len(text))
        if found:
            parts += (text[done:at], found[0])
            done = at = found.end()
        else:
            at += 1
    return [*parts, text[done:]]


def _match(text: str, at: int, end: int) -> re.Match[str] | None:
    """The formula at a dollar sign."""
    if at and _NOT_BEFORE.match(text[at - 1]):
        return None
    if text.startswith("$$", at, end):
        return _DISPLAY.match(text, at, end)
    return _QUOTED.match(text, at, end) or _SINGLE.match(text, at, end)


def _inline(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    found = _match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push(INLINE, "", 0)
        token.content, token.markup = found[1].strip(), found[0][: found.start(1) - found.start()]
    state.pos = found.end()
    return True


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Lines from `$$` to the next `$$`, without a blank line between them."""
    if state.is_code_block(start) or not state.src.startswith(_FENCE_END, state.bMarks[start] + state.tShift[start]):
        return False
    last = start
    first = _line(state, start).removeprefix(_FENCE_END)
    if _FENCE_END in first:
        if not _ends(first):
            return False
    else:
        while True:
            last += 1
            if last >= end or state.sCount[last] < state.blkIndent or not (line := _line(state, last)).strip():
                return False
            if _FENCE_END in line:
                break
        if not _ends(line):
            return False
    content = state.getLines(start, last + 1, state.blkIndent, False).strip()
    tex = content.removeprefix(_FENCE_END).removesuffix(_FENCE_END).strip()
    if not tex:
        return False
    if not silent:
        token = state.push(BLOCK, "", 0)
        token.content, token.map, token.block = tex, [start, last + 1], True
        state.line = last + 1
    return True


def _ends(line: str) -> bool:
    """Whether the only `$$` of a line is its end."""
    return line.count(_FENCE_END) == 1 and line.rstrip().endswith(_FENCE_END)


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def inline_html(formula: Token, context: RenderContext, line: int) -> str:
    """The formula in its paragraph; its source as code if it is not valid."""
    is_display = formula.markup == _FENCE_END
    html = _mathml(formula.content, context, line, is_display=is_display)
    return html or f"<code>{escape(formula.content)}</code>"


def _focusable(html: str) -> str:
    """The formula as one that the keyboard can scroll, if its line may be too short for it."""
    signs = _MARKUP.sub("", html.partition("<annotation")[0])
    return html.replace("<math", '<math tabindex="0"', 1) if len(signs) > _SHORT else html


def block_html(tex: str, context: RenderContext, line: int) -> str | None:
    """The formula on lines of its own; None if it is not valid."""
    html = _mathml(tex.strip(), context, line, is_display=True, is_alone=True)
    return html and f'<div class="math" tabindex="0" role="group" aria-label="Formula">{html}</div>\n'


def _mathml(tex: str, context: RenderContext, line: int, *, is_display: bool, is_alone: bool = False) -> str | None:
    try:
        html = to_mathml(tex, is_display=is_display)
    except ValueError as invalid:
        context.add_problem(line, f"the formula {' '.join(tex.split())[:60]} is shown as code: {invalid}")
        return None
    return context.formula(html if is_alone else _focusable(html))


def to_mathml(tex: str, *, is_display: bool) -> str:
    """The formula as MathML with its source as an annotation. Raises ValueError with the reason if it is not valid."""
    if len(tex) > LONGEST:
        raise ValueError(f"it has more than {LONGEST} characters")
    if _DEFINITION.search(tex):
        raise ValueError("it defines a command")
    if _depth(tex) > DEEPEST:
        raise ValueError(f"it has more than {DEEPEST} groups within groups")
    source = _ENVIRONMENT.sub(lambda found: f"\\{found[1]}{{{_ENVIRONMENTS[found[2]]}}}", tex)
    if is_display and r"\tag" in source and r"\begin" not in source:
        source = rf"\begin{{equation}}{source}\end{{equation}}"
    try:
        html = _converter().convert_with_local_state(source, displaystyle=is_display)
    except LatexError as invalid:
        raise ValueError(_OFFSET.sub("", str(invalid)).rstrip(".")[:120]) from None
    if not _HTML.fullmatch(html):
        raise ValueError("it cannot be shown")
    if 'style="' in html:
        html = _STYLE.sub(_style, html)
    opening, _, content = html.partition(">")
    return (
        f"{opening}><semantics><mrow>{content.removesuffix('</math>')}</mrow>"
        f'<annotation encoding="application/x-tex">{escape(tex, quote=False)}</annotation></semantics></math>'
    )


@cache
def _converter() -> LatexToMathML:
    return LatexToMathML(
        macros=_MACROS, fancy_error=False, allow_unreliable_rendering=True, max_expansions=_MOST_EXPANSIONS
    )


def _depth(tex: str) -> int:
    """The most groups within groups."""
    depth = deepest = 0
    for found in _GROUP.finditer(tex):
        if found[0] in _OPENS:
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in _CLOSES:
            depth -= 1
    return deepest


def _style(found: re.Match[str]) -> str:
    """Attributes in place of a `style` attribute, which the Content-Security-Policy of pages forbids."""
    declarations = found[1].split(";")
    color = next((one[1] for one in map(_COLOR.fullmatch, declarations) if one), None)
    names = [
        name for declaration in declarations for written, name in _CLASSES.items() if declaration.startswith(written)
    ]
    return (f' mathcolor="{color}"' if color else "") + (f' class="{" ".join(names)}"' if names else "")
