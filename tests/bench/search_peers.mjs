// The same records and queries, answered by two libraries that search in the browser. Reads input.json beside it.
import { readFileSync } from 'node:fs'

import { create, insertMultiple, search } from '@orama/orama'
import MiniSearch from 'minisearch'

const { records, queries } = JSON.parse(readFileSync('input.json', 'utf8'))
const PART = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g
const STOP = new Set(
  'how to do does i a an the is are in with of what why my can between and for or it this that on at be'.split(' '),
)

// Identifiers whole and by part: without this neither library finds `query` in `useQuery`.
const words = (text) =>
  (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).flatMap((word) => {
    const parts = word.match(PART) ?? []
    return parts.length > 1 ? [word, ...parts] : [word]
  })

const rows = records.map((record, id) => ({
  id,
  page: record.page,
  url: record.url,
  title: `${record.hierarchy.lvl1} ${record.context}`,
  heading: [2, 3, 4, 5, 6].map((level) => record.hierarchy[`lvl${level}`] ?? '').join(' '),
  content: record.content,
  code: record.code.join(' '),
}))

function distinct(ids) {
  const seen = new Set()
  const urls = []
  for (const id of ids) {
    const row = rows[id]
    if (!seen.has(row.page)) {
      seen.add(row.page)
      urls.push(row.url)
    }
    if (urls.length === 20) break
  }
  return urls
}

async function measured(build, find) {
  const started = performance.now()
  const index = await build()
  const seconds = (performance.now() - started) / 1000
  const answers = {}
  for (const [label, texts] of Object.entries(queries)) {
    answers[label] = []
    for (const text of texts) answers[label].push(distinct(await find(index, text)))
  }
  return { seconds, answers }
}

const minisearch = await measured(
  () => {
    const index = new MiniSearch({
      fields: ['title', 'heading', 'content', 'code'],
      tokenize: words,
      processTerm: (term) => (STOP.has(term.toLowerCase()) ? null : term.toLowerCase()),
      searchOptions: {
        boost: { title: 4, heading: 3, content: 1, code: 0.5 },
        prefix: true,
        fuzzy: (term) => (term.length > 3 ? 0.2 : false),
        combineWith: 'AND',
      },
    })
    index.addAll(rows)
    return index
  },
  (index, text) => {
    const all = index.search(text)
    const found = all.length > 0 ? all : index.search(text, { combineWith: 'OR' })
    return found.map((hit) => hit.id)
  },
)

const orama = await measured(
  async () => {
    const index = create({
      schema: { title: 'string', heading: 'string', content: 'string', code: 'string' },
      components: {
        tokenizer: {
          language: 'english',
          normalizationCache: new Map(),
          tokenize: (text) => words(text).map((word) => word.toLowerCase()),
        },
      },
    })
    await insertMultiple(
      index,
      rows.map(({ id, title, heading, content, code }) => ({ id: String(id), title, heading, content, code })),
    )
    return index
  },
  async (index, text) => {
    const term = words(text).filter((word) => !STOP.has(word.toLowerCase())).join(' ') || text
    const { hits } = await search(index, { term, limit: 200, boost: { title: 4, heading: 3 }, threshold: 1 })
    return hits.map((hit) => Number(hit.id))
  },
)

console.log(JSON.stringify({ MiniSearch: minisearch, Orama: orama }))
