// Addresses of the stylesheets and scripts of parts of the site, in the element that names the files of the build.

/** Their names are those of the files, without the digest: as JSON, with names, the list would be twice as long in each page. */
export function readAreaFiles(): Record<string, string> {
  const list = document.querySelector<HTMLElement>('script[data-app]')?.dataset.styles ?? ''
  return Object.fromEntries(list.split(' ').map((url) => [/([^/]+)-[\w-]{8}\.\w+$/.exec(url)?.[1] ?? '', url]))
}
