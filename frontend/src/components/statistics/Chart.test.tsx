// @vitest-environment happy-dom
import { fireEvent, render as renderElement, screen } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { act } from 'react'
import { expect, test, vi } from 'vitest'
import type { ComparisonChart } from '../../api/generated'
import { chart, comparison, series } from '../../../tests/comparisonSamples'
import { render } from '../../../tests/render'
import { Chart } from './Chart'

async function slider(shown: ComparisonChart = chart): Promise<HTMLElement> {
  await render(<Chart chart={shown} height={400} />)
  const found = screen.getByRole('slider', { name: 'Values by date' })
  vi.spyOn(found, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 500, 300))
  return found
}

function tooltip(): string | undefined {
  return document.querySelector('.chart-tooltip')?.textContent ?? undefined
}

/** Paths of lines in the markup. */
function linesIn(markup: string): string[] {
  return [...markup.matchAll(/ d="(M[^"]*)"/g)].map(([, path = '']) => path)
}

test('the server draws the lines of all series, at their full height, with the description', () => {
  const markup = renderToString(<Chart chart={chart} height={432} />)
  // Each series has a solid line, and a dashed one to the last bin.
  expect(linesIn(markup)).toHaveLength(4)
  expect(markup).toContain('--panel-height:432px')
  expect(markup).toContain(`role="img" aria-label="${chart.summary}"`)
})

test('the first render in the browser equals that of the server', async () => {
  const shown = <Chart chart={chart} height={400} />
  const root = document.createElement('div')
  root.innerHTML = renderToString(shown)
  const failures: unknown[] = []
  await act(async () => void hydrateRoot(root, shown, { onRecoverableError: (error) => failures.push(error) }))
  expect(failures).toEqual([])
})

test('the height changes neither lines nor dates', () => {
  const [low, high] = [300, 900].map((height) => renderToString(<Chart chart={chart} height={height} />))
  expect(linesIn(low ?? '')).toEqual(linesIn(high ?? ''))
})

test.each([
  ['no series', { series: [] }],
  ['only missing values', { series: [series('a', { values: [null, null, null, null, null, null] })] }],
  ['one bin', { axis: { ...chart.axis, count: 1 }, series: [series('a', { values: [3] })] }],
  ['no bins', { axis: { ...chart.axis, count: 0 }, series: [series('a', { values: [] })] }],
  ['zeros', { series: [series('a', { values: [0, 0, 0, 0, 0, 0] })] }],
  ['huge values', { series: [series('a', { values: [1e300, 1, -1e300, 5, 1e308, 2] })] }],
  ['negative changes', { valueAxis: { title: 'Change', kind: 'signed-percent' }, series: [series('a', { values: [0, -50, -99, 20, null, 1] })] }],
  ['zeros on a logarithmic scale', { comparison: { ...comparison, scale: 'log' }, series: [series('a', { values: [0, 1, 0, 10, 0, 0] })] }],
  ['aligned bins', { axis: { ...chart.axis, first: '', aligned: true } }],
  ['an invalid first day', { axis: { ...chart.axis, first: '' } }],
  ['facets', { comparison: { ...comparison, facetX: 'pkg', facetY: 'pkg' } }],
] as const satisfies [string, Partial<ComparisonChart>][])('a chart with %s has no invalid number', (_, about) => {
  const markup = renderToString(<Chart chart={{ ...chart, ...about }} height={400} />)
  expect(markup).not.toMatch(/NaN|Infinity|undefined|null/)
})

test('a chart without data says so', async () => {
  await render(<Chart chart={{ ...chart, series: [] }} height={400} />)
  expect(screen.getByText('No data to show.')).toBeTruthy()
})

test('the pointer shows the values of the nearest bin, the largest first', async () => {
  const surface = await slider()
  expect(tooltip()).toBeUndefined()
  fireEvent.pointerMove(surface, { clientX: 210, pointerType: 'mouse' })
  expect(tooltip()).toBe('Week of Jan 12, 2025atlas800maps500')
  fireEvent.pointerMove(surface, { clientX: 900, pointerType: 'mouse' })
  expect(tooltip()).toContain('This week is not complete.')
  fireEvent.pointerLeave(surface, { pointerType: 'mouse' })
  expect(tooltip()).toBeUndefined()
})

test('the tooltip explains an outage', async () => {
  fireEvent.pointerMove(await slider(), { clientX: 300 })
  expect(tooltip()).toContain('npm counted no downloads.')
})

test('what a finger points at stays when it is lifted, until the chart loses the focus', async () => {
  const surface = await slider()
  fireEvent.pointerDown(surface, { clientX: 300, pointerType: 'touch' })
  fireEvent.pointerLeave(surface, { pointerType: 'touch' })
  expect(tooltip()).toBeDefined()
  fireEvent.blur(surface)
  expect(tooltip()).toBeUndefined()
})

test('keys move by a bin, to the ends, and away', async () => {
  const surface = await slider()
  const press = (key: string) => {
    fireEvent.keyDown(surface, { key })
    return surface.getAttribute('aria-valuenow')
  }
  expect(['ArrowRight', 'ArrowLeft', 'ArrowLeft', 'Home', 'ArrowLeft', 'PageUp', 'End'].map(press)).toEqual(['5', '4', '3', '0', '0', '1', '5'])
  expect(surface.getAttribute('aria-valuetext')).toBe('Week of Feb 9, 2025: atlas 300, maps 200. This week is not complete.')
  press('Escape')
  expect(tooltip()).toBeUndefined()
  expect(fireEvent.keyDown(surface, { key: 'a' })).toBe(true)
})

test('pointing at a chart does not draw its lines again', async () => {
  const surface = await slider()
  const before = [...document.querySelectorAll('.chart-lines *')]
  const changes: MutationRecord[] = []
  const observer = new MutationObserver((records) => changes.push(...records))
  for (const drawing of document.querySelectorAll('.chart-lines')) observer.observe(drawing, { subtree: true, attributes: true, childList: true })
  fireEvent.pointerMove(surface, { clientX: 210 })
  fireEvent.pointerMove(surface, { clientX: 410 })
  await act(async () => undefined)
  expect(changes).toEqual([])
  expect([...document.querySelectorAll('.chart-lines *')]).toEqual(before)
})

test('facets have a panel for each series, one slider, and a crosshair in all panels', async () => {
  const surface = await slider({ ...chart, comparison: { ...comparison, facetX: 'pkg' } })
  expect(document.querySelectorAll('.chart-panel')).toHaveLength(2)
  expect(screen.getAllByRole('slider')).toHaveLength(1)
  fireEvent.pointerMove(surface, { clientX: 300 })
  expect(document.querySelectorAll('.chart-crosshair')).toHaveLength(2)
  expect(document.querySelectorAll('.chart-tooltip')).toHaveLength(1)
})

test('a bin that a new chart lacks is not shown', () => {
  const { rerender } = renderElement(<Chart chart={chart} height={400} />)
  fireEvent.keyDown(screen.getByRole('slider'), { key: 'End' })
  expect(tooltip()).toBeDefined()
  rerender(<Chart chart={{ ...chart, axis: { ...chart.axis, count: 2, partial: [] } }} height={400} />)
  expect(tooltip()).toBeUndefined()
})

test('the description can be copied', async () => {
  const copied: string[] = []
  vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async (text: string) => copied.push(text) } })
  await render(<Chart chart={chart} height={400} />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy description' }))
  expect(await screen.findByText('Copied')).toBeTruthy()
  expect(copied).toEqual([chart.summary])
})

test('a browser without a clipboard is reported', async () => {
  vi.stubGlobal('navigator', { userAgent: '' })
  await render(<Chart chart={chart} height={400} />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy description' }))
  expect(await screen.findByText('Your browser did not allow it')).toBeTruthy()
})
