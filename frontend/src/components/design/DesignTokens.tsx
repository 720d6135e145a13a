import type { CSSProperties, ReactNode } from 'react'
import type { LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { LibraryLogo } from '../ui/LibraryLogo'

const SIZES = ['5xl', '4xl', '3xl', '2xl', 'xl', 'lg', 'base', 'sm', 'xs']
const COLORS = [
  { name: 'surface', use: 'the page' },
  { name: 'raised', use: 'a panel on the page' },
  { name: 'overlay', use: 'what opens above it' },
  { name: 'ink', use: 'text' },
  { name: 'muted', use: 'secondary text' },
  { name: 'line', use: 'dividers' },
  { name: 'edge', use: 'fields and switches' },
  { name: 'accent', use: 'links and focus' },
  { name: 'good', use: 'success' },
  { name: 'warn', use: 'warning' },
  { name: 'bad', use: 'failure' },
]
const SPACINGS = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6]
const RADII = ['xs', 'sm', 'md', 'lg', 'xl', 'full']
const SHADOWS = ['sm', 'md', 'lg']
const DURATIONS = [
  { name: 'fast', use: 'colors on hover' },
  { name: 'calm', use: 'movement and opening' },
]

/** A section of the design page. */
interface DesignSectionProps {
  id: string
  title: string
  about: string
  /** Its components work only once React has hydrated them. */
  needsApp?: boolean
  children: ReactNode
}

export function DesignSection({ id, title, about, needsApp, children }: DesignSectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="design-section" data-needs-app={needsApp ? '' : undefined}>
      <div>
        <h2 id={`${id}-title`} className="heading">
          {title}
        </h2>
        <p className="design-description">{about}</p>
      </div>
      <div className="design-examples">{children}</div>
    </section>
  )
}

/** Renders its children in both themes, independent of the page's theme. */
function InBothThemes({ children }: { children: ReactNode }) {
  return (
    <div className="design-themes">
      <div data-theme-preview="light">{children}</div>
      <div data-theme-preview="dark">{children}</div>
    </div>
  )
}

function customProperty(name: `--${string}`, value: string): CSSProperties {
  // `CSSProperties` has no custom properties.
  return { [name]: value } as CSSProperties
}

export function DesignTokens({ libraries }: { libraries: LibraryCard[] }) {
  return (
    <>
      <DesignSection
        id="type"
        title="Type"
        about="Inter in one variable file for text, Geist Mono for code. Headings are tight and balanced; lines of text have at most 75 characters."
      >
        <ul className="design-type">
          {SIZES.map((size) => (
            <li key={size}>
              <code>{`text-${size}`}</code>
              <span style={customProperty('--shown', `var(--text-${size})`)}>One voice</span>
            </li>
          ))}
        </ul>
        <p className="design-mono">
          <code>{'const library = family.find(({ id }) => id === "query") // 0O 1lI {}[]() => !=='}</code>
        </p>
      </DesignSection>
      <DesignSection
        id="color"
        title="Color"
        about="Warm grays leave the color to the libraries. Text has a contrast of at least 4.5:1 on every background; the edges of fields and switches have 3:1."
      >
        <InBothThemes>
          <ul className="design-swatches">
            {COLORS.map(({ name, use }) => (
              <li key={name}>
                <span style={customProperty('--shown', `var(--${name})`)} />
                <b>{name}</b>
                <small>{use}</small>
              </li>
            ))}
          </ul>
        </InBothThemes>
      </DesignSection>
      <DesignSection
        id="hues"
        title="Hues"
        about="A library sets two colors. Everything else is computed from them: the decorative gradient, the hue of text and controls, the wash behind them, and the line around them."
      >
        <InBothThemes>
          <ul className="design-hues">
            {libraries.map((library) => (
              <li key={library.id} style={libraryColors(library)}>
                <span className="design-gradient" />
                <b className="hue-text">
                  <LibraryLogo library={library} /> {library.shortName}
                </b>
                <span className="design-wash">on its wash</span>
                <span className="design-fill">filled</span>
              </li>
            ))}
          </ul>
        </InBothThemes>
      </DesignSection>
      <DesignSection
        id="space"
        title="Spacing, corners, shadows"
        about="Spacing is in multiples of 0.25 rem. Larger elements have larger corners. Only what opens above the page has a shadow."
      >
        <ul className="design-spaces">
          {SPACINGS.map((space) => (
            <li key={space}>
              <code>{space}</code>
              <span style={customProperty('--shown', `${space}rem`)} />
            </li>
          ))}
        </ul>
        <ul className="design-samples">
          {RADII.map((radius) => (
            <li key={radius} style={customProperty('--shown', `var(--radius-${radius})`)} className="design-radius">
              <code>{`radius-${radius}`}</code>
            </li>
          ))}
          {SHADOWS.map((shadow) => (
            <li key={shadow} style={customProperty('--shown', `var(--shadow-${shadow})`)} className="design-shadow">
              <code>{`shadow-${shadow}`}</code>
            </li>
          ))}
        </ul>
      </DesignSection>
      <DesignSection
        id="motion"
        title="Motion"
        about="Controls respond immediately and ease out. With reduced motion, nothing moves. Point at a bar to see its duration."
      >
        <ul className="design-durations">
          {DURATIONS.map(({ name, use }) => (
            <li key={name} style={customProperty('--shown', `var(--${name})`)}>
              <code>{name}</code>
              <small>{use}</small>
            </li>
          ))}
        </ul>
      </DesignSection>
    </>
  )
}
