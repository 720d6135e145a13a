// Renders pages from the samples: answers pending queries until there is a page.
import type { Envelope } from '../src/api/call'
import type { Outcome } from '../src/entry.server'
import { render } from '../src/entry.server'
import { config, example, file, home, landing, pack, page, post, shell } from './samples'

export const ok = (data: unknown): Envelope => ({ kind: 'ok', data })
export type Answer = (data: { filePath?: string; path?: string; id?: string; name?: string }) => Envelope

const unknown = { contributors: null, dependents: null, downloadsTotal: null, downloadsPerDay: null }
const figures = { ...unknown, stars: { value: 5678, asOf: '2025-03-02', isOld: true } }
const familyFigures = {
  stars: { value: 56_789, asOf: '2025-03-18', isOld: false },
  contributorsPerRepository: null,
  dependentsPerPackage: null,
  downloadsTotal: { value: 1_234_567, asOf: '2025-03-17', isOld: false },
  downloadsPerDay: { value: 8640, asOf: '2025-03-17', isOld: false },
}

const ANSWERS: Record<string, Answer> = {
  'site.shell': () => ok(shell),
  'docs.config': () => ok(config),
  'docs.framework': () => ok([]),
  'docs.page': ({ filePath = '' }) => ok(page(filePath, '\u00020\u0002')),
  'catalog.library': () => ok(landing),
  'figures.library': () => ok(figures),
  'figures.family': () => ok(familyFigures),
  'sponsors.pack': () => ok(pack),
  'example.files': ({ name }) => ok(example(`${name}`, ['src/main.tsx', 'README.md'])),
  'example.file': ({ path }) => ok(file(path ?? 'src/main.tsx')),
  'example.list': () => ok({ counts: [], cards: [], source: 'https://github.com/acme/atlas' }),
  'blog.list': () => ok([post]),
  'page.read': ({ name }) => ({ kind: 'not_found', message: `There is no page ${name}` }),
  'home.page': () => ok(home),
  'home.random': () => ok(0.5),
  'blog.post': ({ path }) => ({ kind: 'not_found', message: `There is no post ${path}` }),
}

export interface Rendered {
  outcome: Outcome
  /** The functions called in each round. */
  rounds: string[][]
}

export async function renderWithSamples(url: string, answers: Record<string, Answer> = {}, shared = false): Promise<Rendered> {
  const prefetched: Record<string, Envelope> = {}
  const rounds: string[][] = []
  const go = async (): Promise<Rendered> => {
    const files = Object.keys(prefetched).filter((key) => /^(site\.shell|docs\.config)/.test(key))
    const where = Object.fromEntries(files.map((key) => [key, `/_shared/${key.split('\n')[0]}.json`]))
    const outcome = await render({ url, prefetched, shared: shared ? where : {} })
    if (outcome.type !== 'pending') return { outcome, rounds }
    rounds.push(outcome.queries.map((query) => query.id))
    for (const { key, id, data } of outcome.queries) {
      prefetched[key] = { ...ANSWERS, ...answers }[id]?.(Object(data)) ?? { kind: 'error', code: 'x', message: id }
    }
    return rounds.length > 5 ? { outcome, rounds } : go()
  }
  return go()
}

export async function html(url: string, answers: Record<string, Answer> = {}, shared = false): Promise<string> {
  const { outcome } = await renderWithSamples(url, answers, shared)
  if (outcome.type !== 'html') throw new Error(`${url} is no page: ${JSON.stringify(outcome)}`)
  return outcome.html
}
