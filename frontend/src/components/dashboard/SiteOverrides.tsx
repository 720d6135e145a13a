import type { Load } from '../../api/call'
import { FollowedTopic } from './FollowedTopic'
import { LoadedSection } from './LoadedSection'
import { PromotionOverrides } from './PromotionOverrides'
import { SponsorOverrides } from './SponsorOverrides'
import { useLoaded } from './useLoaded'

const OVERRIDES = { name: 'data.changed', args: { source: 'overrides' } }

/** What pages show in their promotion boxes, and which sponsors, in addition to the site's files. */
export function SiteOverrides({ load }: { load: Load }) {
  const { state, reload } = useLoaded(load, 'overrides.list', null)
  return (
    <LoadedSection state={state} reload={reload}>
      {({ promotions, sponsors, slots }) => (
        <>
          <FollowedTopic topic={OVERRIDES} onState={reload} />
          <PromotionOverrides load={load} promotions={promotions} slots={slots} reload={reload} />
          <SponsorOverrides load={load} sponsors={sponsors} reload={reload} />
        </>
      )}
    </LoadedSection>
  )
}
