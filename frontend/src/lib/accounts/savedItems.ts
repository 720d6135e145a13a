// What readers save: comparisons, bookmarks, pages to continue, notes, preferences. The browser holds all of it, signed in
// or not; signed in, changes are exchanged with the server (`kinfolk.accounts.saved_items`).
import type { ExchangeAnswer, ItemKind } from '../../api/generated'
import { SAVED_CHANGED } from '../events'
import { SAVED_ITEMS, SAVED_STATE } from '../storageKeys'

export interface SavedValues {
  comparison: { name: string; query: string }
  bookmark: { title: string; library: string; digest: string; heading: string }
  reading: { title: string; library: string; digest: string; heading: string; progress: number }
  note: { text: string; title: string; heading: string; digest: string }
  preference: { value: string }
}

export interface Saved<Kind extends ItemKind> {
  key: string
  value: SavedValues[Kind]
  /** When it was changed, in milliseconds since 1970. */
  changedMs: number
  /** The end of the public address of a comparison. */
  slug: string | null
}

/** An item as it is stored. `value` is null for a deleted item that the server does not know of yet. */
interface StoredItem {
  value: unknown
  changedMs: number
  slug?: string | null
  /** The server does not have this change. */
  pending?: true
}

type StoredItems = Record<string, StoredItem>

interface ExchangeState {
  /** The account of the items; undefined for those of a reader who is signed out. */
  owner?: string
  revision: number
  exchangedMs: number
}

export const ITEM_KINDS = ['comparison', 'bookmark', 'reading', 'note', 'preference'] as const satisfies readonly ItemKind[]

/** Of pages to continue, the oldest are dropped. The server has the same limit. */
const MOST_READING = 200
/** Changes in one exchange. The server refuses more than 500. */
const MOST_CHANGES = 200
/** The server forgets deleted items after 90 days: a browser that was away for longer than this fetches everything. */
const LONGEST_AWAY_MS = 60 * 24 * 3600 * 1000
const LOCK = 'kinfolk-saved-items'

function parse<Value>(text: string | null | undefined, fallback: Value): Value {
  try {
    // Written by this module. Whatever else stands there is replaced by the next change.
    const value: unknown = JSON.parse(text ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Value) : fallback
  } catch {
    return fallback
  }
}

function readAll(kind: ItemKind): StoredItems {
  return parse<StoredItems>(window.__kinfolk.read(SAVED_ITEMS + kind), {})
}

function writeAll(kind: ItemKind, items: StoredItems): void {
  window.__kinfolk.write(SAVED_ITEMS + kind, JSON.stringify(items))
}

function readState(): ExchangeState {
  return parse<ExchangeState>(window.__kinfolk.read(SAVED_STATE), { revision: 0, exchangedMs: 0 })
}

function writeState(state: ExchangeState): void {
  window.__kinfolk.write(SAVED_STATE, JSON.stringify(state))
}

function announce(): void {
  document.dispatchEvent(new Event(SAVED_CHANGED))
}

/** Whether the reader has a session, as far as scripts may know. */
export function isSignedIn(): boolean {
  return /(?:^|; )signed-in=1/.test(document.cookie)
}

/** The items of a kind, the newest first. */
export function savedItems<Kind extends ItemKind>(kind: Kind): Saved<Kind>[] {
  return Object.entries(readAll(kind))
    .flatMap(([key, { value, changedMs, slug = null }]) =>
      // Values are checked by the server, or were made here.
      value === null ? [] : [{ key, value: value as SavedValues[Kind], changedMs, slug }],
    )
    .toSorted((one, other) => other.changedMs - one.changedMs || one.key.localeCompare(other.key))
}

export function savedItem<Kind extends ItemKind>(kind: Kind, key: string): SavedValues[Kind] | undefined {
  const found = readAll(kind)[key]
  return found && found.value !== null ? (found.value as SavedValues[Kind]) : undefined
}

export function saveItem<Kind extends ItemKind>(kind: Kind, key: string, value: SavedValues[Kind], now = Date.now()): void {
  const items = readAll(kind)
  items[key] = { value, changedMs: now, slug: items[key]?.slug ?? null, pending: true }
  if (kind === 'reading') dropOldest(items)
  writeAll(kind, items)
  announce()
}

function dropOldest(items: StoredItems): void {
  const newest = Object.entries(items).toSorted(([, one], [, other]) => other.changedMs - one.changedMs)
  for (const [key] of newest.slice(MOST_READING)) delete items[key]
}

export function removeItem(kind: ItemKind, key: string, now = Date.now()): void {
  const items = readAll(kind)
  // Without an account, no other browser has to learn of it.
  if (readState().owner) items[key] = { value: null, changedMs: now, pending: true }
  else delete items[key]
  writeAll(kind, items)
  announce()
}

/** Sets the public address of a comparison, which only the server gives. */
export function setSlug(key: string, slug: string | null): void {
  const items = readAll('comparison')
  const found = items[key]
  if (!found) return
  found.slug = slug
  writeAll('comparison', items)
  announce()
}

/** Removes the items of an account that is signed out: the next person at this browser must not see them. */
export function forgetAccount(): void {
  if (isSignedIn() || !readState().owner) return
  clear()
  announce()
}

function clear(): void {
  for (const kind of ITEM_KINDS) writeAll(kind, {})
  writeState({ revision: 0, exchangedMs: 0 })
}

interface Change {
  kind: ItemKind
  key: string
  value: string | null
  changedMs: number
}

function pendingChanges(): Change[] {
  return ITEM_KINDS.flatMap((kind) =>
    Object.entries(readAll(kind)).flatMap(([key, { value, changedMs, pending }]) =>
      pending ? [{ kind, key, value: value === null ? null : JSON.stringify(value), changedMs }] : [],
    ),
  )
}

/** Whether there are changes that the server does not have, or the last exchange is older than `maxAgeMs`. */
export function isExchangeDue(maxAgeMs: number, now = Date.now()): boolean {
  const { owner, exchangedMs } = readState()
  return !owner || now - exchangedMs > maxAgeMs || pendingChanges().length > 0
}

export type CallExchange = (request: {
  changes: Change[]
  since: number
  owner: string | null
}) => Promise<ExchangeAnswer>

/** Exchanges changes with the server until none is left. One tab at a time. Rejects if the server cannot be reached. */
export async function exchangeItems(call: CallExchange): Promise<void> {
  await oneTabAtATime(async () => {
    let left = pendingChanges()
    do {
      const { owner, revision, exchangedMs } = readState()
      const changes = left.slice(0, MOST_CHANGES)
      const isRecent = Date.now() - exchangedMs < LONGEST_AWAY_MS
      // Each part depends on the revision of the one before.
      // oxlint-disable-next-line no-await-in-loop
      apply(await call({ changes, since: isRecent ? revision : 0, owner: owner ?? null }), changes)
      const before = left.length
      left = pendingChanges()
      if (left.length >= before) break
    } while (left.length > 0)
  })
  announce()
}

async function oneTabAtATime(work: () => Promise<void>): Promise<void> {
  // Missing in insecure contexts, which TypeScript does not know.
  const locks = navigator.locks as LockManager | null | undefined
  if (locks) await locks.request(LOCK, work)
  else await work()
}

function apply({ owner, exchange }: ExchangeAnswer, sent: readonly Change[]): void {
  const state = readState()
  if (state.owner && state.owner !== owner) clear()
  const stored = sent.filter(({ key }) => !exchange.dropped.includes(key))
  for (const kind of ITEM_KINDS) {
    const items = readAll(kind)
    markStored(items, stored.filter((change) => change.kind === kind))
    if (exchange.complete) removeKnown(items)
    merge(items, exchange.items.filter((item) => item.kind === kind))
    writeAll(kind, items)
  }
  writeState({ owner, revision: exchange.revision, exchangedMs: Date.now() })
}

/** Changes that the server has are not pending any more, unless the reader has changed the item again meanwhile. */
function markStored(items: StoredItems, changes: readonly Change[]): void {
  for (const { key, changedMs } of changes) {
    const item = items[key]
    if (item?.changedMs !== changedMs) continue
    if (item.value === null) delete items[key]
    else delete item.pending
  }
}

function removeKnown(items: StoredItems): void {
  for (const [key, { pending }] of Object.entries(items)) if (!pending) delete items[key]
}

function merge(items: StoredItems, ofServer: ExchangeAnswer['exchange']['items']): void {
  for (const { key, value, changedMs, slug } of ofServer) {
    const held = items[key]
    if (held?.pending && held.changedMs > changedMs) continue
    if (value === null) delete items[key]
    else items[key] = { value: JSON.parse(value), changedMs, slug }
  }
}
