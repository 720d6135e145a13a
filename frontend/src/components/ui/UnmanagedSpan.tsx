import type { HTMLAttributes } from 'react'

type Attributes<Target> = HTMLAttributes<Target> & { [name: `data-${string}`]: string }

const EMPTY_HTML = { __html: '' }

/** A span whose children belong to a script. React renders it empty and never changes its children. */
export function UnmanagedSpan(attributes: Attributes<HTMLSpanElement>) {
  return <span {...attributes} data-unmanaged="" dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
}

/** As `UnmanagedSpan`, for blocks. */
export function UnmanagedDiv(attributes: Attributes<HTMLDivElement>) {
  return <div {...attributes} data-unmanaged="" dangerouslySetInnerHTML={EMPTY_HTML} suppressHydrationWarning />
}
