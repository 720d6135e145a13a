import type { Load } from '../api/call'

/** Loads the landing page of a version of a library. */
export async function loadLanding(load: Load, id: string, version: string) {
  const [page, figures, pack] = await Promise.all([
    load('catalog.library', { id, version }),
    load('figures.library', { id }),
    load('sponsors.pack', null),
  ])
  return { page, figures, pack }
}
