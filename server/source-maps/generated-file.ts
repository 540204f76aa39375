import { isBundle } from '../stacks/bundle-name.ts'
import { isRuntimeFile, locateFile } from '../stacks/file-location.ts'

const script = /\.(?:[cm]?js|jsbundle|bundle)(?:[?#]|$)/
const outputFolder = /(?:^|\/)(?:dist|build|out|\.next|_next|\.output|\.nuxt|\.svelte-kit)\//

/**
 * Whether a file in a stack may have an uploaded source map: it must be a script, and not belong to a package, a browser
 * extension or the runtime. Chunks that are named after packages count, because they may contain application code, for
 * example Turbopack's chunks for the edge runtime.
 */
export function mayBeGenerated(file: string): boolean {
  return (
    script.test(file) &&
    !file.includes('webpack-internal:') &&
    !isRuntimeFile(file) &&
    !/[\\/]node_modules[\\/]/.test(file)
  )
}

/** Whether a script looks compiled or bundled, so that a missing map is worth reporting. */
export function looksGenerated(file: string, column: number | null): boolean {
  if (!mayBeGenerated(file) || !locateFile(file).inApp) return false
  const isServed = /^https?:/.test(file)
  return (
    isServed ||
    outputFolder.test(file) ||
    isBundle(locateFile(file).file) ||
    (column ?? 0) > maxSourceLineLength
  )
}

const maxSourceLineLength = 300
