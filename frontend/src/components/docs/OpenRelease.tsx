import type { LibraryCard } from '../../api/generated'
import { paths, withBase } from '../../lib/paths'
import { Button } from '../ui/Button'

interface Props {
  library: LibraryCard
  /** The newest release, as an example of what to write. */
  example: string
  /** The path below the docs of the page to open. */
  page?: string
}

/** Opens the docs of a release by its number. The server redirects, so it needs no script. */
export function OpenRelease({ library, example, page }: Props) {
  return (
    <search>
      <form action={withBase(paths.releases(library.id))} className="open-release">
        <input
          name="release"
          aria-label={`Release of ${library.name}`}
          placeholder={`Release, as ${example}`}
          required
          maxLength={60}
          pattern="\s*v?[0-9a-z@.\-]+\s*"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
        />
        {page ? <input type="hidden" name="page" value={page} /> : null}
        <Button type="submit">Open</Button>
      </form>
    </search>
  )
}
