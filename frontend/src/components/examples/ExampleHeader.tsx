import type { ReactNode } from 'react'
import type { ExampleTree } from '../../api/generated'
import { ExampleIcon } from './ExampleIcon'
import { ExternalLinkButton } from '../ui/Button'

interface Props {
  title: string
  links: ExampleTree['links']
  /** Breadcrumbs. */
  children: ReactNode
}

export function ExampleHeader({ title, links, children }: Props) {
  return (
    <div className="example-header">
      {children}
      <h1>{title}</h1>
      {links.length > 0 ? (
        <ul className="example-links">
          {links.map(({ label, to, icon }) => (
            <li key={icon}>
              <ExternalLinkButton href={to} target="_blank" size="small">
                {label}
                <ExampleIcon name="out" />
              </ExternalLinkButton>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
