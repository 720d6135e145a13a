// What this site expects of @tanstack/react-router beyond its documentation. A failure after an upgrade names what has to change in
// `internals.ts` and `serverInternals.ts`.
import { createRootRoute, createRoute, createRouter, notFound, redirect } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { forgetMatches, markAsServerRendered, readTargetsAsAddresses } from './internals'
import { loadOnServer, RouterServer } from './serverInternals'

function makeRouter() {
  const root = createRootRoute()
  const route = createRoute({ getParentRoute: () => root, path: '/page', component: () => 'The page' })
  const old = createRoute({
    getParentRoute: () => root,
    path: '/old',
    loader: () => {
      throw redirect({ href: '/page?from=old', statusCode: 308 })
    },
  })
  const missing = createRoute({
    getParentRoute: () => root,
    path: '/missing',
    loader: () => {
      throw notFound()
    },
  })
  return createRouter({ routeTree: root.addChildren([route, old, missing]) })
}

test('a page is loaded for its URL and rendered to a string', async () => {
  const router = makeRouter()
  expect(await loadOnServer(router, '/page?a=1')).toEqual({ type: 'page', status: 200 })
  expect(router.state.location.href).toBe('/page?a=1')
  expect(renderToString(createElement(RouterServer, { router }))).toContain('The page')
})

test('a redirect has its status and its location', async () => {
  expect(await loadOnServer(makeRouter(), '/old')).toEqual({ type: 'redirect', status: 308, location: '/page?from=old' })
})

test('a $ in an address is a character of the page', async () => {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/docs/$name' })
  const routeTree = root.addChildren([page])
  const load = async (path: string) => {
    const router = createRouter({ routeTree })
    readTargetsAsAddresses(router)
    return { router, result: await loadOnServer(router, path) }
  }
  const pages = await Promise.all(['/docs/$id', '/docs/%24id', '/docs/$name', '/docs/{$id}?a=$b'].map(load))
  expect(pages.map(({ result }) => result.status)).toEqual([200, 200, 200, 200])
  const { router, result } = await load('/$nope')
  expect(result).toEqual({ type: 'page', status: 404 })
  expect(router.buildLocation({ to: '/docs/$name' } as object).publicHref).toBe('/docs/$name')
})

test('a target relative to a page with a $ in its address is the same page', async () => {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/docs/$name' })
  const router = createRouter({ routeTree: root.addChildren([page]) })
  readTargetsAsAddresses(router)
  await loadOnServer(router, '/docs/$id')
  const { pathname, searchStr } = router.buildLocation({ to: '.', search: { a: 1 } } as object)
  expect([decodeURIComponent(pathname), searchStr]).toEqual(['/docs/$id', '?a=1'])
})

test('a missing page has the status 404', async () => {
  expect(await loadOnServer(makeRouter(), '/missing')).toEqual({ type: 'page', status: 404 })
})

test('a router that is marked as server-rendered takes no manifest', () => {
  const router = makeRouter()
  markAsServerRendered(router)
  expect(router.ssr).toEqual({ manifest: undefined })
})

test('addresses are matched again after their matches are forgotten', async () => {
  let isThere = false
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '/$name', params: { parse: ({ name }) => (isThere ? { name } : false) } })
  const routeTree = root.addChildren([page])
  expect(await loadOnServer(createRouter({ routeTree }), '/a')).toMatchObject({ status: 404 })
  isThere = true
  forgetMatches()
  expect(await loadOnServer(createRouter({ routeTree }), '/a')).toMatchObject({ status: 200 })
})
