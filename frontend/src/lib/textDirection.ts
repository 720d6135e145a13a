/** Letters of Hebrew, Arabic and other scripts that run from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The attribute `dir` of a text, for one that has such letters. */
export function textDirection(text: string): 'auto' | undefined {
  return RIGHT_TO_LEFT.test(text) ? 'auto' : undefined
}
