// Splits a stylesheet into pieces and says what each needs in a page, so that a page contains only rules that can apply to it.
import { parse } from 'postcss'
import type { AtRule, ChildNode, Container, Rule } from 'postcss'
import parseSelectors from 'postcss-selector-parser'
import type { Attribute, Node as SelectorNode, Selector } from 'postcss-selector-parser'

/** A page must have one of these: `.class`, `element` or `data-name="value"`. */
export type Clause = string[]

/** What browsers set in italics. The styles of a brand may do so anywhere. */
const ITALIC: Clause = ['em', 'i', 'cite', 'dfn', 'var', 'address', 'data-precedence="theme"']

/** A selector, or the beginning of a rule without selectors, with all clauses that it needs. */
export type Alternative = [needs: Clause[], text: string]

/** Text of every page; a rule, which a page has with those of its selectors that can match; or a group such as `@media`. */
export type StylePiece = string | { of: Alternative[]; body: string } | { group: string; pieces: StylePiece[] }

/** Tells whether scripts can add it to a page, so that no rule depends on it. */
type IsDynamic = (token: string) => boolean

export function stylePieces(css: string, isDynamic: IsDynamic): StylePiece[] {
  const root = parse(css)
  const used = animationUsers(root, isDynamic)
  return pieces(root, isDynamic, used)
}

function pieces(container: Container, isDynamic: IsDynamic, animations: ReadonlyMap<string, Clause>): StylePiece[] {
  return (container.nodes ?? []).flatMap((node: ChildNode): StylePiece[] => {
    if (node.type === 'rule') return [{ of: alternatives(node, isDynamic), body: bodyOf(node) }]
    if (node.type !== 'atrule') return []
    if (!node.nodes) return [`${node.toString()};`]
    if (node.name === 'view-transition') return [node.toString()]
    if (node.name === 'font-face') return [{ of: [[isItalic(node) ? [ITALIC] : [], '@font-face']], body: bodyOf(node) }]
    if (node.name === 'keyframes') {
      const clause = animations.get(node.params)
      return [{ of: [[clause ? [clause] : [], `@keyframes ${node.params}`]], body: bodyOf(node) }]
    }
    return [{ group: `@${node.name} ${node.params}`, pieces: pieces(node, isDynamic, animations) }]
  })
}

function isItalic(face: AtRule): boolean {
  return /font-style:\s*italic/.test(bodyOf(face))
}

/** The text between the braces. */
function bodyOf(node: Rule | AtRule): string {
  const text = node.toString()
  return text.slice(text.indexOf('{') + 1, text.lastIndexOf('}'))
}

function alternatives(rule: Rule, isDynamic: IsDynamic): Alternative[] {
  const selectors = parseSelectors().astSync(rule.selector).nodes
  return selectors.map((selector) => [clausesOf(selector).filter((clause) => !clause.some(isDynamic)), selector.toString().trim()])
}

/** What an element that the selector matches implies. What is in `:not()` implies nothing. */
function clausesOf(selector: Selector): Clause[] {
  return selector.nodes.flatMap((node: SelectorNode): Clause[] => {
    if (node.type === 'class') return [[`.${node.value}`]]
    if (node.type === 'tag') return [[node.value]]
    if (node.type === 'attribute') return attributeClauses(node)
    if (node.type !== 'pseudo' || !/^:(is|where|has)$/.test(node.value)) return []
    // One of the selectors matches, so one of what each of them needs is there.
    const each = node.nodes.map((inner) => clausesOf(inner).at(-1))
    return each.every((clause) => clause !== undefined) ? [each.flat()] : []
  })
}

/** Only Markdown has callouts. Scripts may set any other attribute. */
function attributeClauses({ attribute, operator, value }: Attribute): Clause[] {
  return attribute === 'data-callout' && operator === '=' ? [[`${attribute}="${value ?? ''}"`]] : []
}

/** For each animation that only rules with clauses use: a clause that holds if one of these rules applies. */
function animationUsers(root: Container, isDynamic: IsDynamic): Map<string, Clause> {
  const names: string[] = []
  root.walkAtRules('keyframes', ({ params }) => void names.push(params))
  return new Map(
    names.flatMap((name) => {
      const clauses: (Clause | undefined)[] = []
      root.walkRules((rule) => {
        if (rule.parent?.type === 'atrule' && (rule.parent as AtRule).name === 'keyframes') return
        if (!new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(bodyOf(rule))) return
        clauses.push(...alternatives(rule, isDynamic).map(([needs]) => needs.at(-1)))
      })
      return clauses.every((clause) => clause !== undefined) ? [[name, clauses.flat()] as const] : []
    }),
  )
}
