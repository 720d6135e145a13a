/** Browsers with Trusted Types take HTML only from policies. Types of the DOM take it as a string. */
interface TrustedTypePolicyFactory {
  createPolicy(
    name: string,
    rules: {
      createHTML?: (html: string) => string | null
      createScript?: (text: string) => string | null
      createScriptURL?: (url: string) => string | null
    },
  ): { createHTML: (html: string) => string }
}

// oxlint-disable-next-line no-var -- a property of the global object
declare var trustedTypes: TrustedTypePolicyFactory | undefined
