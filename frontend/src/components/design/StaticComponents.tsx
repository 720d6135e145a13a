import { libraryColors } from '../../lib/colors'
import { Avatar } from '../ui/Avatar'
import { Badge } from '../ui/Badge'
import { Breadcrumbs } from '../ui/Breadcrumbs'
import { Icon, ICONS } from '../ui/Icon'
import { LinkMenu } from '../ui/LinkMenu'
import { Pagination } from '../ui/Pagination'
import { SearchButton } from '../ui/SearchButton'
import { ThemeToggle } from '../ui/ThemeToggle'
import { DesignSection } from './DesignTokens'
import { Button, IconButton, LinkButton } from '../ui/Button'
import { Link } from '../ui/Link'
import { paths, serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

/** Components that work without hydration. */
export function StaticComponents() {
  const shell = useShell()
  const [library] = shell.libraries
  return (
    <>
      <DesignSection
        id="buttons"
        title="Buttons"
        about="One filled button to a view: what most people came to do. In a library's part of the site it has the library's hue."
      >
        <p className="actions">
          <Button variant="primary">
            Primary
          </Button>
          <Button>
            Plain
          </Button>
          <Button variant="quiet">
            Quiet
          </Button>
          <Button disabled>
            Disabled
          </Button>
          <IconButton icon="copy" label="Copy" />
        </p>
        <p className="actions design-sizes">
          <Button variant="primary" size="large">
            Large
          </Button>
          <Button>
            Middle
          </Button>
          <Button size="small">
            Small
          </Button>
        </p>
        <ul className="actions">
          {shell.libraries.map((each) => (
            <li key={each.id} style={libraryColors(each)}>
              <LinkButton to={serverPath(each.to)} variant="primary">
                {each.shortName}
              </LinkButton>
            </li>
          ))}
        </ul>
      </DesignSection>
      <DesignSection
        id="marks"
        title="Badges, chips, people"
        about="A badge says something about a thing. A chip chooses among things. A person is their initials until their picture has come, and still when it does not."
      >
        <ul className="actions">
          <li>
            <Badge>plain</Badge>
          </li>
          {shell.libraries.flatMap((each) =>
            each.badge
              ? [
                  <li key={each.id} style={libraryColors(each)}>
                    <Badge tone={each.badge}>{each.badge}</Badge>
                  </li>,
                ]
              : [],
          )}
        </ul>
        <div className="chips">
          <button type="button" className="chip" aria-pressed="true">
            Chosen
          </button>
          <button type="button" className="chip" aria-pressed="false">
            Not chosen
          </button>
          <Link to={paths.hash('marks')} className="chip">
            A link
          </Link>
        </div>
        <p className="actions">
          <Avatar name="Sample Name" />
          <Avatar name="Other Name" size={56} />
        </p>
      </DesignSection>
      <DesignSection id="cards" title="Cards" about="A card that leads somewhere is a link from edge to edge, and rises to meet the pointer.">
        <div className="design-cards">
          <div className="card">
            <h3>A card at rest</h3>
            <p className="design-note">It holds something together.</p>
          </div>
          {library ? (
            <div className="card" style={libraryColors(library)}>
              <h3>
                <Link to={serverPath(library.to)} className="card-link">
                  {library.name}
                </Link>
              </h3>
              <p className="design-note">{library.tagline}</p>
            </div>
          ) : null}
        </div>
      </DesignSection>
      <DesignSection
        id="ways"
        title="Finding the way"
        about="Every way is a link, so that it can be opened in a tab, copied and followed without a script."
      >
        <Breadcrumbs
          crumbs={[
            { label: 'Design', href: paths.hash('content') },
            { label: 'Finding the way', href: paths.hash('ways') },
          ]}
        />
        <div className="design-row">
          <SearchButton />
          <LinkMenu
            name="Section"
            value="Finding the way"
            items={[
              { key: 'ways', label: 'Finding the way', href: paths.hash('ways'), current: true, note: null },
              { key: 'cards', label: 'Cards', href: paths.hash('cards'), current: false, note: 'A little further up' },
            ]}
          />
          <ThemeToggle />
        </div>
        <Pagination page={4} pages={12} href={(page) => paths.hash(`page-${page}`)} label="Sample pages" />
      </DesignSection>
      <DesignSection id="signs" title="Signs" about="Lines of the text's own colour. A sign never stands alone: a word says the same to those who do not see it.">
        <ul className="design-icons">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} />
              <small>{name}</small>
            </li>
          ))}
        </ul>
      </DesignSection>
      <DesignSection id="reading" title="Reading" about="What Markdown becomes: the same on a page of docs, in a post and in the terms of service.">
        <div className="prose">
          <p>
            Text with <strong>weight</strong>, <em>stress</em>, <code>code</code> and <Link to={paths.hash('reading')}>a link</Link>.
          </p>
          <blockquote>
            <p>A quotation.</p>
          </blockquote>
          <div className="callout" data-callout="tip">
            <p className="callout-title">A tip</p>
            <p>Short, and worth the interruption.</p>
          </div>
          <div className="table-scroll">
            <table>
              <thead>
                <tr>
                  <th>Part</th>
                  <th>Comes with</th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <td>Tabs in Markdown</td>
                  <td>the page</td>
                </tr>
                <tr>
                  <td>Dialog</td>
                  <td>the app</td>
                </tr>
              </tbody>
            </table>
          </div>
          <details>
            <summary>More, for those who want it</summary>
            <p>Nothing that one must have read.</p>
          </details>
        </div>
      </DesignSection>
    </>
  )
}
