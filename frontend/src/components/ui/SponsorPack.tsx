import type { CSSProperties } from 'react'
import type { PackedSponsor, SponsorPack as Pack } from '../../api/generated'
import { packBounds, sponsorInitials, labelSize, tooltipSide } from '../../lib/home/sponsorPack'
import { AreaStyles } from './AreaStyles'
import { ExternalLink } from './Link'
import { PartnerMark, partnerMarks } from './PartnerMark'
import { withBase } from '../../lib/paths'

interface CircleStyle extends CSSProperties {
  '--x': number
  '--y': number
  '--r': number
}

/** The sponsors: circles at positions computed by the server, and a list of those whose circle would be too small. */
export function SponsorPack({ pack, target }: { pack: Pack; target?: '_parent' }) {
  return (
    <>
      <AreaStyles name="sponsors" />
      {pack.circles.length > 0 ? (
        <SponsorCircles pack={pack} target={target} />
      ) : pack.becomeUrl === null ? null : (
        <ExternalLink className="sponsor-pack-empty" href={pack.becomeUrl} target={target}>
          Become the first sponsor
        </ExternalLink>
      )}
      {pack.others.length > 0 ? (
        <ul className="sponsor-pack-others" aria-label="More sponsors">
          {pack.others.map(({ name, linkUrl }) => (
            <li key={linkUrl}>
              <ExternalLink href={linkUrl} target={target} rel="noopener sponsored">
                {name}
              </ExternalLink>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function SponsorCircles({ pack: { circles, marks }, target }: { pack: Pack; target: '_parent' | undefined }) {
  const { top, height } = packBounds(circles)
  return (
    <ul className="sponsor-pack" aria-label="Sponsors" style={{ ...partnerMarks(marks), aspectRatio: roundShare(1 / height) }}>
      {circles.map((sponsor) => (
        <SponsorCircle key={sponsor.linkUrl} sponsor={sponsor} down={roundShare((sponsor.y - top) / height)} target={target} />
      ))}
    </ul>
  )
}

interface CircleProps {
  sponsor: PackedSponsor
  /** Vertical position of the center, as a share of the height of the pack. */
  down: number
  target: '_parent' | undefined
}

function SponsorCircle({ sponsor, down, target }: CircleProps) {
  const { name, linkUrl, imageUrl, mark, x, r } = sponsor
  const place: CircleStyle = { '--x': x, '--y': down, '--r': r }
  const size = imageUrl ? null : labelSize(sponsor)
  return (
    <li style={place} data-side={tooltipSide(sponsor)}>
      <ExternalLink href={linkUrl} target={target} rel="noopener sponsored">
        {size === null ? (
          <>
            {/* Covered by the image; visible where the image does not load. */}
            <span aria-hidden="true" style={{ fontSize: `${(r * 70).toFixed(2)}cqi` }}>
              {sponsorInitials(name)}
            </span>
            {imageUrl ? (
              <img src={withBase(imageUrl)} alt="" width={256} height={256} loading="lazy" decoding="async" referrerPolicy="no-referrer" />
            ) : null}
            <span className="sponsor-pack-tooltip">{name}</span>
          </>
        ) : (
          <span className="sponsor-pack-name" style={{ fontSize: `${(size * 100).toFixed(2)}cqi` }}>
            {mark === null ? null : <PartnerMark row={mark} />}
            {name}
          </span>
        )}
      </ExternalLink>
    </li>
  )
}

/** Rounded so that the HTML is short and equal on server and client. */
function roundShare(share: number): number {
  return Math.round(share * 1e5) / 1e5
}
