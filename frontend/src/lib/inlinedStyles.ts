/** Whether the document contains the text of this stylesheet. */
export function isInlined(href: string): boolean {
  return document.querySelector(`style[data-href="${href}"]`) !== null
}
