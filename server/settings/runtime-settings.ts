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
import { dayMs, gigabyte, runtimeSettings } from './table.ts'

/** The values of the settings that can be changed while the service runs. */
export type RuntimeSettings = ValuesOf<typeof runtimeSettings>
export type RuntimeKey = keyof RuntimeSettings
/** Settings as texts, as their variables would hold them. */
export type SettingTexts = Readonly<Record<RuntimeKey, string>>

const table: RuntimeTable<RuntimeSettings> = runtimeSettings
export const runtimeKeys = keysOf(table)

/** The setting that a variable sets, if it can be changed at run time. */
export function runtimeKeyOf(variable: string): RuntimeKey | undefined {
  return runtimeKeys.find(key => table[key].variable === variable)
}

/** What is wrong with the text of a setting, as a sentence, or `null`. */
export function problemOf<K extends RuntimeKey>(key: K, text: string): string | null {
  const parsed = parseSetting(table[key], text)
  if ('value' in parsed) return null
  const { problem } = parsed
  return problem.charAt(0).toUpperCase() + problem.slice(1)
}

/**
 * The environment's settings, with changes on top.
 * @throws ConfigError where a text is invalid
 */
export function overlaid(environment: RuntimeSettings, changes: Partial<SettingTexts>): RuntimeSettings {
  const texts = { ...textsOf(environment), ...changes }
  const byVariable: Environment = Object.fromEntries(
    runtimeKeys.map(key => [table[key].variable, texts[key]]),
  )
  const { values, problems } = readTable(table, byVariable)
  if (problems.size > 0) throw new ConfigError([...problems].map(each => each.join(' ')))
  return values
}

/** Writes settings as their variables would hold them. */
export function textsOf(settings: RuntimeSettings): SettingTexts {
  const write = <K extends RuntimeKey>(key: K) => table[key].write(settings[key])
  return mapKeys<SettingTexts>(table, write)
}

/** The limits of stored events, as the store takes them. */
export function retentionOf(settings: RuntimeSettings): { maxAgeMs: number; maxBytes: number } {
  return {
    maxAgeMs: settings.retentionDays * dayMs,
    maxBytes: settings.retentionGigabytes * gigabyte,
  }
}
