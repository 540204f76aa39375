import { isIP } from 'node:net'
import { isLoopback } from './addresses.ts'
import { withSecretFiles } from './secret-files.ts'
import { type Environment, readTable, type ValuesOf } from './setting.ts'
import { allSettings } from './table.ts'

type Values = ValuesOf<typeof allSettings>

/** The settings from the environment, read once and frozen. `table.ts` describes each setting. */
export type Config = Values & {
  /** Time limit for rendering a page. Afterwards, the failure page replaces it. */
  readonly renderDeadlineMs: number
}

/** Lists every invalid setting. Never contains values, because a value may be a misplaced secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

/**
 * Reads the configuration from an environment, and secrets also from files.
 * @throws ConfigError with one line per problem
 */
export function readConfig(environment: Environment): Config {
  const withSecrets = withSecretFiles(environment, allSettings)
  const { values, problems } = readTable<Values>(allSettings, withSecrets.environment)
  const lines = [...withSecrets.problems, ...problems].map(([variable, problem]) => `${variable} ${problem}`)
  const isPasswordInvalid = withSecrets.problems.size > 0 || problems.has('SIXPANE_PASSWORD')
  if (isOpenToNetwork(values) && !isPasswordInvalid) {
    lines.push(
      'HOST is not a loopback address: set SIXPANE_PASSWORD, or SIXPANE_AUTH=none behind a proxy that authenticates visitors',
    )
  }
  if (lines.length > 0) throw new ConfigError(lines)
  return Object.freeze({
    ...values,
    publicOrigin: values.publicOrigin || originOf(values),
    renderDeadlineMs: 10_000,
  })
}

/** Whether every visitor and service must authenticate. */
export function requiresSignIn<C extends Pick<Values, 'password'>>(
  config: C,
): config is C & { password: string } {
  return config.password !== null
}

function isOpenToNetwork(values: Values): boolean {
  return !isLoopback(values.host) && !requiresSignIn(values) && values.auth !== 'none'
}

function originOf({ host, port }: Values): string {
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}
