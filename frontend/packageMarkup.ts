// Vite plugin: packages that insert style elements or HTML of their own do it as the Content-Security-Policy allows. Fails if a
// package no longer does what is replaced.
import type { Plugin } from 'vite'

interface Replacement {
  files: RegExp
  search: RegExp
  by: string
  helper: string
}

const REPLACEMENTS: Replacement[] = [
  {
    // The style element becomes a comment and a stylesheet that the document adopts.
    files: /\/react-colorful\/dist\/.*\.m?js/,
    search: /createElement\("style"\);\w+\.innerHTML=('(?:[^'\\]|\\.)*')/,
    by: 'createComment("");__adopt($1)',
    helper: `function __adopt(css) {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(css)
      document.adoptedStyleSheets.push(sheet)
    }`,
  },
  {
    // Solid's templates, which are constants of the package. Some have style attributes.
    files: /\/router-devtools-core\/dist\/context-.*\.js/,
    search: /\bt\.innerHTML = html;/,
    by: '__fill(t, html);',
    helper: `const __policy = globalThis.trustedTypes?.createPolicy('panel', { createHTML: (html) => html })
    function __fill(template, html) {
      const text = html.replace(/(["\\s])style=/g, '$1data-css=')
      template.innerHTML = __policy ? __policy.createHTML(text) : text
      for (const element of template.content.querySelectorAll('[data-css]')) {
        element.style.cssText = element.dataset.css
        element.removeAttribute('data-css')
      }
    }`,
  },
]

export function packageMarkup(): Plugin {
  return {
    name: 'package-markup',
    transform: {
      filter: { id: REPLACEMENTS.map(({ files }) => files) },
      handler(code, id) {
        const found = REPLACEMENTS.find(({ files }) => files.test(id))
        if (!found?.search.test(code)) throw new Error(`${id} inserts its markup in another way`)
        return { code: `${code.replace(found.search, found.by)}\n${found.helper}`, map: null }
      },
    },
  }
}
