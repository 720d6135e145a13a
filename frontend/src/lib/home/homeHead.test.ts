import { expect, test } from 'vitest'
import { home, shell } from '../../../tests/samples'
import { homeHead } from './homeHead'

const said = homeHead(shell, home.keywords)

test('the home page tells search engines what it is about', () => {
  expect(said).toMatchObject({ title: shell.title, keywords: 'maps, tools', canonical: '/' })
})

test('the home page tells search engines who the family is, and how to search it', () => {
  expect(said.data).toMatchObject([
    {
      '@type': 'WebSite',
      url: 'https://acme.example/',
      potentialAction: { target: { urlTemplate: 'https://acme.example/search?q={search_term_string}' } },
    },
    { '@type': 'Organization', name: 'Acme', logo: 'https://acme.example/icon-512.png' },
  ])
})
