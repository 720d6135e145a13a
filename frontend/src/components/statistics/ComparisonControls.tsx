import { comparisonSearch } from '../../lib/statistics/comparison'
import { groupName, setBaseline, setBin, setIndex, setRange } from '../../lib/statistics/comparisonEdits'
import { ALIGNMENTS, binOptions, countChangedOptions, FACETS, measureOptions, RANGES, SCALES, TRANSFORMS } from '../../lib/statistics/comparisonOptions'
import { paths, withBase } from '../../lib/paths'
import { Button } from '../ui/Button'
import { Icon } from '../ui/Icon'
import { useComparisonPage } from './ComparisonContext'
import { OptionCheckbox } from './OptionCheckbox'
import { OptionSelect } from './OptionSelect'

/** Parameters that no control of the form has. */
const HIDDEN = ['packageGroups', 'height'] as const

/** What the chart shows: a form, so that it works without a script. */
export function ComparisonControls() {
  const { comparison, choices, change } = useComparisonPage()
  return (
    // A choice is not restored by the browser: it is in the URL.
    <form action={withBase(paths.statistics())} autoComplete="off" className="comparison-controls">
      <HiddenParameters />
      <div className="comparison-options">
        <OptionSelect
          label="Time range"
          name="range"
          options={RANGES}
          value={comparison.range}
          onChange={(range) => change((current) => setRange(current, range))}
        />
        <OptionSelect
          label="Interval"
          name="binningOption"
          options={binOptions(comparison.range)}
          value={comparison.bin}
          onChange={(bin) => change((current) => setBin(current, bin))}
        />
        <OptionSelect
          label="Measure"
          name="measure"
          options={measureOptions(comparison, choices)}
          value={comparison.measure}
          onChange={(measure) => change((current) => ({ ...current, measure }))}
        />
        <OptionSelect
          label="Values"
          name="transform"
          options={TRANSFORMS}
          value={comparison.transform}
          onChange={(transform) => change((current) => ({ ...current, transform }))}
        />
      </div>
      <MoreOptions />
      <Button type="submit" variant="primary" className="without-script">
        Show
      </Button>
    </form>
  )
}

function HiddenParameters() {
  const search = comparisonSearch(useComparisonPage().comparison)
  const { baseline } = search
  const values = HIDDEN.map((name) => [name, search[name]] as const)
  return [...values, ['baseline', baseline] as const].map(([name, value]) =>
    value === undefined ? null : (
      <input key={name} type="hidden" name={name} value={typeof value === 'string' ? value : JSON.stringify(value)} />
    ),
  )
}

/** Rarer options, out of the way. */
function MoreOptions() {
  const { comparison, change } = useComparisonPage()
  const changed = countChangedOptions(comparison)
  return (
    <details className="more-options">
      <summary className="button">
        More options
        {changed > 0 ? (
          <span className="more-options-count">
            {changed}
            <span className="sr-only"> changed</span>
          </span>
        ) : null}
        <Icon name="chevron" />
      </summary>
      <div className="more-options-panel">
        <div className="comparison-options">
          <OptionSelect
            label="Facet X"
            name="facetX"
            options={FACETS}
            value={comparison.facetX ?? ''}
            onChange={(facet) => change((current) => ({ ...current, facetX: facet || null }))}
          />
          <OptionSelect
            label="Facet Y"
            name="facetY"
            options={FACETS}
            value={comparison.facetY ?? ''}
            onChange={(facet) => change((current) => ({ ...current, facetY: facet || null }))}
          />
          <OptionSelect
            label="Scale"
            name="scale"
            options={SCALES}
            value={comparison.scale}
            onChange={(scale) => change((current) => ({ ...current, scale }))}
          />
          <OptionSelect
            label="Start at"
            name="align"
            options={ALIGNMENTS}
            value={comparison.align}
            onChange={(align) => change((current) => ({ ...current, align }))}
          />
          <IndexSelect />
        </div>
        <Corrections />
      </div>
    </details>
  )
}

function Corrections() {
  const { comparison, change } = useComparisonPage()
  return (
    <div className="more-options-checks">
      <OptionCheckbox
        label="Complete bins only"
        hint="Hides the first and last bin if they are missing days."
        name="showDataMode"
        value="complete"
        checked={comparison.bins === 'complete'}
        onChange={(on) => change((current) => ({ ...current, bins: on ? 'complete' : 'all' }))}
      />
      <OptionCheckbox
        label="Fill days without counts"
        hint="Scales bins up for days on which npm counted nothing."
        name="fix"
        value="zero"
        checked={comparison.fix === 'zero'}
        onChange={(on) => change((current) => ({ ...current, fix: on ? 'zero' : 'none' }))}
      />
      <OptionCheckbox
        label="Without mirrors"
        hint="Subtracts an estimate of downloads by bots."
        name="mirrors"
        value="without"
        checked={comparison.withoutMirrors}
        onChange={(withoutMirrors) => change((current) => ({ ...current, withoutMirrors }))}
      />
      {comparison.baseline.length > 0 ? (
        <OptionCheckbox
          label="Show the baseline"
          hint="Shows the packages that the others are compared with."
          name="showBaseline"
          value="true"
          checked={comparison.showBaseline}
          onChange={(showBaseline) => change((current) => ({ ...current, showBaseline }))}
        />
      ) : null}
    </div>
  )
}

/** Baselines of several packages. */
function IndexSelect() {
  const { comparison, choices, change } = useComparisonPage()
  if (choices.indexes.length === 0) return null
  const names = comparison.baseline.join()
  const current = choices.indexes.find(({ groups }) => groups.map(groupName).join() === names)
  const other = comparison.baseline.length > 0 && !current
  const options = [
    { value: '', label: 'None' },
    ...(other ? [{ value: names, label: comparison.baseline.join(', ') }] : []),
    ...choices.indexes.map(({ title }) => ({ value: title, label: title })),
  ]
  return (
    <OptionSelect
      label="Baseline"
      name=""
      options={options}
      value={current?.title ?? names}
      onChange={(chosen) => {
        const index = choices.indexes.find(({ title }) => title === chosen)
        change((state) => (index ? setIndex(state, index.groups) : setBaseline(state, [])))
      }}
    />
  )
}
