"""The library of a repository: its docs, as `import_site` finds them, and what its landing page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rapidfuzz import fuzz

from kinfolk.cli.import_site.programs.program_table import Detection, detect
from kinfolk.cli.import_site.project.docs_pages import DocsPages
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import LibraryImport, ProjectImport
from kinfolk.cli.new.facts.known_embeds import known_embeds
from kinfolk.cli.new.facts.look_facts import LookFacts, find_look
from kinfolk.cli.new.facts.markdown_facts import FEWEST_WORDS, FoundCode, MarkdownFacts, read_markdown
from kinfolk.cli.new.facts.package_facts import PackageFacts, find_package
from kinfolk.cli.new.facts.readable_text import GENERIC_NAMES, letters_of, plain_line, sentences, shortened
from kinfolk.config.catalog.examples_layout import MANIFESTS
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.file_layouts.page_layout import INDEX
from kinfolk.content.docs.menus.menu_config import path_of_target
from kinfolk.runtime.errors import Invalid

LONGEST_NAME, LONGEST_HEADING = 40, 60
_SAME = 80
"""Per cent of equal letters from which on a sentence repeats another."""
LONGEST_TAGLINE, LONGEST_DESCRIPTION, LONGEST_START = 130, 320, 180
MOST_PAGES_READ, MOST_PAGES_SEARCHED = 8, 600
_READMES = ("README.md", "readme.md", "Readme.md", "README.markdown", ".github/README.md", "README")
_EXAMPLE_FOLDERS = ("example", "demos", "demo", "samples", "sandboxes")
_TITLE_END = re.compile(r" (?:docs|documentation|manual|guide)$| [-–—|] .*$|: .*$", re.IGNORECASE)
_SPLASH = re.compile(r"^(?:template:\s*splash|layout:\s*['\"]?home['\"]?)\s*$", re.MULTILINE)
_OTHER_PAGE = re.compile(
    r"sponsor|people|contribut|release notes|change ?log|licen[sc]e|code of conduct|security|communit|team|backers",
    re.IGNORECASE,
)
_START_PAGE = re.compile(
    r"(?:^|/)(?:\d+\.)?(?:getting-started|get-started|introduction|intro|quick-?start|overview|start|guide)(?:/index)?$"
)
MOST_TITLES = 3
_GENERIC_HEADING = re.compile(r"(?:basic )?(?:usage|examples?|quick ?start|getting started|introduction|overview)\W*")


@dataclass(frozen=True)
class StartPage:
    """The page that the landing page ends with."""

    path: str
    title: str
    text: str


@dataclass(frozen=True)
class FoundLibrary:
    """Texts are empty for what was not found."""

    ref: Ref
    id: str
    name: str
    detection: Detection
    project: ProjectImport
    docs: LibraryImport
    default_page: str
    tagline: str
    description: str
    package: PackageFacts | None
    is_dev: bool
    code: FoundCode | None
    code_title: str
    features: tuple[str, ...]
    look: LookFacts
    examples: str
    start: StartPage | None
    embeds: Mapping[str, str]
    """Components of known services, and their addresses."""

    @property
    def other_docs(self) -> list[str]:
        """Docs roots of further docs of the repository."""
        return [other.facts.docs_root for other in self.project.libraries if other is not self.docs]


def read_library(files: ProjectFiles, id: str) -> FoundLibrary:
    """What the files of a repository say. Raises Invalid if there are no docs that a dialect reads."""
    repo, branch = files.git.repo, files.git.branch
    repository = repo.rpartition("/")[2]
    detection = detect(files, "")
    project = detection.program.read(files, detection.file)
    docs = next((library for library in project.libraries if len(library.pages)), None)
    if docs is None:
        raise Invalid(f"{detection.program.title} in {detection.file} has no pages that can be read")
    readme = read_markdown(_readme(files))
    pages = _first_pages(files, docs)
    package = find_package(files, repository, readme.commands)
    default_page = pages[0].path if pages else docs.pages.first([])
    tagline, description = _sentences(project, readme, package, [page.facts for page in pages])
    named = (page.facts.sample_with(repository) for page in pages)
    found_code = readme.sample or next(filter(None, named), None)
    return FoundLibrary(
        Ref(repo, branch),
        id,
        _name(repository, project, readme, package, is_titled=detection.program.name != "markdown"),
        detection,
        project,
        docs,
        default_page,
        tagline,
        description,
        package,
        package is not None and package.is_dev,
        found_code,
        _code_title(found_code, repository),
        tuple(readme.features),
        find_look(files, project.site, repository),
        _examples(files),
        _start(pages, f"{tagline} {description}", repository),
        known_embeds(_texts(files, docs)),
    )


def _readme(files: ProjectFiles) -> str:
    content = next(filter(None, map(files.content, _READMES)), b"")
    for encoding in ("utf-8-sig", "utf-16"):
        try:
            return content.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


@dataclass(frozen=True)
class _Page:
    path: str
    title: str
    facts: MarkdownFacts


def _first_pages(files: ProjectFiles, docs: LibraryImport) -> list[_Page]:
    """The pages that readers see first: the index unless it is a cover, then the one to start with, then the menu."""
    menu = _menu(docs)
    index = [INDEX] if docs.pages.index() else []
    likely = islice((path for path in menu if _START_PAGE.search(path)), 1)
    pages: list[_Page] = []
    covers: list[_Page] = []
    for path in islice(dict.fromkeys([*index, *likely, *menu, docs.pages.first([])]), MOST_PAGES_READ):
        text = _page_text(files, docs.pages, path)
        if text is not None:
            facts = read_markdown(text)
            page = _Page(path, plain_line(menu.get(path) or docs.pages.title(path) or facts.title), facts)
            (covers if _SPLASH.search(text[:4_000]) else pages).append(page)
    return [*pages, *covers]


def _menu(docs: LibraryImport) -> dict[str, str]:
    """The paths of the menu, with their labels."""
    entries = [(page, label) for page, label in docs.facts.menu_entries()]
    for section in docs.pages.folder_sections():
        entries += [(path_of_target(link.to), link.label) for link in section.children]
    return dict(reversed([(path, label) for path, label in reversed(entries) if docs.pages.find(path)]))


def _texts(files: ProjectFiles, docs: LibraryImport) -> Iterator[str]:
    """The texts of the pages that may use components."""
    paths = (path for path in docs.pages.layout.pages.values() if path.endswith((".mdx", ".mdoc", ".md")))
    yield from filter(None, map(files.text, islice(paths, MOST_PAGES_SEARCHED)))


def _page_text(files: ProjectFiles, pages: DocsPages, path: str) -> str | None:
    found = pages.layout.page_file(f"{pages.layout.root}/{path}")
    return files.text(pages.layout.pages[found]) if found else None


def _sentences(
    project: ProjectImport, readme: MarkdownFacts, package: PackageFacts | None, pages: Sequence[MarkdownFacts]
) -> tuple[str, str]:
    """One sentence for cards, and some for the landing page that do not repeat it."""
    about = [package.description if package else "", plain_line(project.site.description), readme.description]
    own = letters_of(project.files.git.repo.rpartition("/")[2])
    prose = [
        text
        for facts in (readme, *pages[:2])
        for text in facts.paragraphs[:3]
        if own in letters_of(text) or text.startswith(("A ", "An "))
    ]
    likely = [*about, *prose]
    tagline = next(filter(None, (_one_sentence(text) for text in likely)), "")
    for text in (*prose, *about):
        others = [one for one in sentences(text) if not _repeats(one, tagline)]
        if description := shortened(" ".join(others), LONGEST_DESCRIPTION):
            return tagline, description
    return tagline, ""


def _repeats(text: str, shown: str) -> bool:
    """Whether a text says much the same in much the same words."""
    return bool(shown) and fuzz.partial_ratio(letters_of(text), letters_of(shown)) >= _SAME


def _one_sentence(text: str) -> str:
    first = next(iter(sentences(text)), "")
    first = first.removesuffix(".")
    return first if len(first) <= LONGEST_TAGLINE and len(first.split()) > 1 else ""


def _name(
    repository: str, project: ProjectImport, readme: MarkdownFacts, package: PackageFacts | None, *, is_titled: bool
) -> str:
    """The name of the repository as its own texts spell it, else the title of the docs."""
    own = letters_of(repository)
    title = _TITLE_END.sub("", plain_line(project.site.name))
    if own in GENERIC_NAMES:
        return title if is_titled and title else project.files.git.repo.partition("/")[0].title()
    texts = [title, readme.title, *readme.paragraphs[:4], package.description if package else ""]
    for text in texts:
        for words in _runs(text.split()):
            if letters_of(words) == own and not words.islower():
                return words
    if is_titled and title and letters_of(title) != own and len(title) <= LONGEST_NAME:
        return title
    return repository.replace("-", " ").replace("_", " ").title()


def _runs(words: Sequence[str]) -> Iterator[str]:
    """One to three words that follow each other, without signs around them."""
    for start in range(min(len(words), 80)):
        for count in (1, 2, 3):
            yield " ".join(words[start : start + count]).strip(".,:;!?()[]\"'")


def _code_title(code: FoundCode | None, repository: str) -> str:
    heading = code.heading.rstrip(":.") if code else ""
    is_generic = _GENERIC_HEADING.fullmatch(heading.lower()) or letters_of(heading) == letters_of(repository)
    is_plain = is_generic or not heading[:1].isupper()
    return "" if is_plain or " " not in heading or len(heading) > LONGEST_HEADING else heading


def _examples(files: ProjectFiles) -> str:
    """The pattern of examples outside of `examples/`; those are found by the site itself."""
    for folder in _EXAMPLE_FOLDERS:
        inner = [name for name in files.names(folder) if name.endswith("/")]
        if any(not MANIFESTS.isdisjoint(files.names(f"{folder}/{name}")) for name in inner[:200]):
            return f"{folder}/{{name}}"
    return ""


def _start(pages: Sequence[_Page], shown: str, repository: str) -> StartPage | None:
    """The page that docs begin with, and its own first sentences; without any, the titles of the pages after it."""
    own = [page for page in pages if page.title and not _OTHER_PAGE.search(page.title)]
    if not own:
        return None
    first, *others = own
    is_named = letters_of(first.title) not in (letters_of(repository), "index", "home")
    title = first.title if is_named else "Documentation"
    text = shortened(first.facts.description or next(iter(first.facts.paragraphs), ""), LONGEST_START)
    if len(text.split()) < FEWEST_WORDS or _repeats(text, shown):
        following = list(dict.fromkeys(page.title for page in others))[:MOST_TITLES]
        if len(following) < MOST_TITLES:
            return None
        text = f"Followed by {', '.join(following[:-1])} and {following[-1].rstrip('.?!')}."
    return StartPage(first.path, title, text)
