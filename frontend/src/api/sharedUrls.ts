// The addresses of the answers that many pages share.

/** The files with shared answers that the page in the document names. */
export function sharedUrls(): string[] {
  const { shared = '' } = document.querySelector<HTMLElement>('script[data-shared]')?.dataset ?? {}
  return shared.split(' ').filter(Boolean)
}

/** The file with the answer of a function. Throws on a page that names none. */
export function sharedUrl(id: string): string {
  const url = sharedUrls().find((href) => new URL(href, location.origin).pathname.endsWith(`/${id}`))
  if (!url) throw new Error(`This page has no ${id}`)
  return url
}
