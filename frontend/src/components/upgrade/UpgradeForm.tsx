import type { FamilyPackages, LibraryCard } from '../../api/generated'
import { paths, withBase } from '../../lib/paths'
import { Button } from '../ui/Button'

interface Props {
  family: readonly FamilyPackages[]
  libraries: readonly LibraryCard[]
  /** Why the last text was not read; empty without one. */
  message: string
}

const FIELD_ID = 'Site-package-file'
const HINT_ID = 'Site-package-hint'
const FAULT_ID = 'Site-package-fault'

/** The bundle `upgrade` reads the text in the browser. Without scripts the server does. */
export function UpgradeForm({ family, libraries, message }: Props) {
  return (
    <>
      <form method="post" action={withBase(paths.upgrade())} className="upgrade-form" data-upgrade="">
        <div className="field">
          <label className="field-label" htmlFor={FIELD_ID}>
            Your package.json
          </label>
          <textarea
            id={FIELD_ID}
            className="control"
            name="file"
            rows={8}
            spellCheck={false}
            autoComplete="off"
            aria-describedby={`${FAULT_ID} ${HINT_ID}`}
            aria-invalid={message ? true : undefined}
            data-invalid={message ? '' : undefined}
            placeholder={'{\n  "dependencies": {\n    …\n  }\n}'}
          />
          <p id={FAULT_ID} role="alert" className="field-error" data-upgrade-fault="" hidden={!message}>
            {message}
          </p>
          <p id={HINT_ID} className="field-hint">
            Your browser reads the file. Only the names and version ranges of packages that are listed below are sent. Without
            JavaScript, the whole text is sent, and none of it is stored.
          </p>
        </div>
        <div className="upgrade-actions">
          <Button type="submit" variant="primary">
            Show upgrades
          </Button>
          <label className="needs-script">
            <span className="sr-only">Choose a package.json</span>
            <input type="file" accept=".json,.yaml,.yml,application/json" data-upgrade-file="" />
          </label>
        </div>
      </form>
      <details className="upgrade-known">
        <summary>Packages that this page knows</summary>
        <dl>
          {family.map(({ library, names }) => (
            <div key={library}>
              <dt>{libraries.find(({ id }) => id === library)?.name}</dt>
              <dd>
                {names.map((name) => (
                  <code key={name} data-package="">
                    {name}
                  </code>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}
