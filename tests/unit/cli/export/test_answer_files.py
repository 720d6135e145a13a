"""The answers that pages of an export request as files."""

from __future__ import annotations

from kinfolk.cli.export.answer_files import CODE_NAMES, code_name_requests, data_address


def test_docs_page_requests_the_names_of_its_checked_code_blocks() -> None:
    html = '<code class="language-ts" data-names="0">a</code><code class="language-sh">b</code>'
    html += '<p>data-names="7"</p><code class="language-ts" data-names="12">&lt;code data-names="9"</code>'
    requests = list(code_name_requests("/query/latest/docs/guides/a%20b", html))
    page = {"library": "query", "version": "latest", "path": "guides/a b"}
    assert requests == [{**page, "block": 0}, {**page, "block": 12}]
    # `frontend/src/codeNames/blockNames.test.ts` has the same address.
    request = {"library": "query", "version": "latest", "path": "overview", "block": 2}
    assert data_address(CODE_NAMES, request) == "/_data/docs.names/62fbf8b28e93ed7c.json"
    assert list(code_name_requests("/blog/post", html)) == []
