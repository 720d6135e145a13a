import type { HomePage, LibraryCard } from '../../api/generated'
import { libraryColors } from '../../lib/colors'
import { DemoFrame } from '../ui/DemoFrame'
import { HtmlContent } from '../ui/HtmlContent'
import { LibraryLogo } from '../ui/LibraryLogo'
import { Link } from '../ui/Link'
import { serverPath } from '../../lib/paths'
import { useShell } from '../ui/useShell'

/** One pane with the demos of libraries: the code that runs, and its result. Radio buttons switch it by CSS. */
export function HomeProofs({ proofs }: { proofs: HomePage['proofs'] }) {
  const { libraries } = useShell()
  const shown = proofs.flatMap(({ id, code, drawing }) => {
    const library = libraries.find((one) => one.id === id)
    return library ? [{ id, code, drawing, library }] : []
  })
  if (shown.length === 0) return null
  return (
    <section className="column section" aria-labelledby="proofs">
      <h2 id="proofs" className="title">
        See them run
      </h2>
      <p className="lead">The code on one side, the real library running it on the other.</p>
      <fieldset className="home-proofs">
        <legend className="sr-only">Library</legend>
        {shown.map(({ id, library, code, drawing }, index) => [
          <input key={`${id} input`} type="radio" name="proof" id={`proof-${id}`} className="sr-only" defaultChecked={index === 0} />,
          <label key={`${id} label`} htmlFor={`proof-${id}`} style={libraryColors(library)}>
            <LibraryLogo library={library} />
            {library.shortName}
          </label>,
          <ProofPanel key={id} library={library} code={code} drawing={drawing} />,
        ])}
      </fieldset>
    </section>
  )
}

type Proof = Pick<HomePage['proofs'][number], 'code' | 'drawing'> & { library: LibraryCard }

function ProofPanel({ library, code, drawing }: Proof) {
  return (
    <div className="home-proof" style={libraryColors(library)}>
      <HtmlContent html={code} className="prose home-proof-code" />
      <div className="home-proof-result">
        <DemoFrame library={library} drawing={drawing} demo={code} />
        <p>
          {library.tagline}.{' '}
          <Link to={serverPath(library.to)} className="text-link">
            More about {library.shortName}
          </Link>
        </p>
      </div>
    </div>
  )
}
