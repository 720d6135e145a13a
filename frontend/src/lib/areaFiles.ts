/** Addresses of the stylesheets and scripts of parts of the site. Their names are those of the files, without the digest. */
export function readAreaFiles(): Record<string, string> {
  const urls = window.__kinfolk.files?.areas ?? ''
  return Object.fromEntries(urls.split(' ').map((url) => [/([^/]+)-[\da-f]+\.\w+$/.exec(url)?.[1] ?? '', url]))
}
