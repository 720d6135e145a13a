// The Trusted Types policy of the boot script (SECURITY.md).
const policy = globalThis.trustedTypes?.createPolicy('page', { createHTML: (html) => html })

/** HTML of a page of this site, or a constant. */
export function pageHtml(html: string): string {
  return policy ? policy.createHTML(html) : html
}
