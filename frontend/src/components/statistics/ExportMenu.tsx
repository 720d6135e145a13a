import { useState } from 'react'
import { comparisonQuery } from '../../lib/statistics/comparison'
import { paths } from '../../lib/paths'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { Link } from '../ui/Link'
import { useShell } from '../ui/useShell'
import { useComparisonPage } from './ComparisonContext'
import { SaveComparison } from './SaveComparison'

const FILES = [
  { format: 'svg', label: 'SVG' },
  { format: 'png', label: 'PNG' },
  { format: 'csv', label: 'CSV' },
  { format: 'json', label: 'JSON' },
] as const

const EMBED_HEIGHT = 120

/** Files of the comparison, and texts to paste into other pages. */
export function ExportMenu() {
  const { chart, comparison } = useComparisonPage()
  const { origin, features } = useShell()
  const query = comparisonQuery(comparison)
  const page = origin + paths.statistics(query)
  const texts = [
    { label: 'Link', text: page },
    { label: 'Markdown image', text: `[![${escapeMarkdown(chart.summary)}](${origin}${paths.statisticsFile('svg', query)})](${page})` },
    { label: 'Embed code', text: embedCode(origin + paths.statisticsEmbed(query), chart.title, comparison.height + EMBED_HEIGHT) },
  ]
  return (
    <div className="export-menu">
      <div className="export-group">
        <span>Download</span>
        {FILES.map(({ format, label }) => (
          <Link
            key={format}
            to={paths.statisticsFile(format, query)}
            download={`npm-downloads.${format}`}
            rel="nofollow"
            className="button button-small"
          >
            {label}
          </Link>
        ))}
      </div>
      <div className="export-group needs-script">
        <span>Copy</span>
        {texts.map((copy) => (
          <CopyButton key={copy.label} {...copy} />
        ))}
      </div>
      <div className="export-group">
        <span>Follow</span>
        <Link to={paths.statisticsFile('atom', query)} target="_blank" rel="nofollow" className="button button-small">
          Weekly feed
        </Link>
      </div>
      {features.accounts ? <SaveComparison /> : null}
    </div>
  )
}

/** In square brackets. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[[\]\\]/g, '\\$&').replaceAll('\n', ' ')
}

/** In an attribute. */
function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}

function embedCode(url: string, title: string, height: number): string {
  return `<iframe src="${escapeHtml(url)}" title="${escapeHtml(`npm downloads: ${title}`)}" width="100%" height="${height}" style="border:0" loading="lazy"></iframe>`
}

const COPIED_MS = 2000

function CopyButton({ label, text }: { label: string; text: string }) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setResult('copied')
    } catch {
      setResult('failed')
    }
    window.setTimeout(() => setResult(null), COPIED_MS)
  }
  return (
    <Button size="small" onClick={() => void copy()}>
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      {label}
      <output className="sr-only">{result === 'copied' ? 'Copied' : result === 'failed' ? 'Not copied' : ''}</output>
    </Button>
  )
}
