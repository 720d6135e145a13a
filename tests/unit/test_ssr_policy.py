"""The Content-Security-Policy: which scripts of a page a browser may run."""

from __future__ import annotations

import hashlib
from base64 import b64encode

import pytest

from kinfolk.ssr import policy
from kinfolk.ssr.policy import inline_scripts


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
def test_a_script_counts_if_a_browser_would_run_its_own_text(html: str, scripts: list[str]) -> None:
    assert inline_scripts(html) == tuple(map(sha256, scripts))


def test_the_policy_allows_our_files_our_scripts_and_nothing_inline_besides() -> None:
    directives = dict(part.split(" ", 1) for part in policy(inline_scripts("<script>a()</script>")).split("; "))
    assert directives["script-src"] == f"'self' '{sha256('a()')}'"
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == directives["base-uri"] == directives["frame-ancestors"] == "'none'"


def test_a_page_may_be_shown_in_frames_only_where_it_says() -> None:
    assert "frame-ancestors *" in policy(framed_by="*")


def test_our_own_scripts_may_ask_whom_the_operator_names() -> None:
    assert "connect-src 'self' https://search.example" in policy(asked=["https://search.example"]).split("; ")


def test_a_form_may_be_sent_to_us_and_to_whom_the_operator_names() -> None:
    directives = dict(part.split(" ", 1) for part in policy(form_actions=["https://letters.example/join"]).split("; "))
    assert directives["form-action"] == "'self' https://letters.example/join"
    assert "letters.example" not in "".join(rule for name, rule in directives.items() if name != "form-action")
