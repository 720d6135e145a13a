"""Files of deploy/ that pages of docs/ show: a code block whose title is the path of a file has its text.

python -m tests.suite.shown_files [--check]     # writes the files into the pages
"""

from __future__ import annotations

import re
import sys

from tests.suite.measurements import ROOT, pages

BLOCK = re.compile(r'^(?P<fence>`{3,}\w* title="(?P<path>deploy/[\w./-]+)")\n.*?^```$', re.MULTILINE | re.DOTALL)


def with_files(page: str) -> str:
    """The page with the current text of the files. Raises FileNotFoundError for a title that names none."""
    return BLOCK.sub(lambda found: f"{found['fence']}\n{(ROOT / found['path']).read_text('utf-8')}```", page)


def main() -> int:
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = with_files(before)
        if before != after and "--check" in sys.argv[1:]:
            print(f"{page.relative_to(ROOT)} does not show the files of deploy/: run `make generate`")
            return 1
        if before != after:
            page.write_text(after, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
