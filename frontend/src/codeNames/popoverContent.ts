// What the symbol popover shows about a name.
import type { CodeNames, CodeSymbol, SymbolOption } from '../api/generated'
import { SYMBOL_ID } from '../lib/layoutIds'
import { withBase } from '../lib/paths'
import { element } from '../reader/elements'

export function popoverContent(symbol: CodeSymbol, block: CodeNames): HTMLElement[] {
  const description = element('div', { id: SYMBOL_ID }, [
    element('code', { className: 'symbol-signature', textContent: symbol.signature }),
    ...(symbol.summary ? [element('p', { textContent: symbol.summary })] : []),
    ...(symbol.deprecated ? [deprecation(symbol.deprecation)] : []),
    element('p', { className: 'symbol-facts', textContent: facts(symbol) }),
  ])
  return [description, ...reference(symbol), ...options(symbol, block)]
}

/** `property of QueryOptions · since 5.28` */
function facts({ kind, owner, since }: CodeSymbol): string {
  return [owner ? `${kind} of ${owner}` : kind, since && `since ${since}`].filter(Boolean).join(' · ')
}

function deprecation(text = ''): HTMLElement {
  return element('p', { className: 'symbol-deprecated' }, [element('strong', { textContent: 'Deprecated' }), text ? `: ${text}` : ''])
}

function reference({ name, reference: address }: CodeSymbol): HTMLElement[] {
  return address ? [element('a', { href: withBase(address), textContent: `Reference of ${name}` })] : []
}

/** The options that the block does not use already. */
function options({ name, options: all = [] }: CodeSymbol, { symbols }: CodeNames): HTMLElement[] {
  const used = new Set(symbols.filter(({ owner }) => owner).map((one) => one.name))
  const others = all.filter((option) => !used.has(option.name))
  if (others.length === 0) return []
  const heading = element('h2', { textContent: others.length < all.length ? `More options of ${name}` : `Options of ${name}` })
  return [heading, element('ul', {}, others.map(optionItem))]
}

function optionItem({ name, type, summary, required, deprecated, deprecation: text }: SymbolOption): HTMLElement {
  return element('li', {}, [
    element('code', {}, [element('strong', { textContent: name }), `${required ? '' : '?'}: ${type}`]),
    ...(summary ? [element('p', { textContent: summary })] : []),
    ...(deprecated ? [deprecation(text)] : []),
  ])
}
