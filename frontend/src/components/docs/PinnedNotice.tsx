import type { LibraryCard } from '../../api/generated'
import { PREFERENCES_SCRIPT } from '../../lib/bootApi'
import { InlineScript } from '../ui/InlineScript'
import { PinnedVersion } from '../ui/PinnedVersion'

/** Above the docs of a library for readers who pinned a version of it: a page is the same for all readers, so all have it. */
export function PinnedNotice({ library }: { library: LibraryCard }) {
  return (
    <>
      <aside aria-label="Pinned" className="notice-bar" data-pinned={library.id} hidden suppressHydrationWarning>
        Pinned:
        <PinnedVersion library={library} />
      </aside>
      <InlineScript script={PREFERENCES_SCRIPT} />
    </>
  )
}
