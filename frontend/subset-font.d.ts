declare module 'subset-font' {
  interface Options {
    targetFormat: 'woff2'
    keepFeatures?: readonly string[]
    variationAxes?: Record<string, number | { min: number; max: number; default?: number }>
  }
  export default function subset(font: Buffer, text: string, options: Options): Promise<Buffer>
}
