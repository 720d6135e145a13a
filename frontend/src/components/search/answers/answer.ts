// The state of an answer, made of the events that the server sends.

/** A section that the answer may name. `to` is its path on this site. */
export interface AnswerSection {
  number: number
  title: string
  trail: string[]
  library: string
  to: string
}

export interface AnswerSentence {
  text: string
  sources: number[]
}

type AnswerEvent =
  | { kind: 'sources'; sections: AnswerSection[] }
  | ({ kind: 'sentence' } & AnswerSentence)
  | { kind: 'ended'; outcome: 'answered' | 'not_in_docs' }
  | { kind: 'failed'; message: string }

interface Content {
  sections: AnswerSection[]
  sentences: AnswerSentence[]
}

/** `writing` includes the time before the first sentence. The message of a failure is shown. */
export type Answer = Content &
  ({ status: 'writing' | 'answered' | 'notInDocs' | 'stopped' } | { status: 'failed'; message: string })

export const NO_ANSWER: Answer = { status: 'writing', sections: [], sentences: [] }

export function withEvent(answer: Answer, event: AnswerEvent): Answer {
  switch (event.kind) {
    case 'sources':
      return { ...answer, sections: event.sections }
    case 'sentence':
      return { ...answer, sentences: [...answer.sentences, { text: event.text, sources: event.sources }] }
    case 'ended':
      return { ...answer, status: event.outcome === 'answered' ? 'answered' : 'notInDocs' }
    case 'failed':
      return failed(answer, event.message)
  }
}

export function failed({ sections, sentences }: Answer, message: string): Answer {
  return { status: 'failed', sections, sentences, message }
}

/** The sections that the sentences name, or all of them without an answer. */
export function shownSections({ sections, sentences }: Answer): AnswerSection[] {
  const named = new Set(sentences.flatMap(({ sources }) => sources))
  return sentences.length > 0 ? sections.filter(({ number }) => named.has(number)) : sections
}

/** The lines of a stream. The last one may lack its end. */
export async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one piece after the other
    const { done, value } = await reader.read()
    rest += decoder.decode(value, { stream: !done })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (done) break
  }
  if (rest) yield rest
}

/** An event of our own server. */
export function readEvent(line: string): AnswerEvent {
  return JSON.parse(line) as AnswerEvent // the format of `answer_endpoint.py`
}
