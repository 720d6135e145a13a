/** Whether the document has this stylesheet, as a part of it in its head or as a file. */
export function hasStylesheet(href: string): boolean {
  return document.querySelector(`style[data-href="${href}"], link[rel=stylesheet][href="${href}"]`) !== null
}
