/**
 * Whether a bundler wrote the file: its name has a hash, it is in `.next`, or it is a `blob:` URL, from which inline workers
 * run. Function names in bundles may be minified.
 */
export function isBundle(file: string): boolean {
  return withoutHash(file) !== nameOf(file) || /(^|\/)\.next\/|^blob:/.test(file)
}

/**
 * Returns the file's name without the part that changes with each build: `chunk-AB12CD34.js`, `main.4f3a2b1c.js`,
 * `index-DiwrgTda.js`, `1234.js`. Covers esbuild, webpack, Vite, Bun, Next.js, SvelteKit, Nuxt and Astro. Source file names
 * (`CheckoutForm.tsx`) are returned unchanged.
 */
export function withoutHash(file: string): string {
  const name = nameOf(file)
  const [, stem = '', extension] = /^(.*)(\.(?:[cm]?js|wasm))$/.exec(name) ?? []
  if (extension === undefined) return name
  const folder = file.slice(0, file.lastIndexOf('/') + 1)
  const isWords = (text: string) => wordsWithNumber.test(text) && !hashedFolder.test(folder)
  const chunk = frameworkFolder.test(folder) ? stem.replace(/(?:^|\.)[\w-]{8}$/, '') : stem
  const plain = chunk
    // Turbopack: `[root-of-the-server]__0f3c2d1e._.js`
    .replace(/_[\da-f]{4,8}\._$/, '')
    .replace(/-(?=[\w-]{0,7}[A-Z\d])([\w-]{8})$/, (end, text: string) => (isWords(text) ? end : ''))
  const parts = plain.split(/(?=[-._~])/).filter((part, index) => {
    const text = part.replace(/^[-._~]/, '')
    return !isHash(text, index === 0) || isWords(text)
  })
  const stable = parts.join('')
  // webpack also names chunks by number.
  return `${/^\d+$/.test(stable) ? '' : stable}${extension}`
}

/** SvelteKit, Nuxt and Astro name chunks `[name].[hash].js` or `[hash].js`. Nuxt's development server has folders there. */
const frameworkFolder = /(?:^|\/)(?:_app\/immutable\/|_astro\/|_nuxt\/$)/
/** Folders that contain no source files. Compilers write files without hashes to others, such as `dist`. */
const hashedFolder = /(?:^|\/)(?:_app\/immutable|_astro|_nuxt|_next|\.next|assets)\//
/**
 * Source files have such names too: `get-order-v2.js`, `to-base64url.js`. Hashes in lower case are hexadecimal, or from Bun,
 * which does not use these letters.
 */
const wordsWithNumber = /^(?=[^ilou_-]*[ilou_-])[a-z_-]*\d+[a-z_-]*$/

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

function isHash(text: string, isFirst: boolean): boolean {
  return /^(?=.*\d)[a-f\d]{8,64}$/.test(text) || (!isFirst && /^(?=.*\d)[A-Za-z\d]{8,64}$/.test(text))
}
