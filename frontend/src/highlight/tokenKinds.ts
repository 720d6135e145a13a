// The token kinds of highlighted code, each with its TextMate scopes.
//
// The name of a kind is its class in the markup, so it is short; src/styles/markdown/code.css sets its color. The kind with an
// empty name is plain text, and overrides the kind of a surrounding scope. Brackets, commas and variables are plain
// too: they would be half of all markup.
import type { ThemeRegistrationRaw } from 'shiki/core'

const KINDS: readonly (readonly [name: string, scopes: readonly string[]])[] = [
  [
    '',
    [
      'meta.embedded',
      'meta.template.expression',
      'keyword.operator.optional',
      'keyword.operator.type.annotation',
      'punctuation',
      'string.unquoted.argument.shell',
      'support.constant.handlebars',
      'support.variable',
      'variable.other',
    ],
  ],
  [
    'k', // keyword
    [
      'keyword',
      'keyword.operator.delete',
      'keyword.operator.expression',
      'keyword.operator.logical.python',
      'keyword.operator.new',
      'punctuation.definition.keyword',
      'storage',
      'variable.language',
    ],
  ],
  ['o', ['keyword.operator', 'storage.type.function.arrow']], // operator
  [
    's', // string
    ['markup.inline.raw', 'markup.raw', 'punctuation.definition.string', 'string', 'string.unquoted.plain'],
  ],
  [
    'n', // number and constant
    [
      'constant.character',
      'constant.language',
      'constant.numeric',
      'constant.other.color',
      'constant.other.option',
      'keyword.other.unit',
      'punctuation.definition.entity',
      'support.constant',
      'variable.other.enummember',
    ],
  ],
  ['c', ['comment', 'punctuation.definition.comment', 'string.comment']], // comment
  [
    'f', // function
    [
      'entity.name.command',
      'entity.name.function',
      'meta.function-call.generic.python',
      'punctuation.decorator',
      'punctuation.definition.decorator',
      'support.function',
      'variable.function',
    ],
  ],
  [
    't', // type
    [
      'entity.name.class',
      'entity.name.interface',
      'entity.name.namespace',
      'entity.name.type',
      'entity.other.inherited-class',
      'support.class',
      'support.type',
    ],
  ],
  [
    'v', // parameter, and a variable if the language marks it with a sign
    [
      'punctuation.definition.variable.shell',
      'variable.argument',
      'variable.css',
      'variable.other.assignment.shell',
      'variable.other.env',
      'variable.other.normal.shell',
      'variable.parameter',
      'variable.scss',
    ],
  ],
  [
    'p', // property
    [
      'entity.name.tag.toml',
      'entity.name.tag.yaml',
      'meta.object-literal.key',
      'meta.property-name',
      'punctuation.support.type.property-name',
      'support.type.property-name',
      'variable.object.property',
      'variable.other.constant.property',
      'variable.other.object.property',
      'variable.other.property',
    ],
  ],
  ['g', ['entity.name.tag', 'support.class.component']], // tag
  ['a', ['entity.other.attribute-name']], // attribute
  [
    'r', // regular expression: these scopes are inside one
    [
      'constant.character.character-class.regexp',
      'constant.character.control.regexp',
      'constant.character.escape.backslash.regexp',
      'constant.character.numeric.regexp',
      'constant.other.character-class',
      'keyword.control.anchor.regexp',
      'keyword.operator.negation.regexp',
      'keyword.operator.or.regexp',
      'keyword.operator.quantifier.regexp',
      'keyword.other.back-reference.regexp',
      'punctuation.definition.character-class.regexp',
      'punctuation.definition.group.regexp',
      'string.regexp',
      'string.regexp keyword.other',
      'string.regexp punctuation.definition.string',
    ],
  ],
  [
    'h', // heading or link
    [
      'entity.name.section',
      'markup.heading',
      'markup.underline.link',
      'meta.diff.header',
      'meta.diff.index',
      'meta.diff.range',
      'punctuation.definition.heading',
      'string.other.link',
    ],
  ],
  ['i', ['markup.inserted', 'punctuation.definition.inserted']],
  ['d', ['markup.deleted', 'punctuation.definition.deleted']],
]

/** Shiki themes have colors, not classes, so each kind is encoded as a color: #000000 the first, #000001 the second. */
export const theme: ThemeRegistrationRaw = {
  name: 'kinds',
  settings: [
    { settings: { foreground: color(0), background: '#FFFFFF' } },
    ...KINDS.map(([, scopes], index) => ({ scope: [...scopes], settings: { foreground: color(index) } })),
  ],
}

/** The class of a token with this color of the theme; empty for plain text. */
export function kindOf(encoded: string | undefined): string {
  return KINDS[encoded ? Number.parseInt(encoded.slice(1), 16) : 0]?.[0] ?? ''
}

function color(index: number): string {
  return `#${index.toString(16).toUpperCase().padStart(6, '0')}`
}
