import type { Figure } from '../../api/generated'
import { formatDate, formatNumber } from '../../lib/format'
import type { Topic } from '../../live/topics'
import { useShell } from './useShell'

export interface NamedFigure {
  /** The name of the figure in the data of the topic. */
  name: string
  label: string
  figure: Figure | null
  /** The mean of a day: the figure grows by it. */
  perDay?: Figure | null
}

interface Props {
  figures: readonly NamedFigure[]
  /** The topic of live events with these figures; without one they stay as they are. */
  topic?: Topic
}

/** Figures with the day on which they were true. `live/figures.ts` updates them, and estimates those that grow. */
export function OpenSourceFigures({ figures, topic }: Props) {
  const { isStatic } = useShell()
  return (
    <dl className="figure-list" data-live={topic && !isStatic ? JSON.stringify(topic) : undefined}>
      {figures.map(({ name, label, figure, perDay }) =>
        figure ? (
          <div
            key={name}
            data-figure={name}
            data-value={figure.value}
            data-as-of={figure.asOf}
            data-per-day={perDay && !figure.isOld ? perDay.value : undefined}
            suppressHydrationWarning
          >
            <dt>{label}</dt>
            <dd className="figure-value" suppressHydrationWarning>
              {formatNumber(figure.value)}
            </dd>
            {perDay || figure.isOld ? <FigureNote figure={figure} /> : null}
          </div>
        ) : null,
      )}
    </dl>
  )
}

/** Two notes in the same place: the second one is visible while the figure is an estimate. */
function FigureNote({ figure: { asOf } }: { figure: Figure }) {
  return (
    <dd className="figure-note">
      <span suppressHydrationWarning>{`as of ${formatDate(asOf)}`}</span>
      <span>estimated live</span>
    </dd>
  )
}
