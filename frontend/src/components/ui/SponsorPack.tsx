import type { CSSProperties } from 'react'
import type { PackedSponsor, SponsorPack as Pack } from '../../api/generated'
import { initials, nameSize, side } from '../../lib/pack'
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
        <ul className="pack" aria-label="Sponsors">
          {pack.circles.map((sponsor) => (
            <Circle key={sponsor.linkUrl} sponsor={sponsor} target={target} />
          ))}
        </ul>
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

function Circle({ sponsor, target }: { sponsor: PackedSponsor; target: '_parent' | undefined }) {
  const { name, linkUrl, imageUrl, x, y, r } = sponsor
  const place: Placed = { '--x': x, '--y': y, '--r': r }
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
