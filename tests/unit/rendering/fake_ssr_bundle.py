"""A short bundle that implements the frontend's contract with Python, and violates it on request."""

from __future__ import annotations

from collections.abc import Callable

from kinfolk.api.registry import FunctionResult, Html
from kinfolk.rendering import IsolatePool
from kinfolk.runtime.cache import DOCS

BUNDLE = r"""
var __SSR = (() => {
  let result, logs = [], manifest, leaked = [], held = {}
  const head = () => `<!DOCTYPE html><title>${manifest}</title>`
  const page = (body, status = 200) => ({ type: 'html', status, html: head() + body })
  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)
  const show = (n, html) => `<div data-html="${n}" class="prose">${html.$html}</div>`

  async function render({ url, prefetched }) {
    await null
    const [, route, ...rest] = url.split('?')[0].split('/')
    const pending = [], used = new Set()
    const query = (id, data) => {
      const key = `${id}\n${JSON.stringify(data)}`
      used.add(key)
      if (!prefetched[key]) pending.push({ key, id, data })
      return prefetched[key]?.data
    }
    const pages = {
      plain: () => page('<p>plain</p>'),
      url: () => page(escape(url)),
      doc: () => {
        const doc = query('doc', { name: rest[0] })
        return doc && page(`<h1>${escape(doc.title)}</h1>${show(0, doc.html)}<script>run(${rest[0].length})</script>`)
      },
      answers: () => {
        const doc = query('doc', { name: '<kin>' })
        const mark = rest[0] ? ` ${rest[0]}=""` : ''
        const answers = '<script type="application/json" id="Site-answers"></script>'
        return doc && page(`<p${mark}></p>${show(0, doc.html)}${answers}`)
      },
      pair: () => {
        const [a, b] = [query('doc', { name: 'a' }), query('doc', { name: 'b' })]
        return a && b && page(show(1, b.html) + show(0, a.html))
      },
      chain: () => {
        const a = query('doc', { name: 'first' })
        const b = a && query('doc', { name: a.title })
        return b && page(escape(b.title))
      },
      unshown: () => query('doc', { name: 'x' }) && page('no body'),
      twice: () => { const d = query('doc', { name: 'x' }); return d && page(show(0, d.html) + show(0, d.html)) },
      crashed: () => query('doc', { name: 'x' }) && page('sorry', 500),
      moved: () => ({ type: 'redirect', status: 307, location: '/' + rest.join('/') }),
      outside: () => ({ type: 'redirect', status: 302, location: '//evil.example/' }),
      error: () => ({ type: 'error', message: 'secret reason', stack: 'at secret.js' }),
      logs: () => { logs.push('hydration trouble'); return page('logged') },
      endless: () => query('doc', { name: String(Object.keys(prefetched).length) }) ?? page('never'),
      again: () => ({ type: 'pending', queries: [{ key: 'same', id: 'doc', data: { name: 'x' } }] }),
      shape: () => ({ type: 'surprise' }),
      spin: () => { for (;;); },
      block: () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) },
      heap: () => { for (;;) leaked.push(Array(1000).fill(leaked.length)) },
      never: () => new Promise(() => {}),
      hoard: () => { leaked.push('x'.repeat(1 << 21).split('x')); return page('hoarded') },
    }
    const made = await pages[route]()
    if (pending.length) return { type: 'pending', queries: pending }
    return { ...made, unused: Object.keys(prefetched).some((key) => !used.has(key)) }
  }

  return {
    init(text) { manifest = JSON.parse(text).name },
    start(text) {
      const input = JSON.parse(text)
      for (const key in input.prefetched) input.prefetched[key] = JSON.parse(input.prefetched[key])
      for (const href in input.held) held[href] = JSON.parse(input.held[href])
      for (const key in input.shared) input.prefetched[key] = held[input.shared[key]]
      result = undefined
      if (input.url === '/throw') throw new Error('thrown at once')
      if (input.url === '/garbage') result = 'not JSON'
      else if (input.url === '/number') result = 42
      else render(input).then((r) => { result = JSON.stringify(r) })
    },
    forget() { held = {} },
    take() { const r = result; result = undefined; return r },
    logs() { return JSON.stringify(logs.splice(0)) },
  }
})()
"""
MANIFEST = '{"name": "Test"}'

MakePool = Callable[..., IsolatePool]


async def run_query(id: str, data: object) -> FunctionResult:
    """The result of the function `doc`: a title, markup, and a tag."""
    assert isinstance(data, dict)
    name = data["name"]
    return FunctionResult(
        "ok",
        data={"title": f"Title of {name}", "html": Html(f"<p>Body of <b>{name}</b></p>")},
        cache=DOCS,
        tags=frozenset({f"doc:{name}"}),
    )
