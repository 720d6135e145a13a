import { expect, test } from 'vitest'
import { shell } from '../../tests/samples'
import { paths } from '../lib/paths'
import { createRouter } from './createRouter'

const router = createRouter({
  call: () => Promise.reject(new Error('no function is called')),
  shell: { kind: 'ok', data: shell },
})

test.each([
  [paths.home(), '/'],
  [paths.library('atlas'), '/$library/'],
  [paths.version('atlas', 'latest'), '/$library/$version/'],
  [paths.docs('atlas', 'latest'), '/$library/$version/docs/'],
  [paths.docs('atlas', 'v1', 'guide/a b'), '/$library/$version/docs/$'],
  [paths.frameworks('atlas', 'latest'), '/$library/$version/docs/framework/'],
  [paths.framework('atlas', 'latest', 'vue'), '/$library/$version/docs/framework/$framework/'],
  [paths.framework('atlas', 'latest', 'vue', 'guides/x'), '/$library/$version/docs/framework/$framework/$'],
  [paths.example('atlas', 'latest', 'vue', 'basic'), '/$library/$version/docs/framework/$framework/examples/$name/'],
  [paths.blog(), '/blog/'],
  [paths.post('hello-world'), '/blog/$'],
  [paths.page('$nope'), '/$'],
  [paths.docs('atlas', 'v1', '$a/{b}*:#?%'), '/$library/$version/docs/$'],
  [paths.example('atlas', 'latest', 'vue', '$a#b'), '/$library/$version/docs/framework/$framework/examples/$name/'],
  [paths.page('support'), '/$'],
  [paths.page('guides/start'), '/$'],
  [paths.page('guides/latest/docs/start'), '/$'],
])('%s is shown by %s', (path, route) => {
  const location = router.buildLocation({ to: path as string })
  expect(router.matchRoutes(location).at(-1)?.routeId).toBe(route)
})
