"""Examples of libraries: their files, the one that opens first, how each is shown, and all of them as a zip."""

from kinfolk.examples.example import Example
from kinfolk.examples.file import Source, markup, source_of
from kinfolk.examples.listing import Listing, example_at, listing

__all__ = ["Example", "Listing", "Source", "example_at", "listing", "markup", "source_of"]
