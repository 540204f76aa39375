import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the entry file of the built server, from the same build or from the `sixpane-server` package. Returns `null` if
 * there is neither. The package is optional, because services that only send events do not need it.
 */
export function findServer(): string | null {
  const builtFile = fileURLToPath(new URL('../server/main.js', import.meta.url))
  if (existsSync(builtFile)) return builtFile
  try {
    return fileURLToPath(import.meta.resolve('sixpane-server'))
  } catch {
    return null
  }
}

export const missingServer = 'the package sixpane-server is not installed. Install it'
