/** Built by the plugin in `inlineScript.ts`. */
declare module 'virtual:inline-script' {
  export const INLINE_SCRIPT: string
}
