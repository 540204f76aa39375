import { type Config, ConfigError, readConfig } from '../config.ts'

/** What may be changed while the service runs, by the variable that sets it otherwise. */
export const changeable = [
  'LOG_LEVEL',
  'SIXPANE_RETENTION_DAYS',
  'SIXPANE_RETENTION_GB',
  'SIXPANE_REDACT',
] as const
export type SettingName = (typeof changeable)[number]

export type ServiceSettings = Readonly<Pick<Config, 'logLevel' | 'retention' | 'redactPaths'>>

export function isChangeable(name: string): name is SettingName {
  return changeable.some(each => each === name)
}

/** What is wrong with the text of a setting, by the rules that its variable has, or `null`. */
export function problemOf(name: SettingName, text: string): string | null {
  try {
    readConfig({ [name]: text })
    return null
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const [problem = ''] = error.problems
    const words = problem.slice(name.length + 1)
    return words.charAt(0).toUpperCase() + words.slice(1)
  }
}

/**
 * The settings that hold where these texts stand above the environment's values.
 * @throws ConfigError where one of them can't be read
 */
export function overlaid(
  environment: ServiceSettings,
  texts: Readonly<Partial<Record<SettingName, string>>>,
): ServiceSettings {
  const changed = readConfig(texts)
  const from = (name: SettingName) => (texts[name] === undefined ? environment : changed)
  return Object.freeze({
    logLevel: from('LOG_LEVEL').logLevel,
    retention: Object.freeze({
      maxAgeMs: from('SIXPANE_RETENTION_DAYS').retention.maxAgeMs,
      maxBytes: from('SIXPANE_RETENTION_GB').retention.maxBytes,
    }),
    redactPaths: from('SIXPANE_REDACT').redactPaths,
  })
}

/** Settings as their variables would say them. */
export function textsOf({ logLevel, retention, redactPaths }: ServiceSettings): Record<SettingName, string> {
  return {
    LOG_LEVEL: logLevel,
    SIXPANE_RETENTION_DAYS: plainNumber(retention.maxAgeMs / 86_400_000),
    SIXPANE_RETENTION_GB: plainNumber(retention.maxBytes / 1e9),
    SIXPANE_REDACT: redactPaths.join(','),
  }
}

/** Without what a multiplication and a division leave behind: 0.07, not 0.07000000000000001. */
function plainNumber(value: number): string {
  return String(Number(value.toPrecision(12)))
}
