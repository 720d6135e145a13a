"""Tests of `ref`, `replace`, sections and section markers."""

from __future__ import annotations

import tracemalloc

import pytest
from tests.suite.time_complexity import MAX_LINEAR_GROWTH, cpu_time_growth

from kinfolk.content.markdown.source.compose import ComposedMarkdown, compose
from kinfolk.content.markdown.source.replace import apply_replacements, compile_affordable
from kinfolk.runtime.budget import OverBudget
from kinfolk.runtime.errors import NotFound


def composed(page: str, **files: str) -> ComposedMarkdown:
    """The composed page of a repository with these files: `a` is `docs/a.md`."""

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


def test_page_without_ref_keeps_its_text() -> None:
    page = composed("---\ntitle: Alone\n---\nBody\n")
    assert (page.text, page.front.title, page.ref_path, page.first_line) == ("Body\n", "Alone", None, 4)


def test_page_with_a_ref_has_the_text_of_its_target() -> None:
    page = composed("---\nref: docs/target.md\nreplace: { React: Vue }\n---\nignored\n", target=TARGET)
    assert "Use Vue." in page.text
    assert "ignored" not in page.text
    assert page.ref_path == "docs/target.md"


def test_title_is_the_replaced_title_of_the_target_unless_the_page_has_one() -> None:
    refer = "ref: docs/target.md\nreplace: { React: Vue }"
    assert composed(f"---\n{refer}\n---\n", target=TARGET).front.title == "Vue Queries"
    assert composed(f"---\ntitle: Mine\n{refer}\n---\n", target=TARGET).front.title == "Mine"


def test_section_replaces_the_section_of_the_same_name_in_the_target() -> None:
    own = "[//]: # 'Example'\n\n```vue\ninject()\n```\n\n[//]: # 'Example'\n[//]: # 'Unknown'\nx\n[//]: # 'Unknown'\n"
    page = composed(f"---\nref: docs/target.md\n---\n{own}", target=TARGET)
    assert "inject()" in page.text
    assert "useQuery()" not in page.text
    assert "A note." in page.text


def test_empty_section_deletes_the_section_in_the_target() -> None:
    page = composed("---\nref: docs/target.md\n---\n[//]: # 'Note'\n[//]: # 'Note'\n", target=TARGET)
    assert "A note." not in page.text
    assert "The end." in page.text


def test_last_of_two_sections_of_one_name_is_used() -> None:
    mark = "[//]: # 'Note'\n"
    page = composed(f"---\nref: docs/target.md\n---\n{mark}one\n{mark}{mark}two\n{mark}", target=TARGET)
    assert "two" in page.text
    assert "one" not in page.text


def test_unpaired_marker_is_ignored() -> None:
    page = composed(
        "---\nref: docs/target.md\n---\n[//]: # 'Example'\nlost\n[//]: # 'Note'\nkept\n[//]: # 'Note'\n",
        target=TARGET,
    )
    assert "kept" in page.text
    assert "lost" not in page.text


def test_markers_are_removed_without_ref_and_lines_are_kept() -> None:
    page = composed("Text\n[//]: # 'A'\nmore\n  [//]: # 'A'\n")
    assert page.text == "Text\n\nmore\n  \n"


def test_ref_to_a_page_with_a_ref_is_followed() -> None:
    middle = "---\nref: docs/target.md\nreplace: { React: Solid }\n---\n[//]: # 'Note'\nMiddle.\n[//]: # 'Note'\n"
    page = composed("---\nref: docs/middle.md\nreplace: { Solid: Vue }\n---\n", middle=middle, target=TARGET)
    assert "Use Vue." in page.text
    assert "Middle." in page.text
    assert page.ref_path == "docs/target.md"


def test_long_or_circular_chain_of_refs_is_not_found() -> None:
    with pytest.raises(NotFound, match="too far"):
        composed("---\nref: docs/a.md\n---\n", a="---\nref: docs/a.md\n---\n")


@pytest.mark.parametrize("ref", ["docs/nowhere.md", "../../etc/passwd", "docs/../../x.md"])
def test_missing_target_is_named_in_the_error(ref: str) -> None:
    with pytest.raises(NotFound, match=ref.replace(".", r"\.")):
        composed(f"---\nref: {ref}\n---\n", target=TARGET)


def test_line_ends_and_byte_order_mark_are_normalized() -> None:
    assert composed("\ufeff---\r\ntitle: A\r\n---\r\nB\r\n").text == "B\n"


def test_page_over_the_size_limit_is_refused() -> None:
    with pytest.raises(OverBudget) as failed:
        composed("x" * 2_000_000)
    assert (failed.value.kind, failed.value.limit) == ("markdown", "size")


def test_section_that_makes_the_target_too_long_is_refused() -> None:
    own = f"---\nref: docs/target.md\n---\n[//]: # 'A'\n{'x' * 500_000}\n[//]: # 'A'\n"
    with pytest.raises(OverBudget):
        composed(own, target="[//]: # 'A'\n[//]: # 'A'\n" * 1_000)


def test_many_sections_take_linear_time() -> None:
    def work(size: int) -> None:
        composed("---\nref: docs/target.md\n---\n[//]: # 'A'[//]: # 'A'", target="[//]: # 'A'[//]: # 'A'" * size)

    assert cpu_time_growth(work, 2_500) < MAX_LINEAR_GROWTH


@pytest.mark.parametrize("value", ["$'", "$`", "$&", "$1"])
def test_replacement_that_multiplies_the_text_is_ignored_before_it_is_built(value: str) -> None:
    text = "x" * 500_000
    tracemalloc.start()
    assert apply_replacements(text, [("(x+)", value * 30_000)]) == text
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
def test_replacements_follow_javascript_and_literals_take_precedence(
    text: str, key: str, value: str, result: str
) -> None:
    assert apply_replacements(text, [(key, value)]) == result


def test_replacements_apply_in_order() -> None:
    assert apply_replacements("a", [("a", "b"), ("b", "c")]) == "c"


@pytest.mark.parametrize(
    "key", ["(a+)+$", r"(a|b)*c", r"(a)\1", "(?=a)b", "(?<n>a)", "a**", "[z-a]", "a{99999}", r"\p{L}", "[]"]
)
def test_pattern_outside_the_supported_subset_is_ignored(key: str) -> None:
    assert compile_affordable(key, "aaab") is None


@pytest.mark.parametrize("key", ["a*a*a*a*b", ".*.*.*.*;", r"\s*\w*\s*\w*\s*!", "a{1,900}a{1,900}b", "[^b]*[^b]*b"])
def test_pattern_over_the_cost_limit_is_ignored(key: str) -> None:
    text = "a" * 200_000
    assert apply_replacements(text, [(key, "x")] * 50) == text


def test_replacements_cannot_exceed_the_size_limit() -> None:
    doubling = [("a", "aa")] * 60
    assert len(apply_replacements("a" * 100, doubling)) <= 1_000_000
    assert len(apply_replacements("ab" * 5_000, [("b", "$`$'")])) <= 1_000_000
