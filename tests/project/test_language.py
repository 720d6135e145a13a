"""The code keeps to one vocabulary and to one shape. The words are in tests/suite/vocabulary.py.

The same by hand, from the root of the project:

    rg -n --type py '^\\s*class (\\w+)' src -or '$1' --no-filename | sort | uniq -d     class names that occur twice
    rg -iwn 'somebody|nobody|anybody|everybody|whoever' -g '!content' -g '!*.lock'       actors without a name
    rg -n '\\b(Shelf|Volume|Editions|Recent|Question|Reach|Worth)\\b' src frontend/src   names of the vocabulary
    fd -e py . src -x wc -l | sort -n | tail                                             the longest files
"""

from __future__ import annotations

import ast
import gc
import io
import json
import os
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from tests.sites.sample_site import SITE
from tests.suite.vocabulary import ACTORS, COMPONENTS, MODULES, NAMES, WORDS

from kinfolk.config.settings import ROOT

SOURCE, TESTS, FRONTEND = ROOT / "src", ROOT / "tests", ROOT / "frontend" / "src"
NODE = Path(sys.executable).with_name("node")
GENERATED = {"api/generated.ts", "routeTree.gen.ts"}
VOCABULARY_FILES = {TESTS / "vocabulary.py", TESTS / "test_language.py"}

MOST_LINES = 500
MOST_FUNCTION_LINES = 25
FUNCTION_PERCENTILE = 0.9
BLOCK_LINES = 6
MOST_ACTORS = 9

EXPLAINED_REPEATS: dict[frozenset[str], str] = {
    frozenset(
        {"frontend/src/components/blog/PostArticle.css", "frontend/src/components/blog/PostList.css"}
    ): "headings of two components, which differ below them",
    frozenset(
        {"frontend/src/components/docs/DocsSidebar.css", "frontend/src/components/shell/SiteMenu.css"}
    ): "two menus, in stylesheets of different pages",
    frozenset(
        {"frontend/src/components/home/HomePartners.tsx", "frontend/src/components/landing/Landing.tsx"}
    ): "two lists of partners with other content",
    frozenset(
        {"src/kinfolk/cli/import_site/docusaurus_project.py", "src/kinfolk/cli/import_site/mkdocs_project.py"}
    ): "the names that both import",
    frozenset(
        {
            "src/kinfolk/cli/import_site/docusaurus_project.py",
            "src/kinfolk/cli/import_site/mkdocs_project.py",
            "src/kinfolk/cli/import_site/vitepress_project.py",
        }
    ): "the names that all three import",
    frozenset(
        {
            "src/kinfolk/content/markdown/literals/javascript_config.py",
            "src/kinfolk/content/markdown/literals/yaml_config.py",
        }
    ): "the names that both import",
    frozenset(
        {
            "src/kinfolk/web/endpoints/machine_readable/crawler_files.py",
            "src/kinfolk/web/endpoints/machine_readable/docs_markdown.py",
        }
    ): "two constructors",
    frozenset(
        {
            "src/kinfolk/content/markdown/dialects/readers/mdc/mdc_containers.py",
            "src/kinfolk/content/markdown/dialects/readers/mdx_statements.py",
        }
    ): "a loop over lines and fences that takes several lines at once",
    frozenset({"src/kinfolk/web/background/refresher.py"}): "two services that stop in the same way",
}
"""Files that repeat lines of each other or of their own, with the reason."""

IDENTIFIER_FIELDS = frozenset(("id", "attr", "arg", "name", "asname"))

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_TOML_COMMENT = re.compile(r"^\s*#.*", re.MULTILINE)
_CSS_CLASS = re.compile(r"\.([a-zA-Z][\w-]*)")
_ACTOR = re.compile(rf"\b(?:{'|'.join(ACTORS)})(?:_|\b|'s)", re.IGNORECASE)


@dataclass(frozen=True)
class TypeScriptFile:
    identifiers: list[str]
    comments: list[str]
    imports: list[str]


@cache
def typescript() -> dict[str, TypeScriptFile]:
    """The parsed files of the frontend, by their path below frontend/src, without generated ones."""
    printed = subprocess.run([NODE, ROOT / "frontend/identifiers.ts"], check=True, capture_output=True, text=True)
    files: dict[str, dict[str, list[str]]] = json.loads(printed.stdout)
    return {name: TypeScriptFile(**file) for name, file in files.items() if name not in GENERATED}


@cache
def python(root: Path) -> dict[Path, ast.Module]:
    # Garbage collection takes longer than the parser: it traverses the trees, which are kept, again and again.
    gc.disable()
    try:
        return {
            file: ast.parse(file.read_text()) for file in sorted(root.rglob("*.py")) if file not in VOCABULARY_FILES
        }
    finally:
        gc.freeze()
        gc.enable()


def python_identifiers(tree: ast.Module) -> set[str]:
    """The names of all nodes. `ast.walk` would take twice as long."""
    found, nodes = set(), [tree.__dict__]
    for fields in nodes:
        for field, value in fields.items():
            if isinstance(value, list):
                nodes += [item.__dict__ for item in value if isinstance(item, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value.__dict__)
            elif isinstance(value, str) and field in IDENTIFIER_FIELDS:
                found.add(value)
    return {part for name in found for part in name.split(".")}


@cache
def identifiers() -> dict[str, set[str]]:
    """The identifiers of each file: Python with tests, TypeScript, classes of CSS."""
    found: dict[str, set[str]] = {}
    for root in (SOURCE, TESTS):
        found |= {str(file.relative_to(ROOT)): python_identifiers(tree) for file, tree in python(root).items()}
    found |= {f"frontend/src/{name}": set(file.identifiers) for name, file in typescript().items()}
    for sheet in FRONTEND.rglob("*.css"):
        found[str(sheet.relative_to(ROOT))] = set(_CSS_CLASS.findall(_CSS_COMMENT.sub("", sheet.read_text())))
    return found


def words(identifier: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(identifier)}


@cache
def uses(*, whole: bool) -> dict[str, list[str]]:
    """Where each identifier is used, or each word within identifiers."""
    found = defaultdict(list)
    for file, names in identifiers().items():
        for name in sorted(names):
            for part in {name} if whole else words(name):
                found[part].append(f"{file}: {name}")
    return found


def duplicates(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Of pairs of a name and a place, the names that stand in several places."""
    places = defaultdict(list)
    for name, place in named:
        places[name].append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_class_names_are_unique() -> None:
    assert not duplicates(
        (node.name, f"{file.relative_to(SOURCE)}:{node.lineno}")
        for file, tree in python(SOURCE).items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )


def test_component_names_are_unique() -> None:
    # A constant such as `lazy(() => import(...))` refers to a component of another file.
    defined = re.compile(r"^(?:export )?(?:function ([A-Z][a-z]\w*)|const ([A-Z][a-z]\w*) = (?:memo|\())", re.MULTILINE)
    assert not duplicates(
        (name, str(file.relative_to(FRONTEND)))
        for file in sorted((FRONTEND / "components").rglob("*.tsx"))
        for name in map("".join, defined.findall(file.read_text()))
    )


def test_module_names_are_unique() -> None:
    modules = [file for file in SOURCE.rglob("*.py") if not file.stem.startswith("__")]
    found = duplicates((file.stem, str(file.relative_to(SOURCE))) for file in sorted(modules))
    assert found == {}


@pytest.mark.parametrize("word", WORDS)
def test_identifiers_contain_no_word_of_the_former_vocabulary(word: str) -> None:
    assert uses(whole=False).get(word, []) == [], f"the standard term is: {WORDS[word]}"


@pytest.mark.parametrize("name", list(NAMES))
def test_no_identifier_is_a_name_of_the_former_vocabulary(name: str) -> None:
    assert uses(whole=True).get(name, []) == [], f"the standard term is: {NAMES[name]}"


@pytest.mark.parametrize("name", list(COMPONENTS))
def test_no_component_has_a_name_of_the_former_vocabulary(name: str) -> None:
    found = [use for use in uses(whole=True).get(name, []) if use.startswith("frontend/")]
    assert found == [], f"the standard term is: {COMPONENTS[name]}"


def test_modules_have_standard_names() -> None:
    assert {file.stem for file in SOURCE.rglob("*.py")} & MODULES.keys() == set()
    files = [*SOURCE.rglob("*.py"), *FRONTEND.rglob("*.ts"), *FRONTEND.rglob("*.tsx")]
    assert [str(file.relative_to(ROOT)) for file in files if words(file.stem) & WORDS.keys()] == []


def comments_and_docstrings(file: Path, tree: ast.Module) -> Iterator[str]:
    tokens = tokenize.generate_tokens(io.StringIO(file.read_text()).readline)
    yield from (token.string for token in tokens if token.type == tokenize.COMMENT)
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name.replace("_", " ")


def prose() -> Iterator[tuple[str, str]]:
    """All that engineers read: documents, comments, docstrings, names of tests. Not the words of the site."""
    for folder in (ROOT, ROOT / "docs", ROOT / "decisions"):
        yield from ((str(file.relative_to(ROOT)), file.read_text()) for file in sorted(folder.glob("*.md")))
    for root in (SOURCE, TESTS):
        for file, tree in python(root).items():
            if any(actor in file.read_text().lower() for actor in ACTORS):  # tokenizing takes milliseconds
                yield from ((str(file.relative_to(ROOT)), text) for text in comments_and_docstrings(file, tree))
    for name, source in typescript().items():
        yield from ((f"frontend/src/{name}", text) for text in source.comments)
    for sheet in FRONTEND.rglob("*.css"):
        yield from ((str(sheet.relative_to(ROOT)), text) for text in _CSS_COMMENT.findall(sheet.read_text()))
    for facts in (SITE).rglob("*.toml"):
        yield from (
            (str(facts.relative_to(ROOT)), text) for text in re.findall(r"^\s*#.*", facts.read_text(), re.MULTILINE)
        )


def test_prose_names_its_actors() -> None:
    found = [
        f"{file}: {sentence[:80]}"
        for file, text in prose()
        for sentence in text.splitlines()
        if _ACTOR.search(sentence)
    ]
    assert len(found) <= MOST_ACTORS, found


def test_no_file_is_longer_than_500_lines() -> None:
    files = [*SOURCE.rglob("*.py"), *(file for end in ("ts", "tsx", "css") for file in FRONTEND.rglob(f"*.{end}"))]
    lengths = {str(file): len(file.read_text().splitlines()) for file in files}
    generated = {str(FRONTEND / name) for name in GENERATED}
    assert {file: lines for file, lines in lengths.items() if lines > MOST_LINES and file not in generated} == {}


def test_nine_of_ten_functions_have_at_most_25_lines() -> None:
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in python(SOURCE).values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    assert lengths[int(len(lengths) * FUNCTION_PERCENTILE)] <= MOST_FUNCTION_LINES


def cycle(imports: dict[str, set[str]]) -> list[str]:
    """One cycle of imports, or nothing."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_python_modules_have_no_import_cycle() -> None:
    graph = grimp.build_graph("kinfolk", cache_dir=None)
    assert cycle({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}) == []


def test_typescript_modules_have_no_import_cycle() -> None:
    imports = {}
    for name, file in typescript().items():
        folder = Path(name).parent
        targets = {os.path.normpath(folder / path) for path in file.imports if path.startswith(".")}
        endings = "", ".ts", ".tsx"
        imports[name] = {target + end for target in targets for end in endings if target + end in typescript()}
    assert any(imports.values())
    assert cycle(imports) == []


def blocks(file: Path) -> Iterator[tuple[tuple[str, ...], int]]:
    """Every run of six lines of code, with the number of its first line."""
    lines = [(number, line.strip()) for number, line in enumerate(file.read_text().splitlines(), 1)]
    code = [(number, line) for number, line in lines if re.search(r"\w", line) and not _is_import(line)]
    for at in range(len(code) - BLOCK_LINES + 1):
        run = code[at : at + BLOCK_LINES]
        yield tuple(line for _, line in run), run[0][0]


def _is_import(line: str) -> bool:
    return line.startswith(("import ", "from ", "export {", "} from", "#", "//", "*"))


def test_no_block_of_six_lines_is_repeated() -> None:
    files = [*SOURCE.rglob("*.py"), *(file for end in ("ts", "tsx", "css") for file in FRONTEND.rglob(f"*.{end}"))]
    generated = {FRONTEND / name for name in GENERATED}
    places = defaultdict(list)
    for file in sorted(set(files) - generated):
        for run, number in blocks(file):
            places[run].append(f"{file.relative_to(ROOT)}:{number}")
    repeated = [found for found in places.values() if len(found) > 1]
    assert [
        each for each in repeated if frozenset(place.partition(":")[0] for place in each) not in EXPLAINED_REPEATS
    ] == []
