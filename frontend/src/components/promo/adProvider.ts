// The interface between promotion boxes and the scripts of ad networks.
import type { PromoSlot } from '../../api/generated'

/** An ad network that fills boxes. Errors of its script are ignored. */
export interface AdProvider {
  /** Fill the box, or replace its content. */
  fill(slot: PromoSlot, place: HTMLElement): void
  /** Selects the elements that the script adds to the page; of each kind only one may exist. */
  leaves: string
  kindOf(element: Element): string
}
