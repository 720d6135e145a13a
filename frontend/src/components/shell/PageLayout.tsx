import type { ReactNode } from 'react'
import { Main } from '../ui/Main'
import { SiteLayout } from './SiteLayout'

interface Props {
  /** Without the column around the content: the page has its own sections. */
  fullWidth?: boolean
  /** A line above the content. */
  notice?: ReactNode
  children: ReactNode
}

/** The layout of a page outside the docs, with its `<main>`. */
export function PageLayout({ fullWidth = false, notice, children }: Props) {
  return (
    <SiteLayout>
      {notice}
      <Main className={fullWidth ? undefined : 'column page-content'}>{children}</Main>
    </SiteLayout>
  )
}
