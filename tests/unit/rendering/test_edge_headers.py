"""Headers for each CDN: the name of the tags, and lifetimes of what a purge can drop."""

from __future__ import annotations

import pytest
from tests.sites.sample_site import SITE

from kinfolk.config.settings import read_settings
from kinfolk.content.dependencies import PENDING_CODE, cache_tag_header, cdn_tag
from kinfolk.rendering.edge_headers import EdgeHeaders, with_other_tags
from kinfolk.runtime.cache import DOCS, EMBED, FOREVER, PRIVATE, Lifetime

TAGS = cache_tag_header({"blog", "pages"})
BROWSER = "public, max-age=0, must-revalidate"


def edge_of(**settings: str) -> EdgeHeaders:
    given = {f"KINFOLK_{name.upper()}": value for name, value in settings.items()}
    return EdgeHeaders.of(read_settings({"KINFOLK_SITE": str(SITE), **given}))


def headers_of(lifetime: Lifetime, tags: str = TAGS) -> tuple[tuple[str, str], ...]:
    return (*lifetime.headers(), ("cache-tag", tags), ("vary", "accept"))


@pytest.mark.parametrize(
    ("cdn", "expected"),
    [
        ("", {"cache-control": BROWSER, "cdn-cache-control": DOCS.cdn, "cache-tag": TAGS}),
        ("cloudflare", {"cache-control": BROWSER, "cdn-cache-control": "86400", "cache-tag": TAGS}),
        ("fastly", {"cache-control": BROWSER, "surrogate-control": "86400", "surrogate-key": TAGS.replace(",", " ")}),
        ("bunny", {"cache-control": "s-maxage=86400", "cdn-cache-control": "86400", "cdn-tag": TAGS}),
        ("hook", {"cache-control": "s-maxage=86400", "cdn-cache-control": "86400", "cache-tag": TAGS}),
    ],
)
def test_each_cdn_gets_the_headers_that_it_reads(cdn: str, expected: dict[str, str]) -> None:
    edge = edge_of(cdn=cdn)
    found = dict(edge.rewrite(headers_of(DOCS)))
    assert found.keys() == expected.keys() | {"vary"}
    assert all(expected[name] in found[name] for name in expected)
    assert found["cache-control"].startswith("public, max-age=0")
    assert dict(edge.rewrite(tuple(found.items()))) == found


def test_lifetime_and_name_of_tags_are_settings() -> None:
    found = dict(edge_of(cdn="hook", cdn_tags="surrogate-key", cdn_max_age_s="7").rewrite(headers_of(DOCS)))
    assert found["surrogate-key"] == TAGS.replace(",", " ")
    assert found["cache-control"] == "public, max-age=0, s-maxage=7, must-revalidate"


def test_name_of_tags_can_be_set_without_a_purge() -> None:
    found = dict(edge_of(cdn_tags="cdn-tag").rewrite(headers_of(DOCS)))
    assert (found["cdn-tag"], found["cdn-cache-control"]) == (TAGS, DOCS.cdn)


@pytest.mark.parametrize("lifetime", [EMBED, FOREVER, PRIVATE])
def test_other_lifetimes_stay(lifetime: Lifetime) -> None:
    found = edge_of(cdn="bunny").rewrite(headers_of(lifetime))
    assert set(lifetime.headers()) <= set(found)


def test_response_without_tags_keeps_its_lifetime() -> None:
    assert edge_of(cdn="cloudflare").rewrite(DOCS.headers()) == DOCS.headers()


@pytest.mark.parametrize(("cdn", "name"), [("fastly", "surrogate-control"), ("bunny", "cdn-cache-control")])
def test_page_with_plain_code_is_kept_for_a_second(cdn: str, name: str) -> None:
    found = dict(edge_of(cdn=cdn).rewrite(headers_of(DOCS, cache_tag_header({"blog", f"{PENDING_CODE}5d41"}))))
    assert found[name] == "max-age=1"
    assert "86400" not in found["cache-control"]


@pytest.mark.parametrize("cdn", ["", "fastly", "bunny"])
def test_filled_page_has_its_own_tags_in_the_header_of_the_page(cdn: str) -> None:
    page = edge_of(cdn=cdn).rewrite(headers_of(DOCS))
    filled = dict(with_other_tags(page, {"blog"}))
    assert filled.keys() == dict(page).keys()
    assert cdn_tag("blog") in filled.values()
    assert cdn_tag("blog") not in dict(with_other_tags(page, ())).values()
