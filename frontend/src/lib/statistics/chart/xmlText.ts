// Characters that XML 1.0 does not allow, not even escaped.

// oxlint-disable-next-line no-control-regex -- they are what it finds
const INVALID = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

export function withoutInvalidXml(text: string): string {
  return text.replace(INVALID, '')
}
