// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Load } from '../../api/call'
import type { DeliveryItem, DeliveryReport, DeliveryRequest } from '../../api/generated'
import { render } from '../../../tests/render'
import { deliverySentence, deliveryState, formatSeconds } from './deliverySentences'
import { WebhookDeliveries } from './WebhookDeliveries'

const NOW = '2026-11-29T12:00:00Z'
const COMMIT = 'b'.repeat(40)
const push: DeliveryItem = {
  key: 'a',
  at: '2026-11-29T11:59:58Z',
  host: 'github',
  id: '7d3',
  event: 'push',
  repo: 'acme/atlas',
  ref: 'main',
  commit: COMMIT,
  status: 202,
  result: 'accepted',
  outcome: 'push',
  detail: '',
  count: 1,
  earlier: 0,
  sync: 'served',
  syncCommit: COMMIT,
  syncAfterS: 1.24,
  syncReason: '',
}
const refused: DeliveryItem = {
  ...push,
  key: 'b',
  id: '',
  event: '',
  repo: '',
  ref: '',
  commit: '',
  status: 403,
  result: 'refused',
  outcome: 'wrong_signature',
  count: 1204,
  sync: null,
  syncAfterS: null,
}
const report: DeliveryReport = {
  now: NOW,
  hasSecret: true,
  mirrored: true,
  refreshS: 300,
  addresses: [{ host: 'github', label: 'GitHub', url: 'https://docs.example.com/_hooks/github' }],
  repositories: ['acme/atlas', 'acme/loom'],
  deliveries: [],
}

async function show(found: Partial<DeliveryReport>): Promise<DeliveryRequest[]> {
  const requests: DeliveryRequest[] = []
  const load = (async (_: string, request: DeliveryRequest) => {
    requests.push(request)
    return { ...report, ...found }
  }) as unknown as Load
  await render(<WebhookDeliveries load={load} />)
  await screen.findAllByRole('heading')
  return requests
}

test('without a delivery, the page says how to set up the webhook, with its address', async () => {
  await show({ hasSecret: false })
  expect(screen.getByText(/The webhook is not set up/)).toBeTruthy()
  expect(screen.getByText('https://docs.example.com/_hooks/github')).toBeTruthy()
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent.slice(0, 26))[0]).toBe('Set KINFOLK_WEBHOOK_SECRET')
})

test('with a secret, the step that sets it is left out', async () => {
  await show({})
  expect(screen.getByText('No delivery has arrived in the last 30 days.')).toBeTruthy()
  expect(screen.getAllByRole('listitem')).toHaveLength(3)
})

test('docs of a folder have no webhook to set up', async () => {
  await show({ mirrored: false })
  expect(screen.getByText('The docs come from a folder, which no push changes.')).toBeTruthy()
})

test('a delivery has its state in words, and what came of it', async () => {
  await show({ deliveries: [{ ...push, earlier: 1 }, refused] })
  const [first, second] = screen.getAllByRole('listitem')
  expect(first?.textContent).toContain('acme/atlas, branch main servedrepeated')
  expect(first?.textContent).toContain('Commit bbbbbbbb was served 1.2\u00a0s after the delivery.')
  expect(first?.textContent).toContain('Nov 29, 2026, 11:59:58 UTC · GitHub push · status 202 · delivery 7d3 · attempt 2')
  expect(second?.textContent).toContain('Unverified request refused')
  expect(second?.textContent).toContain('1,204 requests within a minute')
  expect(second && within(second).getByText('KINFOLK_WEBHOOK_SECRET').tagName).toBe('CODE')
})

test('a filter without deliveries keeps the filters', async () => {
  const requests = await show({ deliveries: [push] })
  fireEvent.click(screen.getByRole('button', { name: 'Failed' }))
  await screen.findByRole('button', { name: 'Failed', pressed: true })
  expect(requests.at(-1)).toEqual({ result: 'failed', repo: '' })
})

test.each<[Partial<DeliveryItem>, string, string]>([
  [{ sync: null, syncAfterS: null }, 'sync running', 'The sync has not ended yet.'],
  [{ sync: null, syncAfterS: null, at: '2026-11-29T11:00:00Z' }, 'no result', 'How its sync ended is not stored'],
  [{ sync: 'failed', syncReason: 'main: no answer' }, 'sync failed', 'The sync failed after 1.2\u00a0s: main: no answer.'],
  [{ sync: 'served', syncCommit: 'c'.repeat(40) }, 'served', 'Commit cccccccc was served 1.2\u00a0s after the delivery. The code host sent it in place of bbbbbbbb.'],
  [{ sync: 'no_change' }, 'nothing new', 'It changes no file that the site shows.'],
  [{ sync: 'no_commit' }, 'nothing new', 'The sync ended after 1.2\u00a0s without a new commit'],
  [{ outcome: 'tag', sync: 'no_commit' }, 'synced', 'its releases were looked up, within 1.2\u00a0s.'],
  [{ outcome: 'other_branch', result: 'ignored', detail: 'main, v4' }, 'ignored', 'The site shows other branches of this repository: main, v4.'],
  [{ outcome: 'turned_off', result: 'ignored', ref: '#7' }, 'ignored', '`KINFOLK_PREVIEWS` is 0'],
  [{ outcome: 'turned_off', result: 'ignored', ref: '' }, 'ignored', '`KINFOLK_RELEASE_NOTES` is off'],
])('%j is said in words', (changes, state, sentence) => {
  const delivery = { ...push, ...changes }
  expect(deliveryState(delivery, delivery.at < '2026-11-29T11:30:00Z')).toBe(state)
  expect(deliverySentence(delivery, NOW)).toContain(sentence)
})

test('durations have the unit that fits', () => {
  expect([0.04, 9.9, 61, 300].map(formatSeconds)).toEqual(['0.0\u00a0s', '9.9\u00a0s', '61\u00a0s', '5\u00a0min'])
})
