/** Whether a bundler wrote the file: its name has a hash, or it is in `.next`. Function names in bundles may be minified. */
export function isBundle(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return withoutHash(name) !== name || /(^|\/)\.next\//.test(file)
}

/**
 * Removes the part of a bundle's name that changes with each build: `chunk-AB12CD34.js`, `main.4f3a2b1c.js`,
 * `index-DiwrgTda.js`, `1234.js`. Covers esbuild, webpack, Vite and Next.js. Source file names (`CheckoutForm.tsx`) are
 * returned unchanged.
 */
export function withoutHash(name: string): string {
  const [, stem = '', extension] = /^(.*)(\.[cm]?js)$/.exec(name) ?? []
  if (extension === undefined) return name
  // Turbopack: `[root-of-the-server]__0f3c2d1e._.js`
  const plain = stem.replace(/_[\da-f]{4,8}\._$/, '').replace(/-(?=[\w-]{0,7}[A-Z\d])[\w-]{8}$/, '')
  const parts = plain.split(/(?=[-._~])/).filter((part, index) => !isHash(part, index === 0))
  const stable = parts.join('')
  // webpack also names chunks by number.
  return `${/^\d+$/.test(stable) ? '' : stable}${extension}`
}

function isHash(part: string, isFirst: boolean): boolean {
  const text = part.replace(/^[-._~]/, '')
  return /^(?=.*\d)[a-f\d]{8,64}$/.test(text) || (!isFirst && /^(?=.*\d)[A-Za-z\d]{8,64}$/.test(text))
}
