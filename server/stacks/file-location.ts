import { libraryPart } from './runtimes/libraries.ts'

/** What a frame's file is to the application: where it lies, and whether the application wrote it. */
export type Place = { file: string; inApp: boolean }

/**
 * Makes of a file as a stack names it the file relative to the application: the same wherever it is installed.
 * @param root the application's own folder, where it is known
 */
export function placeOf(file: string, root?: string): Place {
  const path = withoutScheme(file)
  if (isOfRuntime(file)) return { file, inApp: false }
  const library = libraryPart(path)
  if (library !== null) return { file: library, inApp: false }
  const folder = root?.replaceAll('\\', '/').replace(/\/$/, '')
  return {
    file: folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path,
    inApp: true,
  }
}

/**
 * The part of a file's place that stays the same over installations and builds: no folders above the last of an
 * absolute path (they differ by machine), no hash in a bundle's name, no numbers in folders of releases.
 */
export function stablePlace(file: string): string {
  // Below its output folder, Next.js lays files as the routes are: `…/orders/[id]/page.js`.
  const built = file.replace(/^.*\/(?=(?:_next|\.next)\/)/, '')
  const absolute = built.startsWith('/') || /^[a-z]:\//i.test(built)
  const path = absolute ? built.split('/').slice(-2) : built.split('/')
  const name = withoutHash(path.at(-1) ?? '')
  return [...path.slice(0, -1).map(folder => folder.replace(/\d+/g, '0')), name].join('/')
}

/** A file that a bundler wrote: its name holds a hash. The names of functions in it are as the minifier left them. */
export function isBundle(file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1)
  return withoutHash(name) !== name || /(^|\/)\.next\//.test(file)
}

/**
 * `file://`, `https://host`, `webpack-internal:///(rsc)/./` and the like off, query string off. What stood on a
 * host is kept as an absolute path.
 */
function withoutScheme(file: string): string {
  return (
    file
      .replaceAll('\\', '/')
      // How React shows a frame of the server in the browser: `about://React/Server/file:///app/page.js?0`
      .replace(/^(?:about|rsc):\/\/React\/\w+\/(?=[^?#]*:\/\/)/, '')
      .replace(/^(?:async )?file:\/\/(?:localhost)?/, '')
      .replace(/^\/(?=[a-z]:\/)/i, '')
      .replace(/^https?:\/\/[^/]*/, '')
      .replace(/^(?:webpack|webpack-internal|turbopack|rsc|app|capacitor|ng):\/\/[^/]*\//, '')
      .replace(/^\([\w-]+\)\//, '')
      .replace(/^(?:\[project\]|\.)\//, '')
      .replace(/[?#].*$/, '')
      .replace(/^(?:\.\.?\/)+/, '')
  )
}

function isOfRuntime(file: string): boolean {
  return (
    /^(node|internal|native|bun|deno|chrome-extension|moz-extension|safari-web-extension):/.test(file) ||
    /^(native|<[^>]*>|index \d+|anonymous|wasm:.*|internal\/.*\.js)$/.test(file)
  )
}

/**
 * `chunk-AB12CD34.js`, `main.4f3a2b1c.js`, `index-DiwrgTda.js`, `1234.js` without what changes with each build, as
 * esbuild, webpack, Vite and Next.js name their files. Names of sources (`CheckoutForm.tsx`) stay as they are.
 */
function withoutHash(name: string): string {
  const [, stem = '', extension] = /^(.*)(\.[cm]?js)$/.exec(name) ?? []
  if (extension === undefined) return name
  // Turbopack's: `[root-of-the-server]__0f3c2d1e._.js`
  const plain = stem.replace(/_[\da-f]{4,8}\._$/, '').replace(/-(?=[\w-]{0,7}[A-Z\d])[\w-]{8}$/, '')
  const parts = plain.split(/(?=[-._~])/).filter((part, index) => !isHash(part, index === 0))
  const kept = parts.join('')
  // webpack's number of a chunk
  return `${/^\d+$/.test(kept) ? '' : kept}${extension}`
}

function isHash(part: string, isFirst: boolean): boolean {
  const text = part.replace(/^[-._~]/, '')
  return /^(?=.*\d)[a-f\d]{8,64}$/.test(text) || (!isFirst && /^(?=.*\d)[A-Za-z\d]{8,64}$/.test(text))
}
