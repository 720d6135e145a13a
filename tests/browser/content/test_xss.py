"""Scripts in docs and URLs never run, even without the Content-Security-Policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page
from tests.servers.serving import LEAN, Server, serving

CALL = "hit()"
ELEMENTS = (
    "<script>{}</script>",
    "<script src=data:text/javascript,{}></script>",
    "<SCRIPT/x>{}</SCRIPT>",
    "<img src=x onerror={}>",
    '<img src="x:x" onerror="{}">',
    "<img/src=x/onerror={}>",
    "<img src=x onerror\n=\n{}>",
    '<image src=x onerror="{}">',
    "<svg onload={}>",
    "<svg><script>{}</script></svg>",
    "<svg><animate onbegin={} attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:{}><text>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload={}>#x'>",
    "<svg><foreignObject><iframe srcdoc='<script>parent.{}</script>'></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror={}>",
    "<math><a href=javascript:{}>x</a></math>",
    "<iframe srcdoc='<script>parent.{}</script>'></iframe>",
    "<iframe src=javascript:parent.{}></iframe>",
    "<iframe src='data:text/html,<script>parent.{}</script>'></iframe>",
    "<object data=javascript:{}></object>",
    "<embed src=javascript:{}>",
    "<video><source onerror={}></video>",
    "<video src=x onerror={}></video>",
    "<audio src=x onerror={}>",
    "<body onload={}>",
    "<body onpageshow={}>",
    "<details open ontoggle={}><summary>x</summary></details>",
    "<input autofocus onfocus={}>",
    "<select autofocus onfocus={}>",
    "<textarea autofocus onfocus={}>",
    "<button autofocus onfocus={}>x</button>",
    "<form><button formaction=javascript:{}>x</button></form>",
    "<form action=javascript:{}><input type=submit></form>",
    "<a href=javascript:{}>x</a>",
    "<a href='java\tscript:{}'>x</a>",
    "<a href='java&#10;script:{}'>x</a>",
    "<a href='&#106;avascript:{}'>x</a>",
    "<a href='\x01javascript:{}'>x</a>",
    "<a href=' javascript:{}'>x</a>",
    "<a href='JaVaScRiPt:{}'>x</a>",
    "<a href='vbscript:{}'>x</a>",
    "<a href='data:text/html,<script>opener.{}</script>'>x</a>",
    "<a href='#' onclick={}>x</a>",
    "<p onmouseover={}>x</p>",
    "<p onpointerenter={} tabindex=0 onfocus={}>x</p>",
    "<p style='animation:x' onanimationstart={}>x</p>",
    "<style>@keyframes x{{}}</style><p style='animation-name:x' onanimationstart={}>x</p>",
    "<style>@import 'javascript:{}';</style>",
    "<link rel=stylesheet href='javascript:{}'>",
    "<link rel=import href='data:text/html,<script>{}</script>'>",
    "<meta http-equiv=refresh content='0;url=javascript:{}'>",
    "<base href='javascript:{}//'>",
    "<marquee onstart={}>x</marquee>",
    "<noscript><p title='</noscript><img src=x onerror={}>'>",
    "<template><img src=x onerror={}></template>",
    "<xmp><p title='</xmp><img src=x onerror={}>'>",
    "<title><img src=x onerror={}></title>",
    "<textarea><p title='</textarea><img src=x onerror={}>'>",
    "<!--><img src=x onerror={}>-->",
    "<!-- --!><img src=x onerror={}> -->",
    "<!-- <!-- --><img src=x onerror={}>",
    "<![CDATA[><img src=x onerror={}>]]>",
    "<?php <img src=x onerror={}> ?>",
    "</p><img src=x onerror={}>",
    "<p title='\n\n</p><img src=x onerror={}>'>",
    "<picture><source srcset='x' onerror={}><img src=x></picture>",
    "<img srcset='javascript:{}'>",
    "<table background=javascript:{}><tr><td>x</table>",
    "<div id=x tabindex=1 onactivate={}>x</div>",
    "<div contenteditable onbeforeinput={}>x</div>",
    "<dialog open onclose={}><form method=dialog><button>x</button></form></dialog>",
    "<portal src='javascript:{}'>",
    "<frameset onload={}><frame src=javascript:{}></frameset>",
    "<isindex type=image src=x onerror={}>",
    "<keygen autofocus onfocus={}>",
    "<bgsound src=javascript:{}>",
    "<layer src=javascript:{}></layer>",
    "<a id=__kinfolk name=__kinfolk href=javascript:{}>clobber</a>",
    "<img name=getElementById src=x onerror={}>",
)
MARKDOWN = (
    "[x](javascript:{})",
    "[x](JAVASCRIPT:{})",
    "[x](java\\nscript:{})",
    "[x](javascript&colon;{})",
    "[x](&#x6a;avascript:{})",
    "[x](<javascript:{}>)",
    "[x](data:text/html,<script>opener.{}</script>)",
    "![x](javascript:{})",
    '![x](x" onerror="{})',
    '![x" onerror="{}](x)',
    "[x][y]\n\n[y]: javascript:{}",
    '[x][z]\n\n[z]: x "onmouseover={}"',
    "<javascript:{}>",
    "`<img src=x onerror={}>`",
    "```html\n<img src=x onerror={}>\n```",
    '```html title="<img src=x onerror={}>"\n<script>{}</script>\n```',
    "```<img src=x onerror={}>\nx\n```",
    '```mermaid\ngraph TD; a["<img src=x onerror={}>"]-->b; click a "javascript:{}"\n```',
    "~~~js {}\n</code></pre><script>{}</script>\n~~~",
    "## <img src=x onerror={}>",
    "## `<img src=x onerror={}>` {{#x onmouseover={}}}",
    "> [!NOTE] <img src=x onerror={}>\n> <script>{}</script>",
    "| <img src=x onerror={}> |\n|---|\n| <script>{}</script> |",
    "- [x] <img src=x onerror={}>",
    '<!-- ::start:tabs variant="x" onclick="{}" -->\n## <img src=x onerror={}>\n<!-- ::end:tabs -->',
    "<!-- ::start:framework -->\n# <img src=x onerror={}>\n<script>{}</script>\n<!-- ::end:framework -->",
    "[//]: # '<img src=x onerror={}>'",
    "&lt;img src=x onerror={}&gt;",
    'http://x.example/"onmouseover="{}',
    "https://x.example/<script>{}</script>",
    "footnote[^1]\n\n[^1]: <img src=x onerror={}>",
)
PATHS = (
    "/search?q={}",
    "/search?q=query&library={}",
    "/search?q=query&framework={}",
    "/search?q=query&page={}",
    "/blog?library={}",
    "/blog?author={}",
    "/{}",
    "/query/{}",
    "/query/latest/docs/{}",
    "/query/latest/docs/framework/{}",
    "/query/latest/docs/framework/react/examples/{}",
    "/query/latest/docs/framework/react/examples/basic?path={}",
    "/query/latest/docs/framework/react/examples/basic?panel={}",
    "/query/latest?from={}",
    "/login?next={}",
    "/query/latest/docs/one-0#{}",
)
MARKUP_VECTORS = '<script>hit()</script>"><img src=x onerror=hit()></script><script>hit()</script>{{hit()}}${hit()}'
"""Runs in HTML, in a quoted attribute, in an inline script and in a template."""
URL_VECTORS = (MARKUP_VECTORS, "'-hit()-'", "javascript:hit()", "\u2028hit()//", '\\"-hit()//')
VECTORS = tuple(vector.replace("{}", CALL).replace("{{", "{").replace("}}", "}") for vector in (*ELEMENTS, *MARKDOWN))
VECTORS_PER_PAGE = 11
RECORD_HITS = "window.hits = []; window.hit = () => window.hits.push(new Error().stack); window.alert = window.hit"
"""Runs before the scripts of the page and records each call of `hit` and `alert`."""
TRIGGER_EVENTS = """async () => {
  for (const element of document.querySelectorAll('main *, header *')) {
    for (const kind of ['mouseover', 'pointerenter', 'focus', 'toggle', 'animationstart', 'error', 'load', 'begin'])
      element.dispatchEvent(new Event(kind, { bubbles: false }))
    const href = element.getAttribute('href') ?? ''
    if (element.tagName === 'A' && !/^(https?:|\\/|#|\\.|$)/i.test(href.trim())) element.click()
  }
  await new Promise((done) => setTimeout(done, 50))
  return window.hits
}"""


@pytest.fixture(scope="module")
def server(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with docs pages of all vectors. Titles, descriptions and menu labels contain a vector as well."""
    assert built
    root = tmp_path_factory.mktemp("hostile")
    docs = root / "TanStack/query/main/docs"
    docs.mkdir(parents=True)
    label = "<img src=x onerror=hit()>"
    links = []
    for number, vectors in enumerate(group_vectors()):
        text = "\n\n".join(vectors)
        (docs / f"one-{number}.md").write_text(
            f"---\ntitle: '{label} {number}'\ndescription: '{label}'\n---\n\n{text}\n"
        )
        links.append({"label": f"{label} {number}", "to": f"one-{number}"})
    (docs / "config.json").write_text(json.dumps({"sections": [{"label": label, "children": links}]}))
    with serving(tmp_path_factory.mktemp("xss"), "--content", str(root), environment=LEAN) as server:
        yield server


@pytest.fixture(scope="module")
def page_without_csp(browser: Browser) -> Iterator[Page]:
    """A page that ignores the Content-Security-Policy, so that only escaping prevents scripts from running."""
    context = browser.new_context(bypass_csp=True, reduced_motion="reduce", viewport={"width": 400, "height": 300})
    context.add_init_script(RECORD_HITS)
    yield context.new_page()
    context.close()


def group_vectors() -> list[tuple[str, ...]]:
    return [VECTORS[start : start + VECTORS_PER_PAGE] for start in range(0, len(VECTORS), VECTORS_PER_PAGE)]


@pytest.mark.parametrize("number", range(len(group_vectors())))
def test_scripts_in_docs_page_do_not_run(page_without_csp: Page, server: Server, number: int) -> None:
    response = page_without_csp.goto(f"{server.url}/query/latest/docs/one-{number}")
    assert response is not None
    assert response.status == 200
    page_without_csp.mouse.move(5, 5)
    assert page_without_csp.locator("main").count() == 1
    assert page_without_csp.evaluate(TRIGGER_EVENTS) == []


@pytest.mark.parametrize("path", PATHS)
def test_scripts_in_url_do_not_run(page_without_csp: Page, server: Server, path: str) -> None:
    for vector in URL_VECTORS:
        page_without_csp.goto(server.url + path.replace("{}", quote(vector, safe="")), wait_until="load")
        page_without_csp.mouse.move(5, 5)
        assert page_without_csp.evaluate(TRIGGER_EVENTS) == [], vector


@pytest.mark.parametrize(
    "html",
    [
        "<p onmouseover='hit()'>x</p>",
        f"<p>{MARKUP_VECTORS}</p>",
        f'<p title="{MARKUP_VECTORS}">x</p>',
        f"<script>const text = '{MARKUP_VECTORS}'</script>",
        f"<script>`{MARKUP_VECTORS}`</script>",
    ],
)
def test_recorder_detects_script_that_runs(page_without_csp: Page, html: str) -> None:
    page_without_csp.goto("about:blank")
    page_without_csp.evaluate(RECORD_HITS)
    page_without_csp.set_content(f"<main>{html}</main>")
    assert page_without_csp.evaluate(TRIGGER_EVENTS) != []
