"""A bundle of a few lines that keeps the frontend's contract with Python, and breaks it on request."""

from __future__ import annotations

from collections.abc import Callable

from kinfolk.cache import DOCS
from kinfolk.rpc import Answer, Html
from kinfolk.ssr import IsolatePool

TOY = r"""
var __SSR = (() => {
  let result, logs = [], manifest, kept = []
  const head = () => `<!DOCTYPE html><title>${manifest}</title>`
  const page = (body, status = 200) => ({ type: 'html', status, html: head() + body })
  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
  const show = (n, html) => `<div data-html="${n}" class="prose">${html.$html}</div>`

  async function render({ url, known }) {
    await null
    const [, route, ...rest] = url.split('?')[0].split('/')
    const missing = [], used = new Set()
    const ask = (id, data) => {
      const key = `${id}\n${JSON.stringify(data)}`
      used.add(key)
      if (!known[key]) missing.push({ key, id, data })
      return known[key]?.data
    }
    const pages = {
      plain: () => page('<p>plain</p>'),
      url: () => page(escape(url)),
      doc: () => {
        const doc = ask('doc', { name: rest[0] })
        return doc && page(`<h1>${escape(doc.title)}</h1>${show(0, doc.html)}<script>run(${rest[0].length})</script>`)
      },
      pair: () => {
        const [a, b] = [ask('doc', { name: 'a' }), ask('doc', { name: 'b' })]
        return a && b && page(show(1, b.html) + show(0, a.html))
      },
      chain: () => {
        const a = ask('doc', { name: 'first' })
        const b = a && ask('doc', { name: a.title })
        return b && page(escape(b.title))
      },
      unshown: () => ask('doc', { name: 'x' }) && page('no body'),
      twice: () => { const d = ask('doc', { name: 'x' }); return d && page(show(0, d.html) + show(0, d.html)) },
      crashed: () => ask('doc', { name: 'x' }) && page('sorry', 500),
      moved: () => ({ type: 'redirect', status: 307, location: '/' + rest.join('/') }),
      outside: () => ({ type: 'redirect', status: 302, location: '//evil.example/' }),
      error: () => ({ type: 'error', message: 'secret reason', stack: 'at secret.js' }),
      logs: () => { logs.push('hydration trouble'); return page('logged') },
      endless: () => ask('doc', { name: String(Object.keys(known).length) }) ?? page('never'),
      again: () => ({ type: 'needs', needs: [{ key: 'same', id: 'doc', data: { name: 'x' } }] }),
      shape: () => ({ type: 'surprise' }),
      spin: () => { for (;;); },
      heap: () => { for (;;) kept.push(Array(1000).fill(kept.length)) },
      never: () => new Promise(() => {}),
      hoard: () => { kept.push('x'.repeat(1 << 21).split('x')); return page('hoarded') },
    }
    const made = await pages[route]()
    if (missing.length) return { type: 'needs', needs: missing }
    return { ...made, unused: Object.keys(known).some((key) => !used.has(key)) }
  }

  return {
    init(text) { manifest = JSON.parse(text).name },
    start(text) {
      const input = JSON.parse(text)
      for (const key in input.known) input.known[key] = JSON.parse(input.known[key])
      result = undefined
      if (input.url === '/throw') throw new Error('thrown at once')
      if (input.url === '/garbage') result = 'not JSON'
      else if (input.url === '/number') result = 42
      else render(input).then((r) => { result = JSON.stringify(r) })
    },
    take() { const r = result; result = undefined; return r },
    logs() { return JSON.stringify(logs.splice(0)) },
  }
})()
"""
MANIFEST = '{"name": "Toy"}'

MakePool = Callable[..., IsolatePool]


async def answer(id: str, data: object) -> Answer:
    """What `doc` says of a name: a title, markup, and a tag."""
    assert isinstance(data, dict)
    name = data["name"]
    return Answer(
        "ok",
        data={"title": f"Title of {name}", "html": Html(f"<p>Body of <b>{name}</b></p>")},
        cache=DOCS,
        tags=frozenset({f"doc:{name}"}),
    )
