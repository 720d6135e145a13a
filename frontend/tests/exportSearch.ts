// Samples for the tests of the search of an export.
import type { StaticRanking } from '../src/exportSearch/records'

/** Without synonyms and other rules. */
export const PLAIN_RANKING: StaticRanking = {
  letters: {},
  stopWords: [],
  optionalWords: [],
  oneTypoFrom: 4,
  twoTyposFrom: 8,
  headingSuffixes: [],
  synonyms: [],
  prefixAliases: [],
  demotions: [],
}
