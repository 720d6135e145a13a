"""Cache keys of addresses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinfolk.rendering import page_key
from kinfolk.runtime.errors import Invalid, NotFound, SiteError

EXAMPLE = "/query/latest/docs/framework/react/examples/simple"


@pytest.mark.parametrize(
    ("path", "query", "key", "url"),
    [
        ("/", "", "/", "/"),
        ("", "", "/", "/"),
        ("/query/latest", "utm_source=x&path=y", "/query/latest", "/query/latest"),
        (EXAMPLE, "panel=code&x=1&path=src%2Fa.tsx", f"{EXAMPLE}?panel=code&path=src%2Fa.tsx", None),
        (EXAMPLE, "path=a&panel=code", f"{EXAMPLE}?panel=code&path=a", f"{EXAMPLE}?path=a&panel=code"),
        (EXAMPLE, "path=a&path=b", f"{EXAMPLE}?path=a", None),
        (EXAMPLE, "path=a+b%20c", f"{EXAMPLE}?path=a+b%20c", None),
        (EXAMPLE, "path=%zz&panel=%ff", EXAMPLE, None),
        (EXAMPLE, "path=%02", EXAMPLE, None),
        (EXAMPLE, f"path={'x' * 600}", EXAMPLE, None),
        (EXAMPLE, "&".join(f"a{n}=1" for n in range(50)) + "&path=x", EXAMPLE, None),
        (EXAMPLE, 'path="<>\\', f"{EXAMPLE}?path=%22%3C%3E%5C", None),
        ("//evil.example/", "", "/evil.example/", "/evil.example/"),
        ("/\\evil.example", "", "/evil.example", "/evil.example"),
        ("/na%C3%AFve%2Fx", "", "/na%C3%AFve%2Fx", None),
        ("/naïve path", "", "/na%C3%AFve%20path", None),
    ],
)
def test_key_contains_path_and_relevant_parameters(path: str, query: str, key: str, url: str | None) -> None:
    assert page_key(path, query) == (key, url if url is not None else key)


@pytest.mark.parametrize("path", ["/%ff", "/%", "/%4", "/%zz", "/a%00b", "/a%0d%0ab", "/a%7f", "/\x02", "/%ED%A0%80"])
def test_invalid_percent_encoding_is_rejected(path: str) -> None:
    with pytest.raises(Invalid):
        page_key(path, "")


def test_too_long_address_is_not_found() -> None:
    with pytest.raises(NotFound):
        page_key("/" + "x" * 2000, "")


@given(st.text(max_size=60), st.text(max_size=60))
def test_key_is_a_path_and_its_own_key(path: str, query: str) -> None:
    try:
        key, url = page_key(f"{EXAMPLE}/{path}", query)
    except SiteError:
        return
    assert key.isascii()
    assert key.startswith("/query")
    assert page_key(*_split(url))[0] == key


def test_query_parameters_count_only_for_routes_that_name_them() -> None:
    assert page_key(EXAMPLE, "path=a")[0] == f"{EXAMPLE}?path=a"
    for path in (EXAMPLE.removesuffix("/simple"), EXAMPLE.replace("/react/", "//"), "/query/latest"):
        assert page_key(path, "path=a")[0] == path


def test_percent_encoded_letters_have_the_same_key() -> None:
    assert page_key("/%71uery/latest/docs/%6fverview", "") == page_key("/query/latest/docs/overview", "")
    assert page_key("/query/%c3%a4%2B", "") == page_key("/query/%C3%A4+", "")
    assert page_key("/query/a%2fb", "")[0] == "/query/a%2Fb"


def _split(url: str) -> tuple[str, str]:
    path, _, query = url.partition("?")
    return path, query
