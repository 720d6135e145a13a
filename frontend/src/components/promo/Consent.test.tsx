// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { CONSENT } from '../../lib/storageKeys'
import { shell } from '../../../tests/samples'
import { render, storage } from '../../../tests/render'
import { Consent, ConsentSetting } from './Consent'
import { loadThirdParty } from './loadThirdParty'

vi.mock('./loadThirdParty', () => ({ loadThirdParty: vi.fn<typeof loadThirdParty>(() => () => undefined) }))

const QUESTION = /Allow scripts from Ads/
const SITE = {
  ...shell,
  promo: { ...shell.promo, externalScripts: [{ name: 'Ads', kind: 'carbon', script: '/ads.js', account: 'acme' } as const] },
}

beforeEach(() => {
  vi.mocked(loadThirdParty).mockClear()
  vi.stubGlobal('navigator', { globalPrivacyControl: false })
})

test('nothing is loaded before the reader answers', async () => {
  await render(<Consent />, { shell: SITE })
  expect(screen.getByRole('heading', { name: QUESTION })).toBeTruthy()
  expect(loadThirdParty).not.toHaveBeenCalled()
})

test('"Allow" is stored, loads the scripts and closes the question', async () => {
  await render(<Consent />, { shell: SITE })
  fireEvent.click(screen.getByRole('button', { name: 'Allow' }))
  expect(storage.get(CONSENT)).toBe('yes')
  expect(loadThirdParty).toHaveBeenCalledOnce()
  expect(screen.queryByRole('heading', { name: QUESTION })).toBeNull()
})

test('"No thanks" is stored and loads nothing', async () => {
  await render(<Consent />, { shell: SITE })
  fireEvent.click(screen.getByRole('button', { name: 'No thanks' }))
  expect(storage.get(CONSENT)).toBe('no')
  expect(loadThirdParty).not.toHaveBeenCalled()
})

test('Global Privacy Control answers no', async () => {
  vi.stubGlobal('navigator', { globalPrivacyControl: true })
  await render(<Consent />, { shell: SITE })
  expect(screen.queryByRole('heading', { name: QUESTION })).toBeNull()
  expect(loadThirdParty).not.toHaveBeenCalled()
})

test('the setting shows the answer', async () => {
  storage.set(CONSENT, 'yes')
  await render(<ConsentSetting />, { shell: SITE })
  expect(screen.getByText('Scripts from Ads: you allowed them.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Withdraw' })).toBeTruthy()
})
