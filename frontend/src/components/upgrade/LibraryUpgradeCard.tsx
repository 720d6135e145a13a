import type { InstalledPackage, LibraryCard, LibraryUpgrade, SpecKind } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { isReleaseName } from '../../lib/docs/release'
import { LATEST } from '../../lib/docs/version'
import { formatList } from '../../lib/format'
import { paths, serverPath } from '../../lib/paths'
import { Button, LinkButton } from '../ui/Button'
import { LibraryLogo } from '../ui/LibraryLogo'

interface Props {
  library: LibraryCard
  upgrade: LibraryUpgrade
}

/** What a project has of a library, and what leads to the current version. The bundle `upgrade` serves the button that pins. */
export function LibraryUpgradeCard({ library, upgrade }: Props) {
  const { installed, current, isCurrent, guides, missing, packages } = upgrade
  const isOther = installed && !isCurrent && installed.name !== LATEST
  return (
    <li className="card upgrade-library" style={libraryColors(library)}>
      <header>
        <h3 className="hue-text">
          <LibraryLogo library={library} /> {library.name}
        </h3>
        <p className="upgrade-state">
          <InstalledRelease upgrade={upgrade} />
        </p>
      </header>
      <ul className="upgrade-packages">
        {packages.map((one) => (
          <li key={`${one.name}@${one.spec}${one.kind}`}>
            <code>{one.name}</code>
            {one.spec ? <code>{one.spec}</code> : null}
            <span>{meaning(one)}</span>
          </li>
        ))}
      </ul>
      {missing.length > 0 ? (
        <p className="upgrade-state">
          The docs of {library.shortName} have no migration guide for {formatList(missing)}.
        </p>
      ) : null}
      <p className="upgrade-links">
        {guides.map(({ version, to }) => (
          <LinkButton key={version} to={serverPath(to)} data-keeps-version="" variant="primary">
            Migrate to {version}
          </LinkButton>
        ))}
        {isOther ? (
          <LinkButton to={paths.docs(library.id, installed.name)}>Docs of {installed.title}</LinkButton>
        ) : null}
        {isOther && isReleaseName(installed.name) ? (
          <LinkButton to={paths.changes(library.id, installed.name, LATEST)} rel="nofollow">
            What changed since
          </LinkButton>
        ) : null}
        <LinkButton to={paths.docs(library.id, LATEST)} data-keeps-version="">
          Docs of {current.title}
        </LinkButton>
        {installed && installed.name !== LATEST ? (
          <Button needsScript data-pin={library.id} data-version={installed.name} aria-pressed="false">
            Pin {installed.title}
          </Button>
        ) : null}
      </p>
    </li>
  )
}

function InstalledRelease({ upgrade: { installed, current, isCurrent } }: { upgrade: LibraryUpgrade }) {
  if (!installed) {
    return (
      <>
        Current is <strong>{current.title}</strong>
      </>
    )
  }
  if (isCurrent) {
    return (
      <>
        You have <strong>{installed.title}</strong>, which is current
      </>
    )
  }
  return (
    <>
      You have <strong>{installed.title}</strong>, current is <strong>{current.title}</strong>
    </>
  )
}

/** What the project's range or tag means. */
function meaning({ kind, number }: InstalledPackage): string {
  if (number) return `means ${number}`
  const texts: Record<SpecKind, string> = {
    range: '',
    tag: 'a tag, which npm resolves',
    workspace: 'from your workspace',
    catalog: 'from a catalog: paste your pnpm-workspace.yaml, too',
    npm: 'another package under this name',
    file: 'from a folder or file',
    url: 'from a repository or URL',
    other: 'not a version range',
  }
  return texts[kind]
}
