import type { FamilyFigures, HomePage } from '../../api/generated'
import { chooseGradient } from '../../lib/gradient'
import { findChat } from '../../lib/social'
import { UnmanagedSpan } from '../ui/UnmanagedSpan'
import { AreaScript } from '../ui/AreaScript'
import { HomeProofs } from './HomeProofs'
import { HomeStats } from './HomeStats'
import { HomeHero } from './HomeHero'
import { LibraryGrid, placeLibraries } from './LibraryGrid'
import { CommunityLink, NewsletterSignup } from './CommunityLink'
import { Courses, HomePartners } from './HomePartners'
import { HomeSponsors } from './HomeSponsors'
import { useShell } from '../ui/useShell'

interface Props {
  page: HomePage
  figures: FamilyFigures
  /** From 0 up to 1; chooses the colors. */
  random: number
}

/** The home page. */
export function Home({ page, figures, random }: Props) {
  const shell = useShell()
  const cards = placeLibraries(page, shell.groups, shell.libraries)
  return (
    <>
      <AreaScript name="backdrop" />
      <UnmanagedSpan className="home-backdrop" data-backdrop="" aria-hidden="true" style={chooseGradient(random, shell.look.gradient)} />
      <div className="home-stage">
        <HomeHero page={page} cards={cards} random={random} />
        <LibraryGrid cards={cards} heading={shell.texts.libraries} />
      </div>
      <HomeProofs proofs={page.proofs} />
      <HomeStats counts={page.figures} figures={figures} />
      <HomePartners partners={page.partners} marks={page.partnerMarks} />
      <Courses courses={page.courses} />
      <HomeSponsors pack={page.sponsors} />
      <CommunityLink chat={findChat(shell.social)} />
      <NewsletterSignup letter={page.newsletter} />
    </>
  )
}
