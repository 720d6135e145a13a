// Turns the nodes of one page into those of another. Nodes that are equal in both stay, with their scroll position and focus.
import { showStylesOf } from './documentStyles'

/** What a page says about itself in its head. Styles are not among it: `showStylesOf` replaces them. */
const PAGE_METADATA = 'title, meta, link:not([rel=stylesheet]), script[type$=json]:not([data-boot])'

/** Names of files. It keeps its place, in which React expects it. */
const BUNDLES = 'script[data-boot]'

/** Elements that a script added to the body and owns: they outlive the page. */
const PERMANENT = '[data-permanent]'

/** Elements whose children a script owns. */
const UNMANAGED = 'data-unmanaged'

/** HTML of a page's content: replaced as a whole, since its parts have no counterpart in another page. */
const CONTENT = 'data-markup'

/** State that scripts keep in attributes; the server never writes them. */
const STATE_ATTRIBUTES = new Set(['data-seen', 'data-filled'])

export function morphDocument(next: Document): void {
  morphHead(next.head)
  showStylesOf(next.head)
  morph(document.body, next.body)
}

function morphHead(next: HTMLHeadElement): void {
  const old = [...document.head.querySelectorAll(PAGE_METADATA)]
  for (const element of next.querySelectorAll(PAGE_METADATA)) {
    const same = old.findIndex((one) => one.isEqualNode(element))
    if (same < 0) document.head.append(element)
    else old.splice(same, 1)
  }
  for (const element of old) element.remove()
  const [bundles, nextBundles] = [document.head, next].map((head) => head.querySelector(BUNDLES))
  if (bundles && nextBundles) morphAttributes(bundles, nextBundles)
}

/** Makes `old` equal to `next`, node by node in order. Takes nodes out of `next`. */
export function morph(old: Node, next: Node): void {
  if (old.isEqualNode(next)) return
  if (!canMorph(old, next)) {
    old.parentNode?.replaceChild(next, old)
    return
  }
  morphAttributes(old, next)
  if (old.hasAttribute(UNMANAGED)) return
  const current = [...old.childNodes].filter((child) => !isPermanent(child))
  const wanted = [...next.childNodes]
  for (const child of wanted) {
    const counterpart = current.shift()
    if (counterpart) morph(counterpart, child)
    else insertBeforePermanent(old, child)
  }
  for (const child of current) child.remove()
}

function isPermanent(node: Node): boolean {
  return node instanceof Element && node.matches(PERMANENT)
}

function insertBeforePermanent(parent: Element, child: Node): void {
  const permanent = [...parent.children].find(isPermanent)
  parent.insertBefore(child, permanent ?? null)
}

function canMorph(old: Node, next: Node): old is Element {
  return (
    old instanceof Element &&
    next instanceof Element &&
    old.localName === next.localName &&
    // Trusted Types: a browser takes the text of a script only from its parser.
    old.localName !== 'script' &&
    old.hasAttribute(UNMANAGED) === next.hasAttribute(UNMANAGED) &&
    !next.hasAttribute(CONTENT)
  )
}

function morphAttributes(old: Element, next: Node): void {
  if (!(next instanceof Element)) return
  for (const name of old.getAttributeNames()) {
    if (!next.hasAttribute(name) && !STATE_ATTRIBUTES.has(name)) old.removeAttribute(name)
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value)
  }
}
