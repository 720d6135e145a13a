import type { ReactNode } from 'react'
import type { FamilyFigures, HomePage, SponsorPack } from '../../api/generated'
import { UnmanagedSpan } from '../ui/UnmanagedSpan'
import { AreaScript } from '../ui/AreaScript'
import { HomeProofs } from './HomeProofs'
import { HomeStats } from './HomeStats'
import { HomeHero } from './HomeHero'
import { LibraryGrid } from './LibraryGrid'
import { CommunityLink, NewsletterSignup } from './CommunityLink'
import { Courses, HomePartners } from './HomePartners'
import { HomeSponsors } from './HomeSponsors'
import { useShell } from '../ui/useShell'

interface Props {
  page: HomePage
  figures: FamilyFigures
  sponsors: SponsorPack
  random: number
  /** Content after the sponsors. */
  children?: ReactNode
}

/** The home page. */
export function Home({ page, figures, sponsors, random, children }: Props) {
  const shell = useShell()
  return (
    <>
      <AreaScript name="backdrop" />
      <UnmanagedSpan className="home-backdrop" data-backdrop="" aria-hidden="true" />
      <HomeHero page={page} random={random} />
      <HomeStats counts={page.figures} figures={figures} />
      <HomeProofs proofs={page.proofs} />
      <LibraryGrid words={page.libraries} />
      <HomePartners partners={page.partners} />
      <Courses courses={page.courses} />
      <HomeSponsors pack={sponsors} />
      {children}
      <CommunityLink discord={shell.social.find(({ icon }) => icon === 'discord')} />
      <NewsletterSignup letter={page.newsletter} />
    </>
  )
}
