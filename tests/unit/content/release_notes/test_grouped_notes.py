"""The notes of a release are sorted by what their text says."""

from __future__ import annotations

import pytest
from tests.inputs.script_vectors import SCRIPT_VECTORS
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.release_notes.changelog import MOST_NOTE_LINES
from kinfolk.content.release_notes.grouped_notes import GroupedNotes, group_notes
from kinfolk.content.release_notes.note_words import NotesKind, heading_kind, note_words

GENERATED = """<!-- Release notes generated using configuration in .github/release.yml at main -->

## What's Changed
### Exciting things
* feat: add a thing by @octo in https://github.com/acme/query/pull/12
* Stop the leak by @octo in https://github.com/acme/query/pull/13

* fix(core): handle null by @octo in https://github.com/acme/query/pull/14

## New Contributors
* @octo made their first contribution in https://github.com/acme/query/pull/12

**Full Changelog**: https://github.com/acme/query/compare/v1.0.0...v1.1.0
"""

TANSTACK = """Version 5.66.7 - 2/20/2025, 11:45 AM

## Changes

### Fix

- query-core: keep the promise (#8670) (3b0f0d6) by @TkDodo

### Chore

- update pnpm (#8671) (abc1234) by Dominik

## Packages

- @tanstack/query-core@5.66.7
- @tanstack/react-query@5.66.7
"""

CHANGELOGITHUB = """### &nbsp;&nbsp;&nbsp;🚨 Breaking Changes

- Drop Node 18 &nbsp;-&nbsp; by **Anthony Fu** [<samp>(abc12)</samp>](https://x.test/abc12)

### &nbsp;&nbsp;&nbsp;🐞 Bug Fixes

- **vite**: Broken HMR

##### &nbsp;&nbsp;&nbsp;&nbsp;[View changes on GitHub](https://x.test/compare)
"""

CHANGESETS = """### Major Changes

- [#1](https://x.test/1) [`abcdef1`](https://x.test/c) Thanks [@a](https://x.test/a)! - Removes the option

### Minor Changes

- [#2](https://x.test/2) Thanks [@a](https://x.test/a), [@b](https://x.test/b)! - A new hook

  #### How to use it

  ```md
  ### Fixes
  - not an item
  ```

- [#3](https://x.test/3) - fix: a leak

### Patch Changes

- [#4](https://x.test/4) - Fixes a crash
- abcdef1: Adds an icon
- [#5](https://x.test/5) - Default to `never`

  ⚠️ **BREAKING CHANGE:** the default was `always`.

- Updated dependencies [[`1f631b3`](https://x.test/c)]:
  - @acme/core@1.0.0
"""


def text_of(notes: GroupedNotes, kind: NotesKind) -> str:
    return next((group.text for group in notes.groups if group.kind == kind), "")


def test_list_that_github_generates() -> None:
    notes = group_notes(GENERATED)
    assert notes.intro == ""
    assert notes.counts == {"added": 1, "fixed": 1, "other": 2}
    assert text_of(notes, "added") == "* feat: add a thing by @octo in https://github.com/acme/query/pull/12"
    assert text_of(notes, "other") == (
        "### Exciting things\n\n* Stop the leak by @octo in https://github.com/acme/query/pull/13\n\n"
        "### New Contributors\n\n* @octo made their first contribution in https://github.com/acme/query/pull/12"
    )
    assert notes.outro.endswith("compare/v1.0.0...v1.1.0")


def test_release_of_tanstack() -> None:
    notes = group_notes(TANSTACK)
    assert notes.intro == "Version 5.66.7 - 2/20/2025, 11:45 AM"
    assert notes.counts == {"fixed": 1, "other": 3}
    assert text_of(notes, "fixed").startswith("- query-core: keep")
    assert [line for line in text_of(notes, "other").split("\n") if line.startswith("#")] == [
        "### Chore",
        "### Packages",
    ]


def test_release_of_changelogithub() -> None:
    notes = group_notes(CHANGELOGITHUB)
    assert notes.counts == {"breaking": 1, "fixed": 1}
    assert "View changes" in notes.outro


def test_section_of_changesets() -> None:
    notes = group_notes(CHANGESETS)
    assert notes.counts == {"breaking": 2, "added": 2, "fixed": 2}
    assert "  ### Fixes\n  - not an item\n  ```" in text_of(notes, "added")


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ("feat: a", "added"),
        ("feat(core): a", "added"),
        ("feat!: a", "breaking"),
        ("fix(core)!: a", "breaking"),
        ("chore!: a", "breaking"),
        ("fix: a", "fixed"),
        ("**fix(core):** a", "fixed"),
        ("perf: a", "other"),
        ("docs: add a page", "other"),
        ("**core:** fix a leak", "fixed"),
        ("`core`: Add a hook", "added"),
        ("**BREAKING:** a", "breaking"),
        ("**Breaking Change:** a", "breaking"),
        ("`[*]` [**BREAKING**] a", "breaking"),
        ("✨ A hook", "added"),
        ("🐛 Handle null", "fixed"),
        ("Bump a from 1 to 2", "other"),
        ("Updated dependencies", "other"),
        ("Additional words", "other"),
        ("prefix: fix", "other"),
        ("", "other"),
    ],
)
def test_item_without_a_heading(item: str, kind: NotesKind) -> None:
    assert group_notes(f"- {item}").counts == {kind: 1}


@pytest.mark.parametrize(
    ("heading", "item", "kind"),
    [
        ("### Bug Fixes", "add a guard", "fixed"),
        ("### Features", "fix: a", "added"),
        ("### Chore", "feat: a", "other"),
        ("### Minor Changes", "fix: a", "fixed"),
        ("### Minor Changes", "Fixes a", "added"),
        ("### Patch Changes", "Fixes a", "fixed"),
        ("### ⚠ BREAKING CHANGES", "fix: a", "breaking"),
        ("### Breaking Changes - Upgrade", "a", "breaking"),
        ("### Features", "a BREAKING CHANGE of b", "breaking"),
        ("**Bug fixes:**", "a", "fixed"),
        ("### Core", "feat: a", "added"),
        ("### Core", "Adds a", "other"),
        ("## Features\n### Core", "a", "added"),
        ("## Features\n### Documentation", "a", "other"),
    ],
)
def test_item_below_a_heading(heading: str, item: str, kind: NotesKind) -> None:
    assert group_notes(f"{heading}\n\n- {item}").counts == {kind: 1}


def test_headings_of_other_subjects_stay() -> None:
    notes = group_notes("## Features\n\n### Core\n\n- a\n\n### Router\n\n- b\n\n## Bug Fixes\n\n- c\n")
    assert text_of(notes, "added") == "### Core\n\n- a\n\n### Router\n\n- b"
    assert text_of(notes, "fixed") == "- c"


def test_item_that_moves_to_another_group_leaves_its_heading() -> None:
    notes = group_notes("### Core\n\n- a\n- feat!: b\n\n  with a paragraph\n- c\n")
    assert text_of(notes, "breaking") == "- feat!: b\n\n  with a paragraph"
    assert text_of(notes, "other") == "### Core\n\n- a\n- c"


def test_text_without_lists_is_the_introduction() -> None:
    notes = group_notes("We are happy.\n\n```sh\nnpm i\n```\n\nRead on.\n")
    assert notes == GroupedNotes("We are happy.\n\n```sh\nnpm i\n```\n\nRead on.", (), "")
    assert not notes.is_sorted


def test_links_above_the_first_heading_are_the_introduction() -> None:
    notes = group_notes("Hello\n\n- [Post](/a)\n- [Guide](/b)\n\n### Features\n\n- c\n")
    assert notes.intro == "Hello\n\n- [Post](/a)\n- [Guide](/b)"
    assert notes.counts == {"added": 1}


def test_plain_list_is_one_group() -> None:
    notes = group_notes("- one\n- two\n  continued\nlazily\n- three\n  - nested\n")
    assert notes.counts == {"other": 3}
    assert not notes.is_sorted
    assert text_of(notes, "other") == "- one\n- two\n  continued\nlazily\n- three\n  - nested"


def test_paragraphs_below_a_heading_stay_there() -> None:
    notes = group_notes("### Breaking changes\n\nThe option is gone.\n\n- a\n\nUse the other one.\n\n### Fixes\n- b\n")
    assert text_of(notes, "breaking") == "The option is gone.\n\n- a\n\nUse the other one."


def test_text_after_an_item_stays_there() -> None:
    text = "Hello.\n\n- a\n\n```js\nb\n```\n\nMore.\n\n- c"
    notes = group_notes(text)
    assert (notes.intro, text_of(notes, "other")) == ("Hello.", text.removeprefix("Hello.\n\n"))
    notes = group_notes("## What's Changed\n\n- feat: a\n\nIt is new.\n\n- fix: b\n\n## More\n\nText.\n")
    assert text_of(notes, "added") == "- feat: a\n\nIt is new."
    assert text_of(notes, "other") == "### More\n\nText."


def test_nothing_is_lost() -> None:
    words = [f"word{at}" for at in range(12)]
    text = (
        "{}\n\n- {}\n\n## Features\n\n{}\n\n- {}\n  - {}\n\n  {}\n\n## {}\n\n{}\n\n1. {}\n2. fix: {}\n\n```\n{}\n```\n"
        "\nFull Changelog: {}"
    ).format(*words)
    notes = group_notes(text)
    everything = " ".join([notes.intro, *(group.text for group in notes.groups), notes.outro])
    assert [word for word in words if everything.count(f"{word}") < 1] == []


def test_number_of_lines_is_limited() -> None:
    assert group_notes("- a\n" * (MOST_NOTE_LINES - 1) + "- b\n- c\n").counts == {"other": 2}


@pytest.mark.parametrize("text", ["", "\n", "# ", "## Features\n", "**", "-", "- \n-\n", "<!-- a -->", "```", "1."])
def test_text_without_notes(text: str) -> None:
    assert all(not group.text.strip("-`1. \n") for group in group_notes(text).groups)


@pytest.mark.parametrize("vector", SCRIPT_VECTORS)
def test_active_content_is_kept_as_text(vector: str) -> None:
    notes = group_notes(f"### Features\n\n{vector}\n\n- {vector}\n")
    assert vector.split("\n", maxsplit=1)[0] in "".join([notes.intro, *(group.text for group in notes.groups)])


def test_words_of_the_table_are_as_headings_are_compared() -> None:
    assert [word for word in note_words().headings if heading_kind(word) is None] == []
    assert heading_kind("x" * 500) is None


@pytest.mark.parametrize(
    "part",
    [
        "- a\n",
        "- [#1](a) ",
        "- [#1](a) b\n\n",
        "### Core\n- a\n",
        "# A\n## B\n### C\n- a\n",
        "**Fixes**\n",
        "**",
        "- **a",
        "- `[",
        "Thanks @a",
        "a\n\n",
        "1. ```\n",
        "\n",
        "  - a\n\n",
        "<!--",
        "&nbsp;",
        "- feat(",
    ],
)
def test_sorting_takes_linear_time(part: str) -> None:
    def group(size: int) -> object:
        return group_notes("## Features\n" + part * (size // len(part)))

    assert cpu_time_growth(group, 4_000) < MAX_LINEAR_GROWTH
