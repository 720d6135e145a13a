// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { SHARE_QUESTIONS } from '../../../lib/search/search'
import { render, storage } from '../../../../tests/render'
import { AnswerPanel } from './AnswerPanel'

const QUESTION = { question: 'What is cached?', library: 'atlas', framework: '', version: 'latest' }
const SOURCES = {
  kind: 'sources',
  sections: [1, 2].map((number) => ({ number, title: `Page ${number}`, trail: ['Part'], library: 'atlas', to: `/atlas/latest/docs/${number}` })),
}

const requests: { body: string; signal: AbortSignal }[] = []
let controller: ReadableStreamDefaultController<Uint8Array>
const back = vi.fn<() => void>()

function send(event: object): void {
  controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`))
}

beforeEach(() => {
  requests.length = 0
  vi.stubGlobal('fetch', async (_: string, { body, signal }: { body: string; signal: AbortSignal }) => {
    requests.push({ body, signal })
    const content = new ReadableStream<Uint8Array>({
      start(made) {
        controller = made
      },
    })
    return { ok: true, body: content }
  })
})

async function openPanel() {
  await render(<AnswerPanel requested={QUESTION} onBack={back} onFollow={() => undefined} />)
  expect(screen.getByText('Reading the docs…')).toBeTruthy()
  await vi.waitFor(() => expect(controller).toBeTruthy())
}

test('sentences appear with links to their sections, and HTML is text', async () => {
  await openPanel()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'What is cached?' }))
  send(SOURCES)
  send({ kind: 'sentence', text: 'Call `read()` and <b>wait</b>.', sources: [2] })
  const mark = await screen.findByRole('link', { name: 'Source 2: Page 2' })
  expect(mark.getAttribute('href')).toBe('/atlas/latest/docs/2')
  const log = screen.getByRole('log', { name: 'Answer' })
  expect(log.getAttribute('aria-live')).toBe('polite')
  expect(log.textContent).toContain('Call read() and <b>wait</b>.')
  expect(log.querySelector('code')?.textContent).toBe('read()')
  expect(log.querySelector('b')).toBeNull()
  send({ kind: 'ended', outcome: 'answered' })
  const list = await screen.findByRole('list', { name: 'Sources' })
  expect([...list.querySelectorAll('a')].map((link) => link.textContent)).toEqual(['2Page 2 › Part'])
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull()
})

test('an answer that the docs do not have shows the closest sections', async () => {
  await openPanel()
  send(SOURCES)
  send({ kind: 'ended', outcome: 'not_in_docs' })
  expect(await screen.findByText('The docs do not say. These sections are the closest:')).toBeTruthy()
  expect(screen.getByRole('list', { name: 'Sections' }).children).toHaveLength(2)
})

test('"Stop" ends the request, and "Try again" asks again', async () => {
  await openPanel()
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Stopped.')).toBeTruthy()
  expect(requests[0]?.signal.aborted).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Reading the docs…')).toBeTruthy()
  expect(requests).toHaveLength(2)
})

test('a stream that ends early says so and keeps its sentences', async () => {
  await openPanel()
  send(SOURCES)
  send({ kind: 'sentence', text: 'It is cached.', sources: [1] })
  controller.close()
  expect(await screen.findByText('The connection was lost. Check it, and try again.')).toBeTruthy()
  expect(screen.getByText('It is cached.')).toBeTruthy()
})

test('a refusal shows the message of the server', async () => {
  vi.stubGlobal('fetch', async () => ({ ok: false, json: async () => ({ message: 'Too many questions. Try again in 9 seconds.' }) }))
  await render(<AnswerPanel requested={QUESTION} onBack={back} onFollow={() => undefined} />)
  expect(await screen.findByText('Too many questions. Try again in 9 seconds.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})

test('questions are shared only after the reader agrees, which is remembered', async () => {
  await openPanel()
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({ ...QUESTION, share: false })
  fireEvent.click(screen.getByRole('checkbox', { name: /^Show the maintainers/ }))
  expect(storage.get(SHARE_QUESTIONS)).toBe('yes')
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  await vi.waitFor(() => expect(requests).toHaveLength(2))
  expect(JSON.parse(requests[1]?.body ?? '')).toEqual({ ...QUESTION, share: true })
})

test('"Back to results" leaves the answer', async () => {
  await openPanel()
  fireEvent.click(screen.getByRole('button', { name: 'Back to results' }))
  expect(back).toHaveBeenCalledOnce()
})
