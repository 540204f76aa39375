import type { SettingsSection } from '../../shared/screens/settings.ts'
import type { Parse, Parsed } from './parsers.ts'

/** A row of the settings table. */
export type Setting<V> = {
  /** The environment variable. */
  readonly variable: string
  /** Used if the variable is not set. */
  readonly defaultText: string
  /** Description in docs/settings.md and on /settings. */
  readonly meaning: string
  readonly parse: Parse<V>
  /** Formats the value for /settings. The text never contains a password or another secret. */
  readonly display: (value: V) => string
  /** Secrets keep leading and trailing spaces, and can be read from files (`secret-files.ts`). */
  readonly isSecret?: true
}

/** A setting that users can change on /settings while the service runs. */
export type RuntimeSetting<V> = Setting<V> & {
  /** The section of /settings that contains it. */
  readonly section: SettingsSection
  /** Formats a value as text that `parse` accepts. */
  readonly write: (value: V) => string
}

export type Table<V> = { readonly [K in keyof V]: Setting<V[K]> }
export type RuntimeTable<V> = { readonly [K in keyof V]: RuntimeSetting<V[K]> }
/** The values that a settings table describes. */
export type ValuesOf<T> = {
  readonly [K in keyof T]: T[K] extends Setting<infer V> ? V : never
}
/** Values by environment variable name. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Parses the text of a setting. Uses the default if the text is missing or empty. Trims the text first, unless it is a
 * secret.
 */
export function parseSetting<V>(setting: Setting<V>, text: string | undefined): Parsed<V> {
  const given = setting.isSecret ? text : text?.trim()
  return setting.parse(given || setting.defaultText)
}

/** Reads all settings in a table. Invalid settings get their defaults. `problems` is keyed by variable. */
export function readTable<V extends object>(
  table: Table<V>,
  environment: Environment,
): { values: V; problems: Map<string, string> } {
  const problems = new Map<string, string>()
  const read = <T>(setting: Setting<T>): T => {
    const parsed = parseSetting(setting, environment[setting.variable])
    if ('value' in parsed) return parsed.value
    problems.set(setting.variable, parsed.problem)
    return defaultOf(setting)
  }
  return { values: mapKeys<V>(table, key => read(table[key])), problems }
}

/** Creates a frozen object with the same keys and new values. */
export function mapKeys<V extends object>(
  keys: { readonly [K in keyof V]: unknown },
  makeValue: <K extends Extract<keyof V, string>>(key: K) => V[K],
): V {
  const values: Partial<V> = {}
  for (const key in keys) values[key] = makeValue(key)
  if (!isComplete(values, keys)) throw new Error('A key has no value')
  return Object.freeze(values)
}

function isComplete<V extends object>(
  values: Partial<V>,
  keys: { readonly [K in keyof V]: unknown },
): values is V {
  return Object.keys(keys).every(key => Object.hasOwn(values, key))
}

/** Returns an object's keys with their types. The object must have exactly the keys of its type. */
export function keysOf<T extends object>(object: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in object) keys.push(key)
  return keys
}

function defaultOf<V>(setting: Setting<V>): V {
  const parsed = setting.parse(setting.defaultText)
  if ('value' in parsed) return parsed.value
  throw new Error(`The default of ${setting.variable} is invalid: it ${parsed.problem}`)
}
