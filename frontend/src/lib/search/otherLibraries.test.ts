import { expect, test } from 'vitest'
import { isClearlyBetter } from './otherLibraries'
import { HIGHLIGHT_TAGS } from './searchHit'

interface Sample {
  /** Headings, marked with `[…]`, each with the words of the query that it has. */
  headings?: Record<string, string[]>
  /** The name of the library. */
  library?: [string, string[]]
  prose?: string
  framework?: string[]
}

function marked(text: string): string {
  return text.replaceAll('[', HIGHLIGHT_TAGS.pre).replaceAll(']', HIGHLIGHT_TAGS.post)
}

function hit({ headings = {}, library = ['Acme Query', []], prose = '', framework = [] }: Sample) {
  const levels = [library, ...Object.entries(headings)].map(([text, matchedWords], at) => [`lvl${at}`, { value: marked(text), matchedWords }])
  return { framework, _highlightResult: { hierarchy: Object.fromEntries(levels) }, _snippetResult: { content: { value: marked(prose) } } }
}

const PROSE = hit({ headings: { 'Query Functions': [] }, prose: 'All of these are valid' })

test.each<[string, string, Sample[], Sample[]]>([
  ['useForm validation', 'headings against prose', [{ headings: { 'Form and Field [Validation]': ['useform', 'validation'] } }], []],
  ['useForm', 'a symbol against prose', [{ headings: { '[useForm]': ['useform'] } }], [{ prose: 'as [useForm] does' }]],
  ['table', 'a library that is named', [{ library: ['Acme [Table]', ['table']], headings: { Introduction: [] } }], [{ prose: 'a [table] of options' }]],
  ['form arrays vue', 'a framework that is named', [{ library: ['Acme [Form]', ['form']], headings: { '[Arrays]': ['arrays'] }, framework: ['vue'] }], []],
  ['debounce', 'a heading against nothing', [{ headings: { '[Debouncing]': ['debounce'] } }], [{ headings: { Defaults: [] } }]],
  ['windowing large list', 'most words of a long query against none', [{ headings: { '[Large] [lists]': ['large', 'list'] } }], [{ headings: { Focus: [] } }]],
])('%s: %s comes first', (query, _, others, own) => {
  expect(isClearlyBetter(query.toLowerCase().split(' '), [PROSE, ...own.map(hit)], others.map(hit))).toBe(true)
})

test.each<[string, string, Sample[], Sample[]]>([
  ['useQuery', 'both have the symbol', [{ headings: { 'Using [useQuery]': ['usequery'] } }], [{ headings: { '[useQuery]': ['usequery'] } }]],
  ['useQ', 'the word is not complete', [{ headings: { '[useQ]ueuer': ['useq'] } }], [{ prose: 'of [useQ]uery' }]],
  ['getNext', 'only the symbol begins with it', [{ headings: { '[getNext]SortingOrder': ['getnext'] } }], [{ prose: '[getNext]PageParam' }]],
  ['enabled', 'a common word is also in the prose', [{ headings: { '[enabled]': ['enabled'] } }], [{ prose: 'the option [enabled]' }]],
  ['retry delay', 'the others lack a word', [{ headings: { '[Delay]': ['delay'] } }], [{ prose: '[retry]' }]],
  ['cancel large query', 'a long query of which the own headings have a word', [{ headings: { '[Cancel] [large]': ['cancel', 'large'] } }], [{ headings: { '[Query]': ['query'] } }]],
  ['caching', 'the own heading is further down', [{ headings: { '[Caching]': ['caching'] } }], [{}, {}, { headings: { '[Caching] examples': ['caching'] } }]],
])('%s: %s, so that the order stays', (query, _, others, own) => {
  expect(isClearlyBetter(query.toLowerCase().split(' '), [PROSE, ...own.map(hit)], others.map(hit))).toBe(false)
})

test('without results of its own the others come first, and without others nothing changes', () => {
  expect(isClearlyBetter(['x'], [], [hit({})])).toBe(true)
  expect(isClearlyBetter(['x'], [PROSE], [])).toBe(false)
  expect(isClearlyBetter([], [PROSE], [hit({})])).toBe(false)
})
