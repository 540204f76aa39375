import { isBundle } from '../stacks/bundle-name.ts'
import { locateFile } from '../stacks/file-location.ts'

const script = /\.(?:[cm]?js|jsbundle|bundle)(?:[?#]|$)/
const outputFolder = /(?:^|\/)(?:dist|build|out|\.next|_next|\.output|\.nuxt|\.svelte-kit)\//

/** A file of the application that a source map may know: a script, as a stack names it. */
export function mayBeGenerated(file: string): boolean {
  return script.test(file) && !file.includes('webpack-internal:') && locateFile(file).inApp
}

/** A script that looks as a compiler or bundler wrote it, so that a map is missed where there is none. */
export function looksGenerated(file: string, column: number | null): boolean {
  if (!mayBeGenerated(file)) return false
  const isServed = /^https?:/.test(file)
  return (
    isServed ||
    outputFolder.test(file) ||
    isBundle(locateFile(file).file) ||
    (column ?? 0) > longestSourceLine
  )
}

const longestSourceLine = 300
