import type { ReactNode } from 'react'
import type { ExampleTree } from '../../api/generated'
import { Glyph } from './Glyph'

interface Props {
  title: string
  links: ExampleTree['links']
  /** Where one is. */
  children: ReactNode
}

export function ExampleHead({ title, links, children }: Props) {
  return (
    <div className="example-head">
      {children}
      <h1>{title}</h1>
      <ul className="example-links">
        {links.map(({ label, to, icon }) => (
          <li key={icon}>
            <a href={to} rel="noopener" target="_blank" className="button button-small">
              {label}
              <Glyph name="out" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
