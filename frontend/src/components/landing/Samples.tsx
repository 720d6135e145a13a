import type { CodeSample, FrameworkOption, LibraryPage } from '../../api/generated'
import { frameworkOption } from '../../lib/framework'
import { hueOf } from '../../lib/hue'
import { Markup } from '../ui/Markup'
import { Settle } from '../ui/Settle'
import { Sandbox } from './Sandbox'

interface Props {
  page: LibraryPage
  frameworks: FrameworkOption[]
}

const FIRST_CHOICE = 'react'

/** The same few lines in every framework. Radio buttons and panels work by CSS alone, as they do in the docs. */
export function Samples({ page: { samples }, frameworks }: Props) {
  const [only] = samples
  if (samples.length < 2 || !only) {
    return only ? (
      <div className="prose landing-samples">
        <Panel sample={only} label={only.framework && frameworkOption(frameworks, only.framework).label} />
      </div>
    ) : null
  }
  const options = samples.map((sample) => ({ sample, option: frameworkOption(frameworks, sample.framework ?? '') }))
  const first = options.find(({ option }) => option.value === FIRST_CHOICE) ?? options[0]
  return (
    <div className="prose landing-samples">
      <fieldset className="tabs" data-tabs="framework">
        <legend className="sr-only">Framework</legend>
        {options.map(({ sample, option }) => [
          <input
            key={`${option.value} input`}
            type="radio"
            name="sample"
            id={`sample-${option.value}`}
            data-tab={option.value}
            defaultChecked={sample === first?.sample}
          />,
          <label key={`${option.value} label`} htmlFor={`sample-${option.value}`} style={hueOf(option.color)}>
            <span className="dot">{option.label}</span>
          </label>,
        ])}
        {options.map(({ sample, option }) => (
          <div key={option.value} className="tab-panel" data-tab={option.value}>
            <Panel sample={sample} label={option.label} />
          </div>
        ))}
      </fieldset>
      <Settle />
    </div>
  )
}

function Panel({ sample, label }: { sample: CodeSample; label: string | null }) {
  const { html, example, sandbox } = sample
  return (
    <>
      <Markup html={html} />
      {example || sandbox ? (
        <div className="landing-further">
          {example ? (
            <a href={example} className="text-link">
              The whole example{label ? ` for ${label}` : ''}
            </a>
          ) : null}
          {sandbox ? <Sandbox sandbox={sandbox} label={label} /> : null}
        </div>
      ) : null}
    </>
  )
}
