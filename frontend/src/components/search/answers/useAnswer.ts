// Requests an answer and follows it.
import { useCallback, useEffect, useRef, useState } from 'react'
import { withBase } from '../../../lib/paths'
import type { Answer } from './answer'
import { failed, NO_ANSWER, readEvent, readLines, withEvent } from './answer'

export interface AnswerQuestion {
  question: string
  library: string
  framework: string
  version: string
}

const LOST = 'The connection was lost. Check it, and try again.'

/** The answer, and functions that stop it and request it again. It stops when the component unmounts. */
export function useAnswer(requested: AnswerQuestion, isShared: () => boolean) {
  const [answer, setAnswer] = useState<Answer>(NO_ANSWER)
  const [attempt, setAttempt] = useState(0)
  const request = useRef<AbortController | null>(null)
  const body = JSON.stringify(requested)
  useEffect(() => {
    const control = new AbortController()
    request.current = control
    setAnswer(NO_ANSWER)
    const sent = JSON.stringify({ ...(JSON.parse(body) as AnswerQuestion), share: isShared() })
    void follow(sent, control.signal, (change) => {
      if (!control.signal.aborted) setAnswer(change)
    })
    return () => control.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- a change of the consent asks nothing again
  }, [body, attempt])
  const stop = useCallback(() => {
    request.current?.abort()
    setAnswer((now) => (now.status === 'writing' ? { ...now, status: 'stopped' } : now))
  }, [])
  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  return { answer, stop, retry }
}

async function follow(body: string, signal: AbortSignal, change: (make: (answer: Answer) => Answer) => void): Promise<void> {
  const fail = (message: string) => change((answer) => (answer.status === 'writing' ? failed(answer, message) : answer))
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(withBase('/api/ask'), { method: 'POST', headers, body, signal })
    if (!response.ok || !response.body) {
      fail(await messageOf(response))
      return
    }
    for await (const line of readLines(response.body)) {
      const event = readEvent(line)
      change((answer) => withEvent(answer, event))
    }
    // A complete answer has ended by now.
    fail(LOST)
  } catch {
    fail(LOST)
  }
}

/** A proxy may respond with HTML. */
async function messageOf(response: Response): Promise<string> {
  const { message }: { message?: unknown } = await response.json().catch(() => ({}))
  return typeof message === 'string' ? message : 'The server cannot answer right now. Try again in a moment.'
}
