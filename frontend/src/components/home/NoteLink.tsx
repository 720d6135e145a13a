import type { TextLink } from '../../api/generated'
import { anyUrl } from '../../lib/paths'
import { AnyLink } from '../ui/Link'

/** A link of the data below a section. */
export function NoteLink({ link }: { link: TextLink | null }) {
  if (!link) return null
  return (
    <p className="home-note">
      <AnyLink to={anyUrl(link.to)} className="text-link">
        {link.label}
      </AnyLink>
    </p>
  )
}
