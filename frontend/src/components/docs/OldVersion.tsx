import type { Choice } from '../../lib/choice'

/** Says that these are not the latest docs. Hiding it, for a month, is served by the starter. */
export function OldVersion({ version, latest }: { version: string; latest: Choice | undefined }) {
  return (
    <aside aria-label="Old version" className="old-version">
      <p>{`You are currently reading ${version} docs. Redirect to latest version?`}</p>
      <p className="flex gap-2">
        {latest ? (
          <a href={latest.href} className="button" title={latest.note ?? undefined}>
            Latest
          </a>
        ) : null}
        <button type="button" data-hide-notice="" className="button needs-script">
          Hide
        </button>
      </p>
    </aside>
  )
}
