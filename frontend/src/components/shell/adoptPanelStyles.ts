declare global {
  interface Window {
    /** The style element of goober, with which the panel writes its styles. It makes one if there is none. */
    _goober?: { parentNode: ParentNode; firstChild: { data: string } }
  }
}

/** Lets goober write into a stylesheet that the document adopts: the Content-Security-Policy forbids a style element. */
export function adoptPanelStyles(): void {
  if (window._goober) return
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets.push(sheet)
  let css = ''
  window._goober = {
    parentNode: document.head,
    firstChild: {
      get data() {
        return css
      },
      set data(text) {
        css = text
        sheet.replaceSync(text)
      },
    },
  }
}
