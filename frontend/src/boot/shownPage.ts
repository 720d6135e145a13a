// What the address says about the shown page.

/** The path from the site's root. */
export function sitePathname({ pathname }: { pathname: string } = location): string {
  return pathname.slice(window.__kinfolk.base.length)
}

/** The first segment of the path from the site's root: the library of a docs page. */
export function firstSegment(): string {
  return sitePathname().split('/')[1] ?? ''
}

export function isSearchPage(): boolean {
  // No library can have this id.
  return firstSegment() === 'search'
}
