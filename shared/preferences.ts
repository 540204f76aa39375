import { defaultColumns, parseColumns, writeColumns } from './columns.ts'
import { isSpan, type Span } from './range.ts'

/**
 * The visitor's preferences, set on /settings and in the log. A cookie stores them, so that the server can use them for
 * rendering.
 */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'comfortable' | 'compact'
  /** An IANA time zone name. */
  timeZone: string
  clock: '24h' | '12h'
  range: Span
  motion: 'system' | 'reduced'
  /** The columns of the log, in the syntax of `parseColumns`. */
  columns: string
}

/** The preferences in the form on /settings. */
export type FormPreferences = Omit<Preferences, 'columns'>

export const preferencesCookie = 'sixpane_preferences'

export const defaultPreferences: Readonly<Preferences> = {
  theme: 'system',
  density: 'comfortable',
  timeZone: 'UTC',
  clock: '24h',
  range: '1h',
  motion: 'system',
  columns: defaultColumns,
}

/** The valid values of each preference. `Intl` decides which time zones are valid. */
export const preferenceChoices = {
  theme: ['system', 'light', 'dark'],
  density: ['comfortable', 'compact'],
  clock: ['24h', '12h'],
  motion: ['system', 'reduced'],
} as const

export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

/** Parses the cookie. Replaces invalid values with their defaults. */
export function parsePreferences(text: string | undefined): Preferences {
  const params = new URLSearchParams(text ?? '')
  const timeZone = params.get('timeZone')
  const range = params.get('range')
  return {
    theme: chosen(preferenceChoices.theme, params.get('theme')) ?? defaultPreferences.theme,
    density: chosen(preferenceChoices.density, params.get('density')) ?? defaultPreferences.density,
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : defaultPreferences.timeZone,
    clock: chosen(preferenceChoices.clock, params.get('clock')) ?? defaultPreferences.clock,
    range: isSpan(range) ? range : defaultPreferences.range,
    motion: chosen(preferenceChoices.motion, params.get('motion')) ?? defaultPreferences.motion,
    columns: writeColumns(parseColumns(params.get('columns') ?? '')),
  }
}

export function serializePreferences(preferences: Preferences): string {
  return new URLSearchParams(preferences).toString()
}

function chosen<Choice extends string>(choices: readonly Choice[], value: string | null): Choice | undefined {
  return choices.find(choice => choice === value)
}
