import type { Shell } from '../../api/generated'
import { hue } from '../../lib/hue'
import { Avatar } from '../ui/Avatar'
import { Badge } from '../ui/Badge'
import { Crumbs } from '../ui/Crumbs'
import { Icon, ICONS } from '../ui/Icon'
import { LinkMenu } from '../ui/LinkMenu'
import { Pagination } from '../ui/Pagination'
import { SearchButton } from '../ui/SearchButton'
import { ThemeToggle } from '../ui/ThemeToggle'
import { Chapter } from './Foundations'

/** Parts that are complete as the server writes them. */
export function Parts({ shell }: { shell: Shell }) {
  const [library] = shell.libraries
  return (
    <>
      <Chapter
        id="buttons"
        title="Buttons"
        about="One filled button to a view: what most people came to do. In a library's part of the site it has the library's hue."
      >
        <p className="actions">
          <button type="button" className="button button-primary">
            Primary
          </button>
          <button type="button" className="button">
            Plain
          </button>
          <button type="button" className="button button-quiet">
            Quiet
          </button>
          <button type="button" className="button" disabled>
            Disabled
          </button>
          <button type="button" className="icon-button">
            <Icon name="copy" />
            <span className="sr-only">Copy</span>
          </button>
        </p>
        <p className="actions items-center">
          <button type="button" className="button button-large button-primary">
            Large
          </button>
          <button type="button" className="button">
            Middle
          </button>
          <button type="button" className="button button-small">
            Small
          </button>
        </p>
        <ul className="actions">
          {shell.libraries.map((each) => (
            <li key={each.id} style={hue(each)}>
              <a href={each.to} className="button button-primary">
                {each.shortName}
              </a>
            </li>
          ))}
        </ul>
      </Chapter>
      <Chapter
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
                  <li key={each.id} style={hue(each)}>
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
          <a href="#marks" className="chip">
            A link
          </a>
        </div>
        <p className="actions">
          <Avatar name="Sample Name" />
          <Avatar name="Other Name" size={56} />
        </p>
      </Chapter>
      <Chapter id="cards" title="Cards" about="A card that leads somewhere is a link from edge to edge, and rises to meet the pointer.">
        <div className="design-cards">
          <div className="card">
            <h3 className="font-semibold">A card at rest</h3>
            <p className="text-sm text-muted">It holds something together.</p>
          </div>
          {library ? (
            <div className="card" style={hue(library)}>
              <h3 className="font-semibold">
                <a href={library.to} className="card-link">
                  {library.name}
                </a>
              </h3>
              <p className="text-sm text-muted">{library.tagline}</p>
            </div>
          ) : null}
        </div>
      </Chapter>
      <Chapter
        id="ways"
        title="Finding the way"
        about="Every way is a link, so that it can be opened in a tab, copied and followed without a script."
      >
        <Crumbs
          way={[
            { label: 'Design', href: '#content' },
            { label: 'Finding the way', href: '#ways' },
          ]}
        />
        <div className="design-row">
          <SearchButton />
          <LinkMenu
            name="Section"
            value="Finding the way"
            items={[
              { key: 'ways', label: 'Finding the way', href: '#ways', current: true, note: null },
              { key: 'cards', label: 'Cards', href: '#cards', current: false, note: 'A little further up' },
            ]}
          />
          <ThemeToggle />
        </div>
        <Pagination page={4} pages={12} href={(page) => `#page-${page}`} label="Sample pages" />
      </Chapter>
      <Chapter id="signs" title="Signs" about="Lines of the text's own colour. A sign never stands alone: a word says the same to those who do not see it.">
        <ul className="design-signs">
          {ICONS.map((name) => (
            <li key={name}>
              <Icon name={name} />
              <small>{name}</small>
            </li>
          ))}
        </ul>
      </Chapter>
      <Chapter id="reading" title="Reading" about="What Markdown becomes: the same on a page of docs, in a post and in the terms of service.">
        <div className="prose">
          <p>
            Text with <strong>weight</strong>, <em>stress</em>, <code>code</code> and <a href="#reading">a link</a>.
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
      </Chapter>
    </>
  )
}
