import { readAreaFiles } from '../lib/areaFiles'

/** Loads the stylesheet of what scripts add to pages. A visit leaves it. */
export function loadPageStyles(): void {
  const href = readAreaFiles()['page-notes']
  if (!href || document.querySelector(`link[href="${href}"]`)) return
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
  link.dataset.permanent = ''
  document.head.append(link)
}
