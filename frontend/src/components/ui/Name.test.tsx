import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Name } from './Name'

test('a long identifier may break between its parts', () => {
  const html = renderToStaticMarkup(<Name text="queryClient.getMutationDefaults" />)
  expect(html).toBe('<span>query<wbr/>Client.<wbr/>get<wbr/>Mutation<wbr/>Defaults</span>')
  expect(renderToStaticMarkup(<Name text="useQuery & more" />)).toBe('useQuery &amp; more')
})
