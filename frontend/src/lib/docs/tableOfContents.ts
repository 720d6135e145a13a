// The table of contents of a page, and the headings that belong to a framework's panel.
import type { DocHeading, DocPage } from '../../api/generated'

/** The framework whose panels are shown by default: the page's own, else the family's first, else the first one. */
export function defaultFramework(headings: readonly DocHeading[], page: string | undefined, first: string | null): string | null {
  const named = headings.flatMap((heading) => heading.framework ?? [])
  return [page, first].find((value) => value && named.includes(value)) ?? named[0] ?? null
}

/** Needs two headings at least. */
export function hasTableOfContents(page: Pick<DocPage, 'toc' | 'headings'>): boolean {
  return page.toc && page.headings.length > 1
}
