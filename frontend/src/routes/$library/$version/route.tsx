import { createFileRoute, redirect } from '@tanstack/react-router'
import { inVersion } from '../../../lib/paths'
import { LATEST, versionOf } from '../../../lib/version'

export const Route = createFileRoute('/$library/$version')({
  beforeLoad: ({ context: { library }, params, location }) => {
    const version = versionOf(library, params.version)
    if (!version) {
      throw redirect({ href: inVersion(location.pathname, LATEST) + location.searchStr })
    }
    return { version }
  },
})
