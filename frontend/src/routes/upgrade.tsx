import { createFileRoute } from '@tanstack/react-router'
import { PageLayout } from '../components/shell/PageLayout'
import { AreaScript } from '../components/ui/AreaScript'
import { AreaStyles } from '../components/ui/AreaStyles'
import { InlineScript } from '../components/ui/InlineScript'
import { LibraryLogo } from '../components/ui/LibraryLogo'
import { useShell } from '../components/ui/useShell'
import { LibraryUpgradeCard } from '../components/upgrade/LibraryUpgradeCard'
import { PinnedVersion } from '../components/ui/PinnedVersion'
import { UpgradeForm } from '../components/upgrade/UpgradeForm'
import { PREFERENCES_SCRIPT } from '../lib/bootApi'
import { libraryColors } from '../lib/colors'
import { pageHead } from '../lib/pageHead'
import { paths } from '../lib/paths'
import { faultMessage } from '../lib/upgrade/faultMessage'

interface UpgradeParams {
  /** `name@range`, separated by commas. */
  packages?: string
  /** Why a text was not read, and the line of the error. */
  error?: string
  line?: number
}

function parseParams({ packages, error, line }: Record<string, unknown>): UpgradeParams {
  return {
    ...(typeof packages === 'string' && packages ? { packages } : {}),
    ...(typeof error === 'string' && error ? { error } : {}),
    ...(Number(line) > 0 ? { line: Number(line) } : {}),
  }
}

/** What a project uses of the family. Its address has the whole state: the names and ranges, without the rest of the file. */
export const Route = createFileRoute('/upgrade')({
  validateSearch: parseParams,
  // Parsed again: the router keeps invalid parameters beside the validated ones.
  loaderDeps: ({ search }) => parseParams({ ...search }),
  loader: ({ context: { load }, deps: { packages = '' } }) => load('upgrade.plan', { packages }),
  head: ({ match: { context, search } }) => {
    const about = pageHead({
      title: `Upgrade | ${context.shell.family}`,
      description: `See which ${context.shell.family} releases your project uses, what is current, and which migration guides lead there.`,
      origin: context.shell.origin,
      canonical: paths.upgrade(),
    })
    // Other addresses are about one project.
    return search.packages || search.error ? { ...about, meta: [...about.meta, { name: 'robots', content: 'noindex' }] } : about
  },
  component: Upgrade,
})

function Upgrade() {
  const shell = useShell()
  const { packages, error, line } = Route.useLoaderDeps()
  const { family, libraries } = Route.useLoaderData()
  const cards = shell.libraries.flatMap((library) => {
    const upgrade = libraries.find((one) => one.library === library.id)
    return upgrade ? [<LibraryUpgradeCard key={library.id} library={library} upgrade={upgrade} />] : []
  })
  const message = error ? faultMessage(error, line) : packages && cards.length === 0 ? faultMessage('none') : ''
  return (
    <PageLayout>
      <AreaStyles name="upgrade" />
      <AreaScript name="upgradeScript" />
      <div className="upgrade">
        <div className="upgrade-head">
          <h1>Upgrade</h1>
          <p>See which {shell.family} releases your project uses, what is current, and what to read before you upgrade.</p>
        </div>
        {cards.length > 0 ? (
          <section className="upgrade-section" aria-labelledby="Site-your-project">
            <h2 id="Site-your-project">Your project</h2>
            <ul className="upgrade-libraries">{cards}</ul>
          </section>
        ) : null}
        <section className="upgrade-section" aria-labelledby="Site-my-versions">
          <h2 id="Site-my-versions">My versions</h2>
          <p className="upgrade-state">
            Links of this site to the latest docs open these versions, where they have the page. Your browser stores them.
          </p>
          <ul className="upgrade-pins">
            {shell.libraries.map((library) => (
              <li key={library.id} data-pinned={library.id} hidden style={libraryColors(library)} suppressHydrationWarning>
                <span className="hue-text">
                  <LibraryLogo library={library} /> {library.name}
                </span>
                <PinnedVersion library={library} isListed />
              </li>
            ))}
          </ul>
          <InlineScript script={PREFERENCES_SCRIPT} />
        </section>
        <section className="upgrade-section" aria-labelledby="Site-read-a-file">
          <h2 id="Site-read-a-file">{cards.length > 0 ? 'Another project' : 'What does your project use?'}</h2>
          <UpgradeForm family={family} libraries={shell.libraries} message={message} />
        </section>
      </div>
    </PageLayout>
  )
}
