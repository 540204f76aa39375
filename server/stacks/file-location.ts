import { libraryPath } from './runtimes/libraries.ts'

/** The path of a frame's file, and whether it belongs to the application (not to a library or the runtime). */
export type FileLocation = { file: string; inApp: boolean }

/** Deno prints the URLs of the libraries that it downloads. */
const remoteLibrary = /^https:\/\/((?:deno\.land\/(?:std|x)[@/]|jsr\.io\/|esm\.sh\/).*)/

/**
 * Locates a frame's file. The path is relative to the application, so that it is the same in every installation.
 * @param root the application's folder, if known
 */
export function locateFile(file: string, root?: string): FileLocation {
  const path = decoded(withoutScheme(file))
  if (isRuntimeFile(file)) return { file, inApp: false }
  const library = remoteLibrary.exec(file)?.[1] ?? libraryPath(path)
  if (library !== null) return { file: library, inApp: false }
  const folder = root?.replaceAll('\\', '/').replace(/\/$/, '')
  return {
    file: folder !== undefined && path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path,
    inApp: true,
  }
}

/**
 * Removes `file://`, `https://host`, `webpack-internal:///(rsc)/./` and similar prefixes, and the query string. Keeps the host
 * of a page, which distinguishes it from a file.
 */
function withoutScheme(file: string): string {
  const path = file.replaceAll('\\', '/').replace(/[?#][\s\S]*?(?=:wasm-function\[|$)/, '')
  if (isPage(path)) return path
  return (
    path
      // React shows server frames in the browser as `about://React/Server/file:///app/page.js?0`.
      .replace(/^(?:about|rsc):\/\/React\/\w+\/(?=[^?#]*:\/\/)/, '')
      .replace(/^(?:async )?file:\/\/(?:localhost)?/, '')
      .replace(/^\/(?=[a-z]:\/)/i, '')
      .replace(/^https?:\/\/[^/]*/, '')
      .replace(/^(?:webpack|webpack-internal|turbopack|rsc|app|capacitor|ng):\/\/[^/]*\//, '')
      .replace(/^\([\w-]+\)\//, '')
      .replace(/^(?:\[project\]|\.)\//, '')
      .replace(/^(?:\.\.?\/)+/, '')
  )
}

/**
 * Whether a URL is probably of a page, which contains an inline script or an `on…` attribute, because its last part has no
 * extension. Exceptions are Google's scripts (`/gtag/js`), packages on a CDN (`/vue@3`) and modules that Vite generates.
 */
function isPage(url: string): boolean {
  return (
    /^https?:\/\//.test(url) &&
    /\/(?:(?!js$)[^/.@&]*|[^/]*\.html?)$/.test(url) &&
    !/\/@(?:vite|id)\//.test(url)
  )
}

/** Decodes browser paths and `file:` URLs: `…/orders/%5Bid%5D/page.js`. Returns paths with invalid escapes unchanged. */
function decoded(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Whether a file is part of the runtime or a browser extension. WebAssembly whose module has no name counts, because it may be
 * Node's HTTP parser.
 */
export function isRuntimeFile(file: string): boolean {
  return (
    /^(node|internal|native|bun|deno|ext|chrome-extension|moz-extension|safari-web-extension):/.test(file) ||
    /^wasm:(?!\/\/wasm\/.+-[\da-f]{8}:)/.test(file) ||
    /^(native|<[^>]*>|\[internal\]|index \d+|anonymous|internal\/.*\.js)$/.test(file)
  )
}
