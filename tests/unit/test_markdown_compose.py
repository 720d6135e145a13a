"""Pages that show another page's text: `ref`, `replace`, sections; and markers leave every page."""

from __future__ import annotations

import tracemalloc

import pytest
from tests.growth import LINEAR, growth

from kinfolk.budget import OverBudget
from kinfolk.errors import NotFound
from kinfolk.markdown.compose import Composed, compose
from kinfolk.markdown.replace import affordable, replace_all


def composed(page: str, **files: str) -> Composed:
    """The page composed in a repository of these files: `a` is `docs/a.md`."""

    def read(path: str) -> str:
        name = path.removeprefix("docs/").removesuffix(".md")
        if name not in files:
            raise NotFound(path)
        return files[name]

    return compose(page, read)


TARGET = """---
title: React Queries
---

Use React.

[//]: # 'Example'

```tsx
useQuery()
```

[//]: # 'Example'
[//]: # 'Note'

A note.

[//]: # 'Note'

The end.
"""


def test_a_page_of_its_own_keeps_its_text() -> None:
    page = composed("---\ntitle: Alone\n---\nBody\n")
    assert (page.text, page.front.title, page.ref_path, page.first_line) == ("Body\n", "Alone", None, 4)


def test_a_page_with_a_ref_shows_the_text_of_its_target() -> None:
    page = composed("---\nref: docs/target.md\nreplace: { React: Vue }\n---\nignored\n", target=TARGET)
    assert "Use Vue." in page.text
    assert "ignored" not in page.text
    assert page.ref_path == "docs/target.md"


def test_the_title_is_the_targets_after_replacing_unless_the_page_has_one() -> None:
    refer = "ref: docs/target.md\nreplace: { React: Vue }"
    assert composed(f"---\n{refer}\n---\n", target=TARGET).front.title == "Vue Queries"
    assert composed(f"---\ntitle: Mine\n{refer}\n---\n", target=TARGET).front.title == "Mine"


def test_a_section_of_the_page_replaces_the_targets_of_the_same_name() -> None:
    own = "[//]: # 'Example'\n\n```vue\ninject()\n```\n\n[//]: # 'Example'\n[//]: # 'Unknown'\nx\n[//]: # 'Unknown'\n"
    page = composed(f"---\nref: docs/target.md\n---\n{own}", target=TARGET)
    assert "inject()" in page.text
    assert "useQuery()" not in page.text
    assert "A note." in page.text


def test_an_empty_section_deletes_the_targets() -> None:
    page = composed("---\nref: docs/target.md\n---\n[//]: # 'Note'\n[//]: # 'Note'\n", target=TARGET)
    assert "A note." not in page.text
    assert "The end." in page.text


def test_of_two_sections_of_one_name_the_last_wins() -> None:
    mark = "[//]: # 'Note'\n"
    page = composed(f"---\nref: docs/target.md\n---\n{mark}one\n{mark}{mark}two\n{mark}", target=TARGET)
    assert "two" in page.text
    assert "one" not in page.text


def test_a_marker_without_its_twin_is_no_section() -> None:
    page = composed(
        "---\nref: docs/target.md\n---\n[//]: # 'Example'\nlost\n[//]: # 'Note'\nkept\n[//]: # 'Note'\n",
        target=TARGET,
    )
    assert "kept" in page.text
    assert "lost" not in page.text


def test_markers_leave_a_page_without_a_ref_too_and_keep_its_lines() -> None:
    page = composed("Text\n[//]: # 'A'\nmore\n  [//]: # 'A'\n")
    assert page.text == "Text\n\nmore\n  \n"


def test_a_ref_may_lead_over_one_more_page() -> None:
    middle = "---\nref: docs/target.md\nreplace: { React: Solid }\n---\n[//]: # 'Note'\nMiddle.\n[//]: # 'Note'\n"
    page = composed("---\nref: docs/middle.md\nreplace: { Solid: Vue }\n---\n", middle=middle, target=TARGET)
    assert "Use Vue." in page.text
    assert "Middle." in page.text
    assert page.ref_path == "docs/target.md"


def test_a_ref_that_leads_further_or_in_a_circle_is_not_found() -> None:
    with pytest.raises(NotFound, match="too far"):
        composed("---\nref: docs/a.md\n---\n", a="---\nref: docs/a.md\n---\n")


@pytest.mark.parametrize("ref", ["docs/nowhere.md", "../../etc/passwd", "docs/../../x.md"])
def test_a_target_that_does_not_exist_is_named(ref: str) -> None:
    with pytest.raises(NotFound, match=ref.replace(".", r"\.")):
        composed(f"---\nref: {ref}\n---\n", target=TARGET)


def test_line_ends_and_a_byte_order_mark_are_evened_out() -> None:
    assert composed("\ufeff---\r\ntitle: A\r\n---\r\nB\r\n").text == "B\n"


def test_a_page_beyond_all_reason_is_refused() -> None:
    with pytest.raises(OverBudget) as failed:
        composed("x" * 2_000_000)
    assert (failed.value.kind, failed.value.limit) == ("markdown", "size")


def test_a_block_that_makes_its_target_too_long_is_refused() -> None:
    own = f"---\nref: docs/target.md\n---\n[//]: # 'A'\n{'x' * 500_000}\n[//]: # 'A'\n"
    with pytest.raises(OverBudget):
        composed(own, target="[//]: # 'A'\n[//]: # 'A'\n" * 1_000)


def test_many_blocks_cost_no_more_than_their_length() -> None:
    def work(size: int) -> None:
        composed("---\nref: docs/target.md\n---\n[//]: # 'A'[//]: # 'A'", target="[//]: # 'A'[//]: # 'A'" * size)

    assert growth(work, 2_500) < LINEAR


@pytest.mark.parametrize("value", ["$'", "$`", "$&", "$1"])
def test_a_replacement_that_multiplies_the_text_is_left_out_before_it_is_made(value: str) -> None:
    text = "x" * 500_000
    tracemalloc.start()
    assert replace_all(text, [("(x+)", value * 30_000)]) == text
    assert tracemalloc.get_traced_memory()[1] < 20 * len(text)
    tracemalloc.stop()


# replace


@pytest.mark.parametrize(
    ("text", "key", "value", "result"),
    [
        (
            "viteReact() x viteReact()",
            "viteReact()",
            "viteSolid({ ssr: true })",
            "viteSolid({ ssr: true }) x viteSolid({ ssr: true })",
        ),
        (
            "useQuery({ queryKey: 1 })",
            "useQuery[(][{] queryKey",
            "inject(() => ({ queryKey",
            "inject(() => ({ queryKey: 1 })",
        ),
        ("a1 b22", r"\d+", "n", "an bn"),
        ("a.b axb", "a.b", "Z", "Z axb"),
        ("axb", "a.b", "Z", "Z"),
        ("x", "missing", "Z", "x"),
        ("use React", "React", "$& and $$", "use React and $"),
        ("say hi now", "hi", "[$`|$']", "say [say | now] now"),
        ("ab", "a", "$1", "$1b"),
        ("key: 5", r"(\w+): (\d)", "$2=$1$3", "5=key$3"),
        ("ab", "(", "Z", "ab"),
        ("ab", "^ab$", "Z", "Z"),
        ("a\nb", "^b", "Z", "a\nb"),
        ("x[y", "[[]y", "Z", "xZ"),
    ],
)
def test_a_replacement_reads_like_javascript_and_literally_first(text: str, key: str, value: str, result: str) -> None:
    assert replace_all(text, [(key, value)]) == result


def test_each_replacement_works_on_the_result_of_the_one_before() -> None:
    assert replace_all("a", [("a", "b"), ("b", "c")]) == "c"


@pytest.mark.parametrize(
    "key", ["(a+)+$", r"(a|b)*c", r"(a)\1", "(?=a)b", "(?<n>a)", "a**", "[z-a]", "a{99999}", r"\p{L}", "[]"]
)
def test_a_pattern_outside_the_plain_part_of_the_language_is_ignored(key: str) -> None:
    assert affordable(key, "aaab") is None


@pytest.mark.parametrize("key", ["a*a*a*a*b", ".*.*.*.*;", r"\s*\w*\s*\w*\s*!", "a{1,900}a{1,900}b", "[^b]*[^b]*b"])
def test_a_pattern_that_would_take_forever_is_ignored(key: str) -> None:
    text = "a" * 200_000
    assert replace_all(text, [(key, "x")] * 50) == text


def test_replacements_cannot_blow_a_text_up() -> None:
    doubling = [("a", "aa")] * 60
    assert len(replace_all("a" * 100, doubling)) <= 1_000_000
    assert len(replace_all("ab" * 5_000, [("b", "$`$'")])) <= 1_000_000
