// Added to each page by `kinfolk dev`: loads the page again after a change, and shows problems over it.
const events = new EventSource('/_dev/events')
let wasOpen = false

events.addEventListener('reload', () => void update())
events.addEventListener('problems', ({ data }) => show(JSON.parse(data)))
events.addEventListener('open', () => {
  // The server was started again.
  if (wasOpen) location.reload()
  wasOpen = true
})
// An open stream keeps a page out of the back/forward cache.
addEventListener('pagehide', () => events.close())
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

/** What only a new document can change: stylesheets, and what is around the content. Scripts of the page add other elements. */
const AROUND = 'style[data-href], link[rel=stylesheet], [data-menu], .toc, footer'

/** Shows the page as it is now: in place where only its content has changed, which keeps the scroll position and is faster. */
async function update() {
  const response = await fetch(location.href).catch(() => undefined)
  if (!response?.ok || window.__kinfolk?.hydrated) return location.reload()
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const [old, fresh] = [document, next].map((page) => page.querySelector('main'))
  if (!old || !fresh || fresh.querySelector('[role=tree]') || describe(document) !== describe(next)) return location.reload()
  document.title = next.title
  old.replaceWith(document.adoptNode(fresh))
  window.__kinfolk?.applyFramework()
  window.__kinfolk?.applyPreferences()
  document.dispatchEvent(new Event('kinfolk:markup'))
}

function describe(page) {
  return [...page.querySelectorAll(AROUND)].map(({ href, textContent }) => href || textContent).join('\n')
}

const STYLE = `
  :host { all: initial; position: fixed; inset: auto 0 0; z-index: 2147483647; font: 14px/1.5 system-ui, sans-serif }
  section { max-height: 50vh; overflow: auto; padding: 16px 20px; color: #fff; background: #3b0d0d; border-top: 3px solid #ff6467 }
  h2 { margin: 0 0 8px; font-size: 15px }
  ul { margin: 0; padding: 0; list-style: none }
  li { padding: 4px 0; overflow-wrap: anywhere }
  code { color: #ffb3b3; font: 13px/1.5 ui-monospace, monospace }
  button { float: right; padding: 2px 10px; color: inherit; font: inherit; background: none; border: 1px solid #ff6467; border-radius: 4px; cursor: pointer }
`

function show(problems) {
  document.querySelector('kinfolk-problems')?.remove()
  if (problems.length === 0) return
  const host = document.createElement('kinfolk-problems')
  // The page's own scripts keep what has this attribute.
  host.dataset.permanent = ''
  const root = host.attachShadow({ mode: 'open' })
  const style = element('style', STYLE)
  const close = element('button', 'Close')
  close.addEventListener('click', () => host.remove())
  const title = element('h2', problems.length === 1 ? '1 problem' : `${problems.length} problems`)
  const list = element('ul')
  for (const { file, line, reason } of problems) {
    const item = element('li')
    if (file) item.append(element('code', line ? `${file}:${line}` : file), ' ')
    item.append(reason)
    list.append(item)
  }
  const section = element('section')
  section.setAttribute('role', 'alert')
  section.append(close, title, list)
  root.append(style, section)
  document.body.append(host)
}

function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
