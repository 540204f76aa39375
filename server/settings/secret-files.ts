import { readFileSync } from 'node:fs'
import { errorCode } from '../../shared/error-code.ts'
import type { Environment, Setting } from './setting.ts'

const maxLength = 64 * 1024

/**
 * Reads secrets from files whose paths are in variables such as `SIXPANE_PASSWORD_FILE`, because container engines mount
 * secrets as files (https://docs.docker.com/compose/how-tos/use-secrets/). Ignores one line break at the end of a file.
 * @returns the environment with the secrets, and the problems by variable
 */
export function withSecretFiles(
  environment: Environment,
  settings: Readonly<Record<string, Pick<Setting<unknown>, 'variable' | 'isSecret'>>>,
): { environment: Environment; problems: Map<string, string> } {
  const complete: Record<string, string | undefined> = { ...environment }
  const problems = new Map<string, string>()
  for (const { variable, isSecret } of Object.values(settings)) {
    const name = `${variable}_FILE`
    const file = environment[name]
    if (!isSecret || !file) continue
    if (environment[variable]) {
      problems.set(name, `must not be set together with ${variable}`)
      continue
    }
    const read = readSecret(file)
    if ('problem' in read) problems.set(name, read.problem)
    else complete[variable] = read.secret
  }
  return { environment: complete, problems }
}

/** Problems do not quote the file's content. */
function readSecret(file: string): { secret: string } | { problem: string } {
  try {
    const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (secret === '') return { problem: 'must name a file that is not empty' }
    return secret.length > maxLength
      ? { problem: 'must name a file that contains only the secret: this file is too large' }
      : { secret }
  } catch (error) {
    const code = errorCode(error)
    return { problem: `must name a file that can be read${code === null ? '' : ` (${code})`}` }
  }
}
