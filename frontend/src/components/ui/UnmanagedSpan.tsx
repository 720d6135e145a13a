import type { HTMLAttributes } from 'react'

const EMPTY_HTML = { __html: '' }

/** A span whose children belong to a script. React renders it empty and never changes its children. */
export function UnmanagedSpan(attributes: HTMLAttributes<HTMLSpanElement> & { [name: `data-${string}`]: string }) {
  return <span {...attributes} data-unmanaged="" dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
}
