import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { arrivalOrigin, loadArrival, parseArrivalSearch } from '../../../lib/docs/arrival'
import { isPreviewName, replaceVersion } from '../../../lib/paths'
import { loadRelease } from '../../../lib/docs/release'
import { LATEST, findVersion } from '../../../lib/docs/version'

export const Route = createFileRoute('/$library/$version')({
  validateSearch: parseArrivalSearch,
  beforeLoad: async ({ context: { library, load }, params, location }) => {
    const version = findVersion(library, params.version) ?? (await loadRelease(load, library.id, params.version))
    if (!version && isPreviewName(params.version)) throw notFound()
    if (!version) {
      throw redirect({ href: replaceVersion(location.pathname, LATEST) + location.searchStr })
    }
    return { version }
  },
  loaderDeps: ({ search }) => ({ origin: arrivalOrigin(search) }),
  loader: ({ context: { load, library, version }, deps: { origin }, location: { pathname } }) =>
    loadArrival(load, origin, { library: library.id, version: version.name, pathname }),
})
