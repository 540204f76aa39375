/** The options that scripts/build/fonts.mjs uses (https://github.com/papandreou/subset-font#api). The package has no types. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: {
      targetFormat: 'woff2' | 'sfnt'
      variationAxes: Record<string, { min: number; max: number }>
      keepFeatures: string[]
      preserveNameIds: number[]
    },
  ): Promise<Uint8Array>
}
