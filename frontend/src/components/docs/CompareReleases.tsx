import type { LibraryCard } from '../../api/generated'
import { paths, withBase } from '../../lib/paths'
import { Button } from '../ui/Button'

interface Props {
  library: LibraryCard
  older: string
  newer: string
}

/** Opens the changes between two releases. The server redirects, so it needs no script. */
export function CompareReleases({ library, older, newer }: Props) {
  return (
    <form action={withBase(paths.releases(library.id))} className="compare-releases">
      <label>
        From
        <input name="older" defaultValue={older} required maxLength={60} autoComplete="off" spellCheck={false} />
      </label>
      <label>
        to
        <input name="newer" defaultValue={newer} required maxLength={60} autoComplete="off" spellCheck={false} />
      </label>
      <Button type="submit">Compare</Button>
    </form>
  )
}
