"""The Markdown of a README or of a page -> its first sentences, code, commands and list of features."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from kinfolk.cli.new.facts.install_commands import InstallCommand, install_commands
from kinfolk.cli.new.facts.readable_text import letters_of, plain_line, sentences
from kinfolk.config.data_files import is_repo_path
from kinfolk.content.markdown.front_matter import parse_front_matter, split_front_matter
from kinfolk.content.markdown.html.html_text import html_prose
from kinfolk.content.markdown.html.inline import prose_text
from kinfolk.content.markdown.page_parser import page_parser

LONGEST_TEXT = 24 << 10
"""Characters of a file that are read: what a reader sees first."""
LARGEST_CODE, MOST_LINES, FEWEST_LINES, WIDEST_LINE = 2_400, 36, 3, 110
"""Bytes, lines and characters of a line of a code sample."""
MOST_FEATURES, FEWEST_FEATURES, LONGEST_FEATURE = 8, 3, 90
FEWEST_WORDS, MOST_TITLES = 5, 3
"""Words of a sentence, and headings of sections that may say what the library is."""

LANGUAGES = {
    **dict.fromkeys(("js", "javascript", "mjs", "cjs"), ("js", "js")),
    **dict.fromkeys(("jsx",), ("jsx", "jsx")),
    **dict.fromkeys(("ts", "typescript", "mts"), ("ts", "ts")),
    **dict.fromkeys(("tsx",), ("tsx", "tsx")),
    **{name: (name, name) for name in ("vue", "svelte", "astro", "go", "java", "dart", "lua", "php", "swift", "zig")},
    **dict.fromkeys(("py", "python", "python3", "pycon"), ("python", "py")),
    **dict.fromkeys(("rs", "rust"), ("rust", "rs")),
    **dict.fromkeys(("rb", "ruby"), ("ruby", "rb")),
    **dict.fromkeys(("kt", "kotlin"), ("kotlin", "kt")),
    **dict.fromkeys(("cs", "csharp", "c#"), ("csharp", "cs")),
    **dict.fromkeys(("cpp", "c++", "cxx"), ("cpp", "cpp")),
    **dict.fromkeys(("ex", "elixir"), ("elixir", "ex")),
    "c": ("c", "c"),
}
"""Names of languages in code blocks, and the name and the ending of files of each. Shells and data are not here."""
_SHELLS = frozenset("sh bash shell zsh console terminal shellsession powershell text txt".split()) | {""}
_INCLUDE = re.compile(r"\{!|<<<|--8<--|\{\{#|```|~~~~")
"""Includes of files, which are not here, and ends of the block in which the landing page shows the code."""
_NAMED = re.compile(r"""\btitle=["']([\w./-]{3,60}\.\w{1,8})["']|\[([\w./-]{3,60}\.\w{1,8})\]""")
_FILE_COMMENT = re.compile(r"(?://|#|<!--) ?([\w./-]{1,60}\.\w{1,8})(?: ?-->)?\n")
_LABEL = re.compile(r"[^.!?:]{1,32}:(?:\s|$)")
_NOTICE = re.compile(r"[⚠❗❕🚧📣📢🚨ℹ]|(?:note|warning|important|caution|tip)\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:in addition|also|however|but|and|if|see|for (?:more|further|a)|you can|you just|this|these|those|it is also"
    r"|please|lives|we|check|refer|let['’]s|read|click|learn|visit|welcome|join|follow|don't|here|below|above"
    r"|there (?:is|are)|now|then)\b",
    re.IGNORECASE,
)
"""Beginnings of sentences that do not say what something is."""
_OTHER_SECTION = re.compile(
    r"(?:install|setup|contribut|licen[sc]|support|sponsor|backer|help|communit|document|docs|link|credit|author"
    r"|maintain|change|release|security|code of conduct|status|badge|table of|contents|resource|ecosystem|development"
    r"|requirement|migrat|upgrad|faq|acknowledg|thanks)",
    re.IGNORECASE,
)
_FEATURES = re.compile(r"features?\b|highlights?\b", re.IGNORECASE)
_SENTENCE_ENDS = (".", "!", "?", "…")
_LINKED = 0.5
_IN_LIST = 3
"""Level of the text of an item."""


@dataclass(frozen=True)
class FoundCode:
    """A code block of a programming language, and the heading above it."""

    language: str
    ending: str
    code: str
    heading: str = ""
    file: str = ""
    """Name of the file that the code is from, if the text says it."""


@dataclass
class MarkdownFacts:
    """Title and description are of the front matter or the first heading. Paragraphs say what the library is."""

    title: str = ""
    description: str = ""
    paragraphs: list[str] = field(default_factory=list)
    samples: list[FoundCode] = field(default_factory=list)
    commands: list[InstallCommand] = field(default_factory=list)
    features: list[str] = field(default_factory=list)

    @property
    def sample(self) -> FoundCode | None:
        return next(iter(self.samples), None)

    def sample_with(self, name: str) -> FoundCode | None:
        """The first code that has a name in it."""
        return next((code for code in self.samples if letters_of(name) in letters_of(code.code)), None)


def read_markdown(text: str) -> MarkdownFacts:
    """What a text has. What its dialect adds to Markdown is no part of it."""
    block, body = split_front_matter(text)
    front = parse_front_matter(block)
    facts = MarkdownFacts(plain_line(front.title or ""), plain_line(front.description or ""))
    body = body[:LONGEST_TEXT]
    tokens = page_parser(body).parse(body)
    heading, is_other, titles = "", False, 0
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = plain_line(prose_text(tokens[at + 1].children or ()))
            facts.title = facts.title or (heading if token.tag == "h1" else "")
            titles += token.tag != "h1"
            is_other = titles > MOST_TITLES or (token.tag != "h1" and _OTHER_SECTION.match(heading) is not None)
        elif token.type == "fence":
            _add_code(facts, token, heading)
        elif token.type == "inline":
            for child in token.children or ():
                if child.type == "code_inline":
                    facts.commands += install_commands(child.content)
            if not is_other and token.level == 1 and tokens[at - 1].type == "paragraph_open":
                facts.paragraphs += _paragraph(token.children or ())
        elif token.type == "html_block" and token.level == 0 and not is_other and token.content.startswith("<p"):
            facts.paragraphs += filter(_is_prose, [plain_line(html_prose(token.content))])
        elif token.type == "bullet_list_open" and token.level == 0 and not facts.features and not is_other:
            facts.features = _features(tokens[at:], heading, is_intro=not facts.samples)
    return facts


def _add_code(facts: MarkdownFacts, token: Token, heading: str) -> None:
    name = re.split(r"[\s{:,]", token.info.strip().lower(), maxsplit=1)[0]
    if name in _SHELLS:
        facts.commands += install_commands(token.content)
        return
    language = LANGUAGES.get(name)
    content = "\n".join(line for line in _shown_lines(token.content))
    code = "".join(c for c in content.replace("\t", "    ") if c.isprintable() or c == "\n").strip("\n")
    size = len(code.encode(errors="replace"))
    lines = code.splitlines()
    is_short = size <= LARGEST_CODE and FEWEST_LINES <= len(lines) <= MOST_LINES
    is_narrow = all(len(line) <= WIDEST_LINE for line in lines)
    if language and is_short and is_narrow and not _INCLUDE.search(code):
        named, comment = _NAMED.search(token.info), _FILE_COMMENT.match(code)
        file = next(filter(None, named.groups()), "") if named else ""
        if not file and comment:
            file, code = comment[1], code[comment.end() :].lstrip("\n")
        facts.samples.append(FoundCode(*language, code, heading, file if is_repo_path(file) else ""))


def _shown_lines(code: str) -> list[str]:
    """The lines without those that only a type checker of code samples reads."""
    lines = code.splitlines()
    cuts = [at for at, line in enumerate(lines) if line.strip() == "// ---cut---"]
    return [line for line in lines[cuts[-1] + 1 if cuts else 0 :] if not line.startswith("// @")]


def _paragraph(children: Sequence[Token]) -> Iterator[str]:
    if any(child.type == "code_inline" and any(install_commands(child.content)) for child in children):
        return
    text = plain_line(prose_text(children))
    if text.endswith(":"):  # what follows is no sentence
        text = " ".join(sentences(text)[:-1])
    linked, depth = 0, 0
    for child in children:
        depth += child.nesting if child.type in ("link_open", "link_close") else 0
        linked += len(child.content) if depth and child.type in ("text", "code_inline") else 0
    if _is_prose(text) and linked < _LINKED * len(text):
        yield text


def _is_prose(text: str) -> bool:
    """Whether a text is a sentence about something: no label, notice, import or directive of a dialect."""
    if len(text.split()) < FEWEST_WORDS or text.endswith(":"):
        return False
    if any(pattern.match(text) for pattern in (_LABEL, _NOTICE, _GOES_ON)):
        return False
    return not text.startswith(("import ", "export ", ":::", "!!!", "===", "{", "<", "[", "|")) and text[0].isalnum()


def _features(tokens: Sequence[Token], heading: str, *, is_intro: bool) -> list[str]:
    """The items of a list before the first code or below a heading that says so."""
    if not is_intro and not _FEATURES.search(heading):
        return []
    items: list[str] = []
    for at, token in enumerate(tokens):
        if token.type == "bullet_list_close" and token.level == 0:
            break
        if token.type != "inline" or token.level != _IN_LIST or tokens[at - 1].type != "paragraph_open":
            continue
        children = token.children or []
        text = plain_line(prose_text(children)).rstrip(".")
        is_link = any(child.type == "link_open" for child in children[:1])
        if is_link or " " not in text or len(text) > LONGEST_FEATURE or text.endswith(":"):
            return []
        items.append(text)
    return list(dict.fromkeys(items))[:MOST_FEATURES] if len(items) >= FEWEST_FEATURES else []
