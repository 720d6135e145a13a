// Added to each page by `kinfolk dev`: shows changes of the page, in place or by loading it again, and problems over it.
let events
let page
let wasOpen

/** Follows the page in the document: the server compares its digest with that of the current version. */
function follow() {
  events?.close()
  page = location.pathname + location.search
  wasOpen = false
  const { pageDigest: digest = '', pageChange: change = '' } = document.querySelector('script[data-page-digest]')?.dataset ?? {}
  events = new EventSource(`/_dev/events?${new URLSearchParams({ page, digest, change })}`)
  events.addEventListener('reload', () => location.reload())
  events.addEventListener('update', ({ data }) => update(JSON.parse(data)))
  events.addEventListener('problems', ({ data }) => show(JSON.parse(data)))
  events.addEventListener('open', () => {
    // The server was started again.
    if (wasOpen) location.reload()
    wasOpen = true
  })
}

follow()
document.addEventListener('kinfolk:visited', follow)
// An open stream keeps a page out of the back/forward cache.
addEventListener('pagehide', () => events.close())
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})

// The Trusted Types policy of this script. The policy of a page allows only style elements that it began with.
const policy = globalThis.trustedTypes?.createPolicy('dev', { createHTML: (html) => html })
const rules = new CSSStyleSheet()
const RULES = 'style[data-page-rules]'

function trusted(html) {
  return policy ? policy.createHTML(html) : html
}

/** The rules of the page as a stylesheet that scripts construct. */
function adoptRules(element) {
  rules.replaceSync(element.slice(element.indexOf('>') + 1, element.lastIndexOf('<')))
  if (!document.adoptedStyleSheets.includes(rules)) document.adoptedStyleSheets.push(rules)
  document.querySelector(RULES)?.remove()
}

const BOOT = 'script[data-boot]'

/** Whether the element names the boot script of another build of the frontend. */
function isOfOtherBuild(html) {
  return html !== undefined && !html.includes(`data-boot="${document.querySelector(BOOT).dataset.boot}"`)
}

/** Replaces the parts of the page that have changed, which keeps the scroll position. */
function update({ parts, digest }) {
  if (window.__kinfolk?.hydrated || isOfOtherBuild(parts[BOOT])) return location.reload()
  for (const [selector, html] of Object.entries(parts)) {
    if (selector === RULES) {
      adoptRules(html)
      continue
    }
    const old = document.querySelector(selector)
    if (!old) return location.reload()
    // A browser takes the text of a script only from the parser of a document.
    old.replaceWith(new DOMParser().parseFromString(trusted(html), 'text/html').querySelector(selector))
  }
  document.querySelector('script[data-page-digest]').dataset.pageDigest = digest
  window.__kinfolk?.applyFramework()
  window.__kinfolk?.applyPreferences()
  document.dispatchEvent(new Event('kinfolk:markup'))
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

/** The problems that the reader of this tab has closed, as JSON: they are shown again with the next one. */
const CLOSED = 'kinfolk-closed-problems'

function show(problems) {
  document.querySelector('kinfolk-problems')?.remove()
  const written = problems.map((problem) => JSON.stringify(problem))
  const closed = JSON.parse(sessionStorage.getItem(CLOSED) ?? '[]')
  if (written.every((problem) => closed.includes(problem))) return
  // The page of a site that cannot open lists them itself.
  if (document.querySelector('script[data-page-digest=""]')) return
  const host = document.createElement('kinfolk-problems')
  // The page's own scripts keep what has this attribute.
  host.dataset.permanent = ''
  const root = host.attachShadow({ mode: 'open' })
  const style = new CSSStyleSheet()
  style.replaceSync(STYLE)
  root.adoptedStyleSheets = [style]
  const close = element('button', 'Close')
  close.addEventListener('click', () => {
    sessionStorage.setItem(CLOSED, JSON.stringify(written))
    host.remove()
  })
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
  root.append(section)
  document.body.append(host)
}

function element(name, text = '') {
  const made = document.createElement(name)
  made.textContent = text
  return made
}
