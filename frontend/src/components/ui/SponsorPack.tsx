import type { CSSProperties } from 'react'
import type { PackedSponsor, SponsorPack as Pack } from '../../api/generated'
import { band, initials, nameSize, side } from '../../lib/pack'
import { Styles } from './Styles'

interface Placed extends CSSProperties {
  '--x': number
  '--y': number
  '--r': number
}

/** Who funds the family: circles where the server has put them, and the names of those who would be too small. */
export function SponsorPack({ pack, target }: { pack: Pack; target?: '_parent' }) {
  return (
    <>
      <Styles name="sponsors" />
      {pack.circles.length > 0 ? (
        <Circles circles={pack.circles} target={target} />
      ) : (
        <a className="pack-empty" href={pack.becomeUrl} target={target} rel="noopener">
          Become the first sponsor
        </a>
      )}
      {pack.others.length > 0 ? (
        <ul className="pack-others" aria-label="More sponsors">
          {pack.others.map(({ name, linkUrl }) => (
            <li key={linkUrl}>
              <a href={linkUrl} target={target} rel="noopener sponsored">
                {name}
              </a>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function Circles({ circles, target }: { circles: PackedSponsor[]; target: '_parent' | undefined }) {
  const { top, height } = band(circles)
  return (
    <ul className="pack" aria-label="Sponsors" style={{ aspectRatio: rounded(1 / height) }}>
      {circles.map((sponsor) => (
        <Circle key={sponsor.linkUrl} sponsor={sponsor} down={rounded((sponsor.y - top) / height)} target={target} />
      ))}
    </ul>
  )
}

interface CircleProps {
  sponsor: PackedSponsor
  /** How far down the band its middle is. */
  down: number
  target: '_parent' | undefined
}

function Circle({ sponsor, down, target }: CircleProps) {
  const { name, linkUrl, imageUrl, x, r } = sponsor
  const place: Placed = { '--x': x, '--y': down, '--r': r }
  const size = imageUrl ? null : nameSize(sponsor)
  return (
    <li style={place} data-side={side(sponsor)}>
      <a href={linkUrl} target={target} rel="noopener sponsored">
        {size === null ? (
          <>
            {/* Below the picture, for readers whom it does not reach. */}
            <span aria-hidden="true" style={{ fontSize: `${(r * 70).toFixed(2)}cqi` }}>
              {initials(name)}
            </span>
            {imageUrl ? (
              <img src={imageUrl} alt="" width={256} height={256} loading="lazy" decoding="async" referrerPolicy="no-referrer" />
            ) : null}
            <span className="pack-tip">{name}</span>
          </>
        ) : (
          <span style={{ fontSize: `${(size * 100).toFixed(2)}cqi` }}>{name}</span>
        )}
      </a>
    </li>
  )
}

/** Short in the page's HTML, and the same in every engine. */
function rounded(share: number): number {
  return Math.round(share * 1e5) / 1e5
}
