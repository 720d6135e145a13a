// Topics and their states, as the server sends them (`kinfolk.live`).

export interface Topic {
  name: string
  args: Record<string, string>
}

export type TopicData = Record<string, string | number | boolean | null>

export interface TopicState {
  /** The topic with its arguments: `docs.page?library=query&path=overview&version=latest`. */
  topic: string
  v: string
  data: TopicData
  asOf: string
}

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: string
  value?: TopicData[string]
}

export interface Patch {
  topic: string
  v: string
  base: string
  asOf: string
  ops: Operation[]
}

export function topicKey({ name, args }: Topic): string {
  const names = Object.keys(args).toSorted()
  return names.length > 0 ? `${name}?${names.map((each) => `${each}=${args[each]?.replace(/[%&=]/g, encodeURIComponent)}`).join('&')}` : name
}

/** The `q` of a request: JSON in base64url, with escapes for what is not ASCII. */
export function encodeTopics(topics: readonly Topic[]): string {
  const json = JSON.stringify(topics.map(({ name, args }) => ({ name, args }))).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return btoa(json).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The state after a patch; undefined if the patch does not begin at this state. */
export function applyPatch(state: TopicState | undefined, patch: Patch): TopicState | undefined {
  if (state?.v !== patch.base) return undefined
  const data = { ...state.data }
  for (const { op, path, value = null } of patch.ops) {
    const name = path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
    if (op === 'remove') delete data[name]
    else data[name] = value
  }
  return { topic: patch.topic, v: patch.v, data, asOf: patch.asOf }
}

/** Milliseconds until the next attempt: exponential with jitter, 1 to 30 s. */
export function retryDelay(failures: number, random = Math.random()): number {
  const longest = Math.min(30_000, 1000 * 2 ** failures)
  return Math.round(longest / 2 + (longest / 2) * random)
}
