import type { HeaderMark } from '../../api/generated'
import { withBase } from '../../lib/paths'
import { useShell } from '../ui/useShell'

/** The name of the family in the header, with the marks of its brand. */
export function SiteTitle() {
  const { family, look } = useShell()
  return (
    <>
      {look.logo ? <Picture mark={look.logo} alt="" /> : null}
      {look.wordmark ? <Picture mark={look.wordmark} alt={family} /> : <span className="site-name">{family}</span>}
    </>
  )
}

/** A picture for each theme, of which the stylesheet of the brand shows one. */
function Picture({ mark: { light, dark, width, height }, alt }: { mark: HeaderMark; alt: string }) {
  const size = { width, height }
  if (dark === null) return <img src={withBase(light)} alt={alt} {...size} className="site-mark" />
  return (
    <>
      <img src={withBase(light)} alt={alt} {...size} className="site-mark on-light" />
      <img src={withBase(dark)} alt={alt} {...size} className="site-mark on-dark" />
    </>
  )
}
