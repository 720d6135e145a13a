import { expect, test } from 'vitest'
import type { Announcement, PromoSlot } from '../../api/generated'
import { atlas, shell } from '../../../tests/samples'
import { choosePromo, promoChoices } from './choosePromo'

const PARTNER = { id: 'acme', note: '', name: 'Acme', text: 'Anvils.', href: 'https://acme.example', libraries: [] }
const FOOTER: PromoSlot = { id: 'footer', width: 728, height: 90, targeting: 'footer', refreshMs: 1000 }
const RAIL: PromoSlot = { ...FOOTER, id: 'right-rail' }

function siteWith(promo: Partial<typeof shell.promo>): typeof shell {
  return { ...shell, libraries: [atlas], promo: { ...shell.promo, partners: [PARTNER], ...promo } }
}

function announcement(title: string, ...slots: string[]): Announcement {
  return { slots, title, text: 'In May.', href: '/blog' }
}

test('a footer shows a partner, a rail shows a library', () => {
  const site = siteWith({})
  expect(choosePromo(FOOTER, site, undefined, '/', 0)?.name).toBe('Acme')
  expect(choosePromo(RAIL, site, undefined, '/', 0)?.name).toBe(atlas.name)
})

test('announcements replace what their slots show, and take turns', () => {
  const site = siteWith({ announcements: [announcement('One', 'footer'), announcement('Two', 'footer')] })
  const names = [0, 1].map((turn) => choosePromo(FOOTER, site, undefined, '/', turn)?.name)
  expect(new Set(names)).toEqual(new Set(['One', 'Two']))
  expect(choosePromo(FOOTER, site, undefined, '/', 0)).toMatchObject({ kind: 'Announcement', isAnnouncement: true })
  expect(choosePromo(RAIL, site, undefined, '/', 0)?.name).toBe(atlas.name)
})

test('an announcement about another site has no access to the page', () => {
  const site = siteWith({ announcements: [{ ...announcement('One', 'footer'), href: 'https://conf.example' }] })
  expect(choosePromo(FOOTER, site, undefined, '/', 0)?.rel).toBe('noopener')
})

test('a paused slot shows nothing, not even an announcement', () => {
  const site = siteWith({ announcements: [announcement('One', 'footer')], paused: ['footer'] })
  expect(promoChoices(FOOTER, site, undefined)).toEqual([])
  expect(choosePromo(FOOTER, site, undefined, '/', 0)).toBeUndefined()
  expect(choosePromo(RAIL, site, undefined, '/', 0)?.name).toBe(atlas.name)
})
