// The notice for readers whom a redirect or a menu led to another page than they expected.
import type { Load } from '../../api/call'
import type { ArrivalNotice } from '../../api/generated'
import { docsPath } from '../paths'

/** The query parameter with the address that the reader came from. */
export interface ArrivalSearch {
  from?: string
}

/** A notice, and the origin that it is about. */
export interface Arrival {
  origin: string
  notice: ArrivalNotice
}

/** Placed after a notice whose links are the same page for other frameworks: opens the one for the framework that the reader chose. */
export const ARRIVAL_SCRIPT = `(()=>{
const framework=__kinfolk.read('framework')
if(!/^[\\w-]+$/.test(framework||''))return
const link=document.querySelector('[data-by-framework] a[href*="/docs/framework/'+framework+'/"]')
if(link)location.replace(link.href)
})()`

interface ArrivalPlace {
  library: string
  version: string
  pathname: string
}

export function parseArrivalSearch({ from }: Record<string, unknown>): ArrivalSearch {
  return typeof from === 'string' ? { from } : {}
}

/** The origin of the URL; in the browser that of the notice in the document, because the boot script cleans the URL. */
export function arrivalOrigin({ from }: ArrivalSearch): string | undefined {
  return import.meta.env.SSR ? from : document.querySelector<HTMLElement>('[data-arrival]')?.dataset.arrival
}

/** Loads the notice. A page whose notice cannot be loaded has none. */
export async function loadArrival(load: Load, origin: string | undefined, place?: ArrivalPlace): Promise<Arrival | null> {
  if (!origin) return null
  const page = place ? { library: place.library, version: place.version, path: docsPath(place.pathname) ?? '' } : {}
  const notice = await load('docs.arrival', { origin, ...page }).catch(() => null)
  return notice && { origin, notice }
}
