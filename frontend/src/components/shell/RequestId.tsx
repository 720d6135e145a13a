import type { ReactElement } from 'react'
import { useState } from 'react'
import { ServerError } from '../../api/call'

/** Replaced by the server with the id of the request (`web/endpoints/pages/page_responses.py`). */
const PLACEHOLDER = '{request-id}'
const OF_PAGE = 'data-request-id'

/** The id of the request that failed: of the page, or of the function that the browser called. The log of the server has it. */
export function RequestId({ error }: { error: unknown }): ReactElement | null {
  const [id] = useState(() => requestId(error))
  if (!id) return null
  return (
    <p className="request-id">
      Request ID: <code {...{ [OF_PAGE]: '' }} suppressHydrationWarning>{id}</code>
      <br />
      If you report this error, include this ID.
    </p>
  )
}

function requestId(error: unknown): string {
  if (import.meta.env.SSR) return PLACEHOLDER
  if (error instanceof ServerError) return error.requestId
  // Hydration: what the server wrote.
  return document.querySelector(`[${OF_PAGE}]`)?.textContent ?? ''
}
