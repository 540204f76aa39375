import { isBundle } from '../stacks/bundle-name.ts'
import { locateFile } from '../stacks/file-location.ts'

const script = /\.(?:[cm]?js|jsbundle|bundle)(?:[?#]|$)/
const outputFolder = /(?:^|\/)(?:dist|build|out|\.next|_next|\.output|\.nuxt|\.svelte-kit)\//

/** Whether a file in a stack is an application script that may have a source map. */
export function mayBeGenerated(file: string): boolean {
  return script.test(file) && !file.includes('webpack-internal:') && locateFile(file).inApp
}

/** Whether a script looks compiled or bundled, so that a missing map is worth reporting. */
export function looksGenerated(file: string, column: number | null): boolean {
  if (!mayBeGenerated(file)) return false
  const isServed = /^https?:/.test(file)
  return (
    isServed ||
    outputFolder.test(file) ||
    isBundle(locateFile(file).file) ||
    (column ?? 0) > maxSourceLineLength
  )
}

const maxSourceLineLength = 300
