"""A difference whose parts take too long together is plain text."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from kinfolk.content.changes.difference_html import plain_difference, render_difference
from kinfolk.content.changes.page_difference import page_difference
from kinfolk.content.changes.part_rendering import direct_rendering
from kinfolk.content.docs.pages.difference_rendering import limited_rendering
from kinfolk.content.markdown.links.link_resolver import UnchangedLinks
from kinfolk.content.markdown.source.compose import compose


def test_difference_that_takes_too_long_is_plain_text() -> None:
    seconds: Iterator[int] = count(step=4)
    changes = [("\n\nsame words\n\n".join(f"{word} words of {at}" for at in range(4))) for word in ("Old", "New")]
    difference = page_difference(*(compose(text, str) for text in changes))
    links = UnchangedLinks()

    def rendered(clock: Iterator[int]) -> object:
        render_part = limited_rendering(direct_rendering(), lambda: float(next(clock)))
        return render_difference(difference, render_part=render_part, old_links=links, new_links=links)

    assert rendered(count(step=0)) != plain_difference(difference)
    assert rendered(seconds) == plain_difference(difference)
