import { createFileRoute, redirect } from '@tanstack/react-router'
import { replaceVersion } from '../../../lib/paths'
import { LATEST, findVersion } from '../../../lib/version'

export const Route = createFileRoute('/$library/$version')({
  beforeLoad: ({ context: { library }, params, location }) => {
    const version = findVersion(library, params.version)
    if (!version) {
      throw redirect({ href: replaceVersion(location.pathname, LATEST) + location.searchStr })
    }
    return { version }
  },
})
