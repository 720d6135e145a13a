import { expect, test } from 'vitest'
import { textDirection } from './textDirection'

test.each(['דף בעברית', 'API של דף', 'مرحبا', 'سلام'])('%s has a direction', (text) => {
  expect(textDirection(text)).toBe('auto')
})

test.each(['Overview', 'Größe', '缓存配置', 'Привет', ''])('%s has none', (text) => {
  expect(textDirection(text)).toBeUndefined()
})
