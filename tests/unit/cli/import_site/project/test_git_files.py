"""Files of a project that are read from its repository."""

from __future__ import annotations

from pathlib import Path

from tests.unit.cli.import_site.imported_project import write_project
from tests.unit.cli.new.facts.memory_tree import project

from kinfolk.cli.import_site.project.git_facts import GitFacts
from kinfolk.cli.import_site.project.project_files import LARGEST_FILE, ProjectFiles

FILES = {"README.md": "a", "docs/a.md": "b", "docs/guide/b.md": "c", ".github/x.yml": "d", "docs/conf.py": "e"}


def test_files_are_those_of_a_folder(tmp_path: Path) -> None:
    own, folder = project(dict(FILES)), ProjectFiles(write_project(tmp_path, FILES))
    for path in ("", "docs", "docs/guide", "docs/nothing", "README.md", "../x"):
        assert own.names(path) == folder.names(path), path
    for path in ("", "docs", "/docs/a.md", "docs/../README.md", "./README.md", "../README.md", "docs/x"):
        assert (own.is_file(path), own.text(path)) == (folder.is_file(path), folder.text(path)), path
    assert own.is_folder("docs/guide")
    assert not own.is_folder("docs/a.md")
    assert sorted(own.files_below("docs")) == sorted(folder.files_below("docs"))
    assert list(own.find_all(("conf.py",))) == list(folder.find_all(("conf.py",))) == ["docs/conf.py"]


def test_repository_is_known_without_a_folder() -> None:
    files = project({}, "acme/big-gears")
    assert (files.name, files.git) == ("big-gears", GitFacts("acme/big-gears", "main"))


def test_large_files_and_other_encodings_are_not_read() -> None:
    files = project({"a": b"x" * (LARGEST_FILE + 1), "b": b"\xff", "c": b"\xef\xbb\xbfa\r\nb"})
    assert (files.text("a"), files.text("b"), files.text("c")) == (None, None, "a\nb")
