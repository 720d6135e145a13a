import type { ReactNode } from 'react'
import type { HomePage, Shell, SponsorPack } from '../../api/generated'
import { Foreign } from '../ui/Foreign'
import { Script } from '../ui/Script'
import { Figures } from './Figures'
import { Hero } from './Hero'
import { Libraries } from './Libraries'
import { Meeting, Newsletter } from './Meeting'
import { Courses, Partners } from './Partners'
import { Sponsors } from './Sponsors'

interface Props {
  shell: Shell
  page: HomePage
  sponsors: SponsorPack
  random: number
  /** What stands after the sponsors. */
  children?: ReactNode
}

/** The family's front door. */
export function Home({ shell, page, sponsors, random, children }: Props) {
  return (
    <>
      <Script name="backdrop" />
      <Foreign className="home-backdrop" data-backdrop="" aria-hidden="true" />
      <Hero shell={shell} page={page} random={random} />
      <Figures figures={page.figures} />
      <Libraries shell={shell} words={page.libraries} />
      <Partners partners={page.partners} shell={shell} />
      <Courses courses={page.courses} shell={shell} />
      <Sponsors pack={sponsors} shell={shell} />
      {children}
      <Meeting discord={shell.social.find(({ icon }) => icon === 'discord')} />
      <Newsletter letter={page.newsletter} />
    </>
  )
}
