import { readFileSync } from 'node:fs'
import { errorCode } from '../../shared/error-code.ts'
import { UsageError } from './options.ts'

/**
 * Returns the password from the environment or, like the server, from a file. Ignores one line break at the file's end.
 * @throws UsageError if the file cannot be read, unless there is a token, which takes precedence
 */
export function readPassword({
  SIXPANE_PASSWORD: password,
  SIXPANE_PASSWORD_FILE: file,
  SIXPANE_TOKEN: token,
}: NodeJS.ProcessEnv): string | undefined {
  if (password || !file) return password || undefined
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '') || undefined
  } catch (error) {
    if (token) return undefined
    throw new UsageError(`SIXPANE_PASSWORD_FILE cannot be read (${errorCode(error)})`)
  }
}
