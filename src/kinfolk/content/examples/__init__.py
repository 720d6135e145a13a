"""Examples of libraries: their files, the one that opens first, how each is shown, and all of them as a zip."""

from kinfolk.content.examples.example import Example
from kinfolk.content.examples.example_list import LibraryExamples, find_example, list_examples
from kinfolk.content.examples.file_view import FileView, numbered_lines, view_file

__all__ = ["Example", "FileView", "LibraryExamples", "find_example", "list_examples", "numbered_lines", "view_file"]
