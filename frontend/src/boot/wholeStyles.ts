// The server's page contains the part of each stylesheet that can apply to it. What scripts show besides may need all of it.

/** Text of a stylesheet with a file. A brand may have styles of its own, whose names are no addresses. */
const PARTS = 'style[data-href^="/"]'

let loading: Promise<unknown> | undefined

/** Replaces the parts by the files, once. Rejects if a file cannot load; the next call tries again. */
export function loadWholeStyles(): Promise<unknown> {
  if (!loading) {
    loading = Promise.all([...document.querySelectorAll<HTMLStyleElement>(PARTS)].map(replaceByFile))
    loading.catch(() => (loading = undefined))
  }
  return loading
}

function replaceByFile(part: HTMLStyleElement): Promise<void> {
  const { href = '', precedence = '' } = part.dataset
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  // React knows its stylesheets by their precedence.
  link.dataset.precedence = precedence
  // The order of stylesheets counts.
  part.after(link)
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => {
      part.remove()
      resolve()
    })
    link.addEventListener('error', () => {
      link.remove()
      reject(new Error(`Cannot load ${href}`))
    })
  })
}
