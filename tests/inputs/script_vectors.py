"""Markdown with active content, and what of it an HTML parser finds in a page."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import html5lib

from kinfolk.content.markdown.markdown_page import MarkdownPage

SAMPLES = Path(__file__).parents[1] / "samples"
SCRIPT_VECTORS = (
    "<script>alert(1)</script>",
    "a <script>alert(1)</script> b",
    "<style>*{display:none}</style>",
    "<img src=x onerror=alert(1)>",
    "<a href='java\tscript:alert(1)'>x</a>",
    "<a href='&#x6a;avascript:alert(1)'>x</a>",
    "<a href='\u0001javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt&colon;alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](data:image/svg+xml,x)",
    "<svg onload=alert(1)>",
    "<math><mi xlink:href='javascript:alert(1)'>",
    "<object data='javascript:alert(1)'>",
    "<form action='javascript:alert(1)'><button>x",
    "<p title='\n\n```html\n' onmouseover='alert(1)\n```\n\n'>",
    "<iframe src='https://www.youtube.com/embed/x'>\n\n```html\n</iframe><script>alert(1)</script>\n```",
    "<details open ontoggle=alert(1)>",
    "<a id='x' href='vbscript:x'>",
    '```js title="<img src=x onerror=alert(1)>"\nx\n```',
    "<!-- --!><script>alert(1)</script> -->",
    "<base href='https://evil.example'><meta http-equiv=refresh content='0;url=//evil.example'>",
    "<source srcset='javascript:alert(1)'><a href=' javascript:alert(1)'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<video src='javascript:alert(1)' poster='javascript:x' onerror=alert(1)></video>",
    "<video><source src='data:text/html,x'></video>",
    "<audio src=x onloadstart=alert(1)><track src='javascript:x' onerror=alert(1)></audio>",
    "<button onclick=alert(1)>x</button> <my-tag onclick=alert(1)>x</my-tag> <Foo onload=alert(1) />",
    "<svg><animate onbegin=alert(1) attributeName=x></svg><svg/onload=alert(1)>",
    "<figure onmouseover=alert(1)><figcaption style='x:expression(1)'>x</figcaption></figure>",
    "<bdo dir='rtl\" onclick=\"alert(1)' lang='\"><script>alert(1)</script>'>x</bdo>",
    "<picture><source media='(prefers-color-scheme: dark)\" onerror=\"x' srcset='javascript:x'><img></picture>",
)
"""Texts of each dialect."""

COMPONENT_VECTORS = tuple((SAMPLES / "component_vectors.txt").read_text(encoding="utf-8").split("\n%%%%\n"))
"""Texts with components and directives of the dialects."""

FRAMES = ("https://www.youtube-nocookie.com/", "https://codesandbox.io/", "https://stackblitz.com/")
ACTIVE = ("script", "style", "object", "embed", "form", "base", "meta", "link", "svg", "math", "noscript", "template")
CHIP = {"class": "color-chip", "viewBox": "0 0 12 12", "aria-hidden": "true"}
FORMULA = frozenset("annotation math mfrac mi mn mo mrow msqrt msub msup mtable mtd mtext mtr semantics".split())


def is_chip(element: Element) -> bool:
    """Whether it is the square of a color that the renderer draws."""
    return element.attrib == CHIP and [child.tag for child in element.iter()] == ["svg", "rect"]


def is_formula(element: Element) -> bool:
    """Whether it is a formula of the renderer: with elements of MathML that contain no HTML, and no addresses."""
    parts = list(element.iter())
    return element.tag == "math" and all(part.tag in FORMULA and "href" not in part.attrib for part in parts)


def dangers(result: MarkdownPage) -> list[str]:
    """Active content and misplaced elements that an HTML parser finds in the page."""
    return dangers_of(result.html())


def dangers_of(html: str) -> list[str]:
    """Active content and misplaced elements that an HTML parser finds in the body of a page."""
    found = []
    document = html5lib.parse(html, namespaceHTMLElements=False)
    for element in document.iter():
        if not isinstance(element.tag, str):
            continue
        if element.tag in ACTIVE and not is_chip(element) and not is_formula(element):
            found.append(element.tag)
        for name, value in element.attrib.items():
            blank = "".join(c for c in value if c > " ").lower()
            if str(name).startswith("on") or name in ("style", "srcdoc", "formaction"):
                found.append(f"{element.tag} {name}")
            if blank.startswith(("javascript:", "data:", "vbscript:")):
                found.append(f"{element.tag} {name}={value}")
        if element.tag == "iframe" and not element.get("src", "").startswith(FRAMES):
            found.append("iframe")
    return found
