"""The library of a repository: its docs, as `import_site` finds them, and what its landing page shows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from kinfolk.cli.import_site.programs.program_table import Detection, detect
from kinfolk.cli.import_site.project.docs_pages import DocsPages
from kinfolk.cli.import_site.project.project_files import ProjectFiles
from kinfolk.cli.import_site.project.project_import import LibraryImport, ProjectImport
from kinfolk.cli.new.facts.look_facts import LookFacts, find_look
from kinfolk.cli.new.facts.markdown_facts import FoundCode, MarkdownFacts, read_markdown
from kinfolk.cli.new.facts.package_facts import PackageFacts, find_package
from kinfolk.cli.new.facts.readable_text import letters_of, plain_line, sentences, shortened
from kinfolk.config.catalog.examples_layout import MANIFESTS
from kinfolk.config.docs_address import Ref
from kinfolk.content.docs.menus.menu_config import path_of_target
from kinfolk.runtime.errors import Invalid

LONGEST_NAME = 40
LONGEST_TAGLINE, LONGEST_DESCRIPTION, LONGEST_START = 130, 320, 180
MOST_PAGES_READ = 8
_READMES = ("README.md", "readme.md", "Readme.md", "README.markdown", ".github/README.md", "README")
_EXAMPLE_FOLDERS = ("example", "demos", "demo", "samples", "sandboxes")
_TITLE_END = re.compile(r" (?:docs|documentation|manual|guide)$| [-–—|] .*$|: .*$", re.IGNORECASE)  # noqa: RUF001 dashes
_SPLASH = re.compile(r"^(?:template:\s*splash|layout:\s*['\"]?home['\"]?)\s*$", re.MULTILINE)
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
    pages = list(_first_pages(files, docs))
    package = find_package(files, repository, readme.commands)
    default_page = pages[0][0] if pages else docs.pages.first([])
    tagline, description = _sentences(project, readme, package, [facts for _, facts in pages])
    found_code = next((facts.sample for facts in (readme, *(facts for _, facts in pages)) if facts.sample), None)
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
        _start(pages, (tagline, description), repository),
    )


def _readme(files: ProjectFiles) -> str:
    content = next(filter(None, map(files.content, _READMES)), b"")
    for encoding in ("utf-8-sig", "utf-16"):
        try:
            return content.decode(encoding).replace("\r\n", "\n")
        except UnicodeDecodeError:
            continue
    return content.decode("latin-1")


def _first_pages(files: ProjectFiles, docs: LibraryImport) -> Iterator[tuple[str, MarkdownFacts]]:
    """The pages that readers see first, each with its path: the index unless it is a cover, then those of the menu."""
    paths = dict.fromkeys([docs.pages.first([page for page, _ in docs.facts.menu_entries()]), *_menu(docs)])
    cover: list[tuple[str, MarkdownFacts]] = []
    for path in islice(paths, MOST_PAGES_READ):
        text = _page_text(files, docs.pages, path)
        if text is None:
            continue
        page = path, read_markdown(_without_components(text))
        if _SPLASH.search(text[:4_000]):
            cover.append(page)
        else:
            yield page
    yield from cover


def _menu(docs: LibraryImport) -> Iterator[str]:
    yield from (page for page, _ in docs.facts.menu_entries())
    for section in docs.pages.folder_sections():
        yield from (path_of_target(link.to) for link in section.children)


def _page_text(files: ProjectFiles, pages: DocsPages, path: str) -> str | None:
    found = pages.layout.page_file(f"{pages.layout.root}/{path}")
    return files.text(pages.layout.pages[found]) if found else None


_MODULE_LINE = re.compile(r"^(?:import|export)\s[^\n]*$", re.MULTILINE)


def _without_components(text: str) -> str:
    """The text without modules of MDX, which are no prose. Tags of components are HTML to a parser of Markdown."""
    return _MODULE_LINE.sub("", text)


def _sentences(
    project: ProjectImport, readme: MarkdownFacts, package: PackageFacts | None, pages: Sequence[MarkdownFacts]
) -> tuple[str, str]:
    """One sentence for cards, and some for the landing page that do not repeat it."""
    about = [package.description if package else "", plain_line(project.site.description), readme.description]
    prose = [*readme.paragraphs[:1], *(page.paragraphs[0] for page in pages[:2] if page.paragraphs)]
    likely = [*about, *prose]
    tagline = next(filter(None, (_one_sentence(text) for text in likely)), "")
    for text in (*prose, *about):
        others = [one for one in sentences(text) if letters_of(one) != letters_of(tagline)]
        description = shortened(" ".join(others), LONGEST_DESCRIPTION)
        if description and letters_of(description) not in letters_of(tagline):
            return tagline, description
    return tagline, ""


def _one_sentence(text: str) -> str:
    first = next(iter(sentences(text)), "")
    first = first.removesuffix(".") if first.count(".") == 1 else first
    return first if len(first) <= LONGEST_TAGLINE and len(first.split()) > 1 else ""


def _name(
    repository: str, project: ProjectImport, readme: MarkdownFacts, package: PackageFacts | None, *, is_titled: bool
) -> str:
    """The name of the repository as its own texts spell it, else the title of the docs."""
    own = letters_of(repository)
    title = _TITLE_END.sub("", plain_line(project.site.name))
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
    is_plain = letters_of(heading) in ("", letters_of(repository)) or _GENERIC_HEADING.fullmatch(heading.lower())
    return "" if is_plain or len(heading.split()) < 2 or len(heading) > 60 else heading  # noqa: PLR2004 a heading


def _examples(files: ProjectFiles) -> str:
    """The pattern of examples outside of `examples/`; those are found by the site itself."""
    for folder in _EXAMPLE_FOLDERS:
        inner = [name for name in files.names(folder) if name.endswith("/")]
        if any(not MANIFESTS.isdisjoint(files.names(f"{folder}/{name}")) for name in inner[:200]):
            return f"{folder}/{{name}}"
    return ""


def _start(pages: Iterable[tuple[str, MarkdownFacts]], shown: Sequence[str], repository: str) -> StartPage | None:
    """The first page with a title and a text of its own, which the landing page does not show yet."""
    known = " ".join(map(letters_of, shown))
    for path, facts in pages:
        text = shortened(facts.description or next(iter(facts.paragraphs), ""), LONGEST_START)
        is_new = text and letters_of(text) not in known
        if is_new and facts.title and letters_of(facts.title) != letters_of(repository):
            return StartPage(path, facts.title, text)
    return None
