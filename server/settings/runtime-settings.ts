import { dayMs } from '../../shared/duration-units.ts'
import type { RetentionLimits } from '../../shared/retention-limits.ts'
import { ConfigError } from './config.ts'
import {
  type Environment,
  keysOf,
  mapKeys,
  parseSetting,
  type RuntimeTable,
  readTable,
  type ValuesOf,
} from './setting.ts'
import { gigabyte, runtimeSettings } from './table.ts'

/** The values of the settings that users can change while the service runs. */
export type RuntimeSettings = ValuesOf<typeof runtimeSettings>
export type RuntimeKey = keyof RuntimeSettings
/** Settings as text, in the format of their environment variables. */
export type FormattedSettings = Readonly<Record<RuntimeKey, string>>

const table: RuntimeTable<RuntimeSettings> = runtimeSettings
export const runtimeKeys = keysOf(table)

/** Returns the runtime setting for a variable, or `undefined` if there is none. */
export function runtimeKeyOf(variable: string): RuntimeKey | undefined {
  return runtimeKeys.find(key => table[key].variable === variable)
}

/** Validates the text of a setting. Returns a sentence that describes the problem, or `null` if the text is valid. */
export function problemOf<K extends RuntimeKey>(key: K, text: string): string | null {
  const parsed = parseSetting(table[key], text)
  if ('value' in parsed) return null
  const { problem } = parsed
  return problem.charAt(0).toUpperCase() + problem.slice(1)
}

/**
 * Returns the settings from the environment with changes applied.
 * @throws ConfigError if a value is invalid
 */
export function withOverrides(
  environment: RuntimeSettings,
  changes: Partial<FormattedSettings>,
): RuntimeSettings {
  const formatted = { ...formatSettings(environment), ...changes }
  const byVariable: Environment = Object.fromEntries(
    runtimeKeys.map(key => [table[key].variable, formatted[key]]),
  )
  const { values, problems } = readTable(table, byVariable)
  if (problems.size > 0) throw new ConfigError([...problems].map(each => each.join(' ')))
  return values
}

/** Formats settings as text, in the format of their environment variables. */
export function formatSettings(settings: RuntimeSettings): FormattedSettings {
  const write = <K extends RuntimeKey>(key: K) => table[key].write(settings[key])
  return mapKeys<FormattedSettings>(table, write)
}

/** Whether a setting has its default value. */
export function isDefault(settings: RuntimeSettings, key: RuntimeKey): boolean {
  return formatSettings(settings)[key] === table[key].defaultText
}

/** Converts the retention settings to the limits that the store expects. */
export function retentionOf(settings: RuntimeSettings): RetentionLimits {
  return {
    maxAgeMs: settings.retentionDays * dayMs,
    maxBytes: settings.retentionGigabytes * gigabyte,
  }
}
