import { libraryColors } from '../../lib/colors'
import { CONTENT_ID } from '../../lib/layoutIds'
import { AreaStyles } from '../ui/AreaStyles'
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
/** What the server makes of `$\bar{x} = \frac{1}{n}\sum_i x_i$`. The types of React lack the elements of MathML. */
const FORMULA =
  '<math display="block"><mover accent="true"><mi>x</mi><mo stretchy="false">¯</mo></mover><mo>=</mo>' +
  '<mfrac><mn>1</mn><mi>n</mi></mfrac><munder><mo>∑</mo><mi>i</mi></munder><msub><mi>x</mi><mi>i</mi></msub></math>'

/** What the server makes of colors, footnotes and math. */
function MarkdownExtensions() {
  return (
    <>
      <AreaStyles name="extensions" />
      <p>
        The color{' '}
        <code>
          #0969DA
          <svg className="color-chip" viewBox="0 0 12 12" aria-hidden="true">
            <rect width="12" height="12" fill="#0969DA" />
          </svg>
        </code>
        , and a mean with a footnote
        <sup data-footnote="">
          <a id="user-content-fnref-1" href={paths.hash('user-content-fn-1')} role="doc-noteref" aria-label="Footnote 1">
            1
          </a>
        </sup>
        .
      </p>
      <div className="math" dangerouslySetInnerHTML={{ __html: FORMULA }} />
      <section data-footnotes="">
        <ol>
          <li id="user-content-fn-1">
            The sum of all values divided by their number.{' '}
            <a href={paths.hash('user-content-fnref-1')} role="doc-backlink" aria-label="Back to reference 1">
              ↩
            </a>
          </li>
        </ol>
      </section>
    </>
  )
}

export function StaticComponents() {
  const shell = useShell()
  const [library] = shell.libraries
  return (
    <>
      <DesignSection
        id="buttons"
        title="Buttons"
        about="At most one primary button per view. On a library's pages it has the library's hue."
      >
        <p className="actions">
          <Button variant="primary">
            Primary
          </Button>
          <Button>
            Default
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
            Medium
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
        about="A badge labels something. A chip filters. People are shown by their initials until their picture loads, or if it doesn't."
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
            Selected
          </button>
          <button type="button" className="chip" aria-pressed="false">
            Not selected
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
      <DesignSection id="cards" title="Cards" about="A card that links somewhere is clickable from edge to edge and rises on hover.">
        <div className="design-cards">
          <div className="card">
            <h3>A card without a link</h3>
            <p className="design-note">It groups related content.</p>
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
        title="Navigation"
        about="Everything is a link that can be opened in a tab, copied, and followed without JavaScript."
      >
        <Breadcrumbs
          crumbs={[
            { label: 'Design', href: paths.hash(CONTENT_ID) },
            { label: 'Navigation', href: paths.hash('ways') },
          ]}
        />
        <div className="design-row">
          <SearchButton />
          <LinkMenu
            name="Section"
            value="Navigation"
            items={[
              { key: 'ways', label: 'Navigation', href: paths.hash('ways'), current: true, note: null },
              { key: 'cards', label: 'Cards', href: paths.hash('cards'), current: false, note: 'The section above' },
            ]}
          />
          <ThemeToggle />
        </div>
        <Pagination page={4} pages={12} href={(page) => paths.hash(`page-${page}`)} label="Sample pages" />
      </DesignSection>
      <DesignSection id="signs" title="Icons" about="Icons have the color of the text around them. Each has a text alternative.">
        <ul className="design-icons">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} />
              <small>{name}</small>
            </li>
          ))}
        </ul>
      </DesignSection>
      <DesignSection id="reading" title="Text" about="Rendered Markdown: the same in docs, in posts and on the site's own pages.">
        <div className="prose">
          <p>
            Text with <strong>weight</strong>, <em>stress</em>, <code>code</code> and <Link to={paths.hash('reading')}>a link</Link>.
          </p>
          <blockquote>
            <p>A quotation.</p>
          </blockquote>
          <div className="callout" data-callout="tip">
            <p className="callout-title">A tip</p>
            <p>Short, and worth interrupting for.</p>
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
            <summary>More details</summary>
            <p>Optional reading.</p>
          </details>
          <details className="callout" data-callout="note">
            <summary className="callout-title">A note that folds</summary>
            <p>What few readers need.</p>
          </details>
          <MarkdownExtensions />
        </div>
      </DesignSection>
    </>
  )
}
