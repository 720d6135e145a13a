// The table of contents of a page, and the headings that belong to a framework's panel.
import type { DocHeading, DocPage } from '../api/generated'

const DEFAULT_FRAMEWORK = 'react'

/** The framework whose panels are shown by default: the page's own, else React, else the first one. */
export function defaultFramework(headings: readonly DocHeading[], page: string | undefined): string | null {
  const named = headings.flatMap((heading) => heading.framework ?? [])
  return [page, DEFAULT_FRAMEWORK].find((value) => value && named.includes(value)) ?? named[0] ?? null
}

/** Needs two headings at least. */
export function hasTableOfContents(page: Pick<DocPage, 'toc' | 'headings'>): boolean {
  return page.toc && page.headings.length > 1
}
