import type { HomePage } from '../../api/generated'
import { DemoFrame } from '../ui/DemoFrame'
import { HtmlContent } from '../ui/HtmlContent'
import { useShell } from '../ui/useShell'

/** The demos of libraries: the code that runs, and its result. */
export function HomeProofs({ proofs }: { proofs: HomePage['proofs'] }) {
  const { libraries } = useShell()
  if (proofs.length === 0) return null
  return (
    <section className="column section" aria-labelledby="proofs">
      <h2 id="proofs" className="title">
        See them run
      </h2>
      <ul className="home-proofs">
        {proofs.map(({ id, code, drawing }) => {
          const library = libraries.find((one) => one.id === id)
          return library ? (
            <li key={id}>
              <HtmlContent html={code} className="prose" />
              <DemoFrame library={library} drawing={drawing} demo={code} />
            </li>
          ) : null
        })}
      </ul>
    </section>
  )
}
