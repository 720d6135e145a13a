// A chart as an SVG document of its own. It has no scripts, and its stylesheet only changes colors.
import type { ReactNode } from 'react'
import type { ComparisonChart } from '../../api/generated'
import type { Picture, PictureLine, PicturePanel, PictureSize, PictureText } from '../../lib/statistics/chart/picture'
import { isDense } from '../../lib/statistics/chart/lines'
import { layOut, UNITS } from '../../lib/statistics/chart/picture'
import { shadesOf } from '../../lib/statistics/chart/seriesColors'

export type { PictureSize }
/** `auto` follows the reader's system. */
export type PictureTheme = 'light' | 'dark' | 'auto'

interface Props {
  chart: ComparisonChart
  theme: PictureTheme
  size: PictureSize
  /** Of the corners of a picture in full size, as those of the site. */
  radius?: number
}

type Mode = 'light' | 'dark'
type Role = keyof typeof ROLES

/** Colors as in tokens.css. */
const ROLES = {
  surface: { light: '#fdfcfa', dark: '#141311' },
  ink: { light: '#1f1c18', dark: '#edeae4' },
  muted: { light: '#625c53', dark: '#a9a298' },
  line: { light: '#e5e1d9', dark: '#312e2a' },
  warn: { light: '#855600', dark: '#e3b341' },
} as const

const FONTS = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

/** Colors are attributes, which image converters understand. For `auto` a stylesheet overrides them by class. */
export function ChartPicture({ chart, theme, size, radius = 10 }: Props) {
  const mode: Mode = theme === 'dark' ? 'dark' : 'light'
  const picture = layOut(chart, size)
  const { design, panels, legend, last } = picture
  const { width, height, text, padding } = design
  const dense = isDense(chart.axis)
  const fill = (role: Role) => fillOf(role, mode)
  const [panel] = panels
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-labelledby="title description"
      fontFamily={FONTS}
      fontSize={text}
    >
      <title id="title">{chart.title}</title>
      <desc id="description">{chart.summary}</desc>
      {theme === 'auto' && <style>{darkStyles(picture)}</style>}
      {size !== 'sparkline' && <rect width={width} height={height} rx={size === 'full' ? radius : 0} {...fill('surface')} />}
      <Label at={picture.title} bold size={picture.title?.size} {...fill('ink')} />
      <Label at={picture.subtitle} {...fill('muted')} />
      {legend.map(({ series, x, y, text: label }, index) => (
        <g key={series.name}>
          <path
            d={`M${rounded(x)} ${rounded(y - text * 0.33)}h${rounded(text * 1.3)}`}
            fill="none"
            strokeWidth={design.lineWidth * 1.2}
            strokeDasharray={(!dense && series.dash) || undefined}
            {...stroke(series.color, mode, index)}
          />
          <Label at={{ x: x + text * 1.7, y, text: label }} {...fill('ink')} />
        </g>
      ))}
      <Label at={picture.more} {...fill('muted')} />
      {panels.map((one, index) => (
        <PicturePlot key={one.name?.text ?? ''} panel={one} first={index} design={design} mode={mode} dense={dense} />
      ))}
      <Label at={picture.source} size={text * 0.9} {...fill('muted')} />
      <Label at={picture.sample} bold anchor="end" size={text * 0.9} {...fill('warn')} />
      {last && <Label at={last} bold anchor="end" className="t0" fill={shadesOf(last.series.color)[mode]} />}
      {panel && panel.lines.length === 0 && size !== 'sparkline' && (
        <Label at={{ x: width / 2, y: panel.plot.y + panel.plot.height / 2 + padding / 4, text: 'No data to show.' }} anchor="middle" {...fill('muted')} />
      )}
    </svg>
  )
}

interface PlotProps {
  panel: PicturePanel
  /** The place of its first line among all lines. */
  first: number
  design: Picture['design']
  mode: Mode
  dense: boolean
}

function PicturePlot({ panel: { name, plot, bands, values, dates, lines }, first, design, mode, dense }: PlotProps) {
  const fill = (role: Role) => fillOf(role, mode)
  return (
    <>
      <Label at={name} bold {...fill('ink')} />
      {bands.map(({ x, width }) => (
        <rect key={x} x={rounded(x)} y={rounded(plot.y)} width={rounded(width)} height={rounded(plot.height)} opacity={0.16} {...fill('warn')} />
      ))}
      {values.map((value) => (
        <g key={value.line}>
          <path d={`M${rounded(plot.x)} ${rounded(value.line)}h${rounded(plot.width)}`} className="s-line" stroke={ROLES.line[mode]} strokeWidth={1} />
          <Label at={value} anchor="end" {...fill('muted')} />
        </g>
      ))}
      {dates.map((date) => (
        <Label key={date.x} at={date} anchor="middle" {...fill('muted')} />
      ))}
      <g transform={`translate(${rounded(plot.x)} ${rounded(plot.y)}) scale(${1 / UNITS})`} fill="none" strokeLinejoin="round">
        {lines.map((line, index) => (
          <g key={line.series.name} {...stroke(line.series.color, mode, first + index)}>
            <PictureSeries {...line} width={(dense ? design.lineWidth / 2 : design.lineWidth) * UNITS} dashed={!dense} />
          </g>
        ))}
      </g>
    </>
  )
}

function fillOf(role: Role, mode: Mode) {
  return { className: `f-${role}`, fill: ROLES[role][mode] }
}

interface LabelProps {
  at: PictureText | null
  fill: string
  className: string
  size?: number
  bold?: boolean
  anchor?: 'middle' | 'end'
}

function Label({ at, size, bold, anchor, ...color }: LabelProps): ReactNode {
  if (!at?.text) return null
  return (
    <text x={rounded(at.x)} y={rounded(at.y)} fontSize={size && rounded(size)} fontWeight={bold ? 700 : undefined} textAnchor={anchor} {...color}>
      {at.text}
    </text>
  )
}

/** As in Chart.css, in units of the paths. */
function PictureSeries({ series: { dash }, paths: { solid, partial, doubtful, dots }, width, dashed }: PictureLine & { width: number; dashed: boolean }) {
  const dashes = dash
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((length) => Number(length) * UNITS)
    .join(' ')
  return (
    <>
      {solid && <path d={solid} strokeWidth={width} strokeDasharray={(dashed && dashes) || undefined} />}
      {partial && <path d={partial} strokeWidth={width * 0.85} strokeDasharray={`${4 * UNITS} ${4 * UNITS}`} />}
      {doubtful && <path d={doubtful} strokeWidth={width} strokeDasharray={`0 ${width * 2}`} strokeLinecap="round" />}
      {dots && <path d={dots} strokeWidth={width * 2.5} strokeLinecap="round" />}
    </>
  )
}

function stroke(color: string, mode: Mode, index: number) {
  return { className: `s${index}`, stroke: shadesOf(color)[mode] }
}

/** The legend is in the order of the lines, so both have the same classes. */
function darkStyles({ panels, last }: Picture): string {
  const lines = panels.flatMap((panel) => panel.lines)
  const roles = Object.entries(ROLES).flatMap(([role, { dark }]) => [`.f-${role}{fill:${dark}}`, `.s-${role}{stroke:${dark}}`])
  const series = lines.map(({ series: { color } }, index) => `.s${index}{stroke:${shadesOf(color).dark}}`)
  const value = last ? [`.t0{fill:${shadesOf(last.series.color).dark}}`] : []
  return `@media (prefers-color-scheme:dark){${[...roles, ...series, ...value].join('')}}`
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
