import { expect, test } from 'vitest'
import { failed, NO_ANSWER, readEvent, readLines, shownSections, withEvent } from './answer'

const SECTIONS = [1, 2].map((number) => ({ number, title: `Page ${number}`, trail: [], library: 'atlas', to: `/${number}` }))

function stream(...pieces: string[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(encoder.encode(piece))
      controller.close()
    },
  })
}

async function linesOf(...pieces: string[]): Promise<string[]> {
  const lines = []
  for await (const line of readLines(stream(...pieces))) lines.push(line)
  return lines
}

test('lines are the same however they arrive', async () => {
  expect(await linesOf('{"a":1}\n{"b":2}\n')).toEqual(['{"a":1}', '{"b":2}'])
  expect(await linesOf('{"a"', ':1}\n{"b":2', '}')).toEqual(['{"a":1}', '{"b":2}'])
  expect(await linesOf()).toEqual([])
})

test('events make an answer', () => {
  const lines = [
    JSON.stringify({ kind: 'sources', sections: SECTIONS }),
    '{"kind":"sentence","text":"It is cached.","sources":[2]}',
    '{"kind":"ended","outcome":"answered"}',
  ]
  const answer = lines.map(readEvent).reduce(withEvent, NO_ANSWER)
  expect(answer).toEqual({ status: 'answered', sections: SECTIONS, sentences: [{ text: 'It is cached.', sources: [2] }] })
  expect(shownSections(answer).map(({ number }) => number)).toEqual([2])
})

test('without an answer all sections are shown', () => {
  const answer = withEvent({ ...NO_ANSWER, sections: SECTIONS }, { kind: 'ended', outcome: 'not_in_docs' })
  expect(answer.status).toBe('notInDocs')
  expect(shownSections(answer)).toEqual(SECTIONS)
})

test('a failure keeps the sentences before it', () => {
  const begun = withEvent(NO_ANSWER, { kind: 'sentence', text: 'It is cached.', sources: [1] })
  const answer = withEvent(begun, { kind: 'failed', message: 'Try again.' })
  expect(answer).toEqual(failed(begun, 'Try again.'))
  expect(answer).toMatchObject({ status: 'failed', message: 'Try again.', sentences: begun.sentences })
})
