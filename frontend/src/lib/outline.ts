// The outline of a page: its headings, and which of them belong to a framework's panel.
import type { DocHeading, DocPage } from '../api/generated'

const FIRST_CHOICE = 'react'

/** The framework whose panels are shown before the reader chooses: the page's own, else React, else the first one. */
export function shownFramework(headings: readonly DocHeading[], page: string | undefined): string | null {
  const named = headings.flatMap((heading) => heading.framework ?? [])
  return [page, FIRST_CHOICE].find((value) => value && named.includes(value)) ?? named[0] ?? null
}

/** One heading is no outline. */
export function isOutlined(page: Pick<DocPage, 'toc' | 'headings'>): boolean {
  return page.toc && page.headings.length > 1
}
