import { Fragment } from 'react'
import type { CodeSample, LibraryPage } from '../../api/generated'
import { findFramework } from '../../lib/docs/framework'
import { FrameworkLabel } from '../ui/FrameworkLabel'
import { HtmlContent } from '../ui/HtmlContent'
import { InlineScript } from '../ui/InlineScript'
import { SampleSandbox } from './SampleSandbox'
import { Link } from '../ui/Link'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

interface Props {
  page: LibraryPage
}

/** The same code in several frameworks. Radio buttons switch the panels by CSS, as in the docs. */
export function CodeSamples({ page: { samples } }: Props) {
  const { frameworks, firstFramework } = useShell()
  const [only] = samples
  if (samples.length < 2 || !only) {
    return only ? (
      <div className="prose landing-samples">
        <SamplePanel sample={only} label={only.framework && findFramework(frameworks, only.framework).label} />
      </div>
    ) : null
  }
  const options = samples.map((sample) => ({ sample, option: findFramework(frameworks, sample.framework ?? '') }))
  const first = options.find(({ option }) => option.value === firstFramework) ?? options[0]
  return (
    <div className="prose landing-samples">
      <fieldset className="tabs" data-tabs="framework">
        <legend className="sr-only">Framework</legend>
        {options.map(({ sample, option }) => (
          <Fragment key={option.value}>
            <input
              type="radio"
              name="sample"
              id={`sample-${option.value}`}
              data-tab={option.value}
              defaultChecked={sample === first?.sample}
            />
            <label htmlFor={`sample-${option.value}`}>
              <FrameworkLabel value={option.value} />
            </label>
            <div className="tab-panel" data-tab={option.value}>
              <SamplePanel sample={sample} label={option.label} />
            </div>
          </Fragment>
        ))}
      </fieldset>
      <InlineScript />
    </div>
  )
}

function SamplePanel({ sample, label }: { sample: CodeSample; label: string | null }) {
  const { html, example, sandbox } = sample
  return (
    <>
      <HtmlContent html={html} />
      {example || sandbox ? (
        <div className="landing-sample-links">
          {example ? (
            <Link to={serverPath(example)} className="text-link">
              Full example{label ? ` for ${label}` : ''}
            </Link>
          ) : null}
          {sandbox ? <SampleSandbox sandbox={sandbox} label={label} /> : null}
        </div>
      ) : null}
    </>
  )
}
