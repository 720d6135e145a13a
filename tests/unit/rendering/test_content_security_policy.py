"""The Content-Security-Policy: which scripts of a page a browser may run."""

from __future__ import annotations

import hashlib
from base64 import b64encode

import pytest

from kinfolk.rendering import AllowedSources, build_policy
from kinfolk.rendering.content_security_policy import inline_scripts, inline_styles


def sha256(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


@pytest.mark.parametrize(
    ("html", "scripts"),
    [
        ("<p>none</p>", []),
        ("<script>a()</script>", ["a()"]),
        ('<script class="$tsr" id="x">a()</script><script type="module">b()</script >', ["a()", "b()"]),
        ('<script type="module" async="" src="/assets/a.js"></script>', []),
        ('<script data-src="x">a()</script>', ["a()"]),
        ('<script type="application/ld+json">{"a": 1}</script>', []),
        ("<SCRIPT>a()</SCRIPT>", ["a()"]),
        ("<script>a()</script><script>a()</script>", ["a()"]),
        ("<script></script>", [""]),
        ("<script>\n a \n</script>", ["\n a \n"]),
        ("<script>a\r\nb\rc</script>", ["a\nb\nc"]),
        ("<script>'</scripts>' + 1 < 2</script>", ["'</scripts>' + 1 < 2"]),
        ('<script title="a > b">a()</script>', ["a()"]),
        ("<script>é🎈</script>", ["é🎈"]),
        ("<scripty>a()</scripty>", []),
        ("<script>a()", []),
    ],
)
def test_hashes_of_executable_inline_scripts(html: str, scripts: list[str]) -> None:
    assert inline_scripts(html) == tuple(map(sha256, scripts))


def test_policy_allows_own_files_and_hashed_scripts_only() -> None:
    directives = dict(part.split(" ", 1) for part in build_policy(inline_scripts("<script>a()</script>")).split("; "))
    assert directives["script-src"] == f"'self' '{sha256('a()')}'"
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"


def test_policy_allows_hashed_styles_only() -> None:
    html = '<style data-href="a">p{top:0}</style><style>a > b{top:0}</style><style>p{top:0}</style><styled>'
    styles = inline_styles(html)
    assert styles == (sha256("p{top:0}"), sha256("a > b{top:0}"))
    assert f"style-src 'self' '{styles[0]}' '{styles[1]}'" in build_policy(styles=styles).split("; ")


def test_policy_without_third_party_scripts_has_no_unsafe_source() -> None:
    assert "unsafe" not in build_policy(["sha256-a"], ["sha256-b"])


def test_frame_ancestors_are_configurable() -> None:
    assert "frame-ancestors *" in build_policy(frame_ancestors="*")


def test_connect_src_contains_configured_origins() -> None:
    assert "connect-src 'self' https://search.example" in build_policy(
        sources=AllowedSources(connect_src=("https://search.example",))
    ).split("; ")


def test_form_action_contains_configured_addresses() -> None:
    directives = dict(
        part.split(" ", 1)
        for part in build_policy(sources=AllowedSources(form_action=("https://letters.example/join",))).split("; ")
    )
    assert directives["form-action"] == "'self' https://letters.example/join"
    assert "letters.example" not in "".join(rule for name, rule in directives.items() if name != "form-action")
