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
  /** Whether the browser's time zone is used, because the visitor has chosen none. */
  isBrowserZone: boolean
  clock: '24h' | '12h'
  range: Span
  motion: 'system' | 'reduced'
  /** The columns of the log, in the syntax of `parseColumns`. */
  columns: string
}

/** The preferences that determine how times are shown. */
export type Clock = Pick<Preferences, 'timeZone' | 'clock'>

/** The preferences in the form on /settings. An empty time zone means the browser's time zone. */
export type FormPreferences = Omit<Preferences, 'columns' | 'isBrowserZone'>

export function formPreferences({ columns, isBrowserZone, ...form }: Preferences): FormPreferences {
  return isBrowserZone ? { ...form, timeZone: '' } : form
}

export const preferencesCookie = 'sixpane_preferences'
/** The cookie for the browser's time zone. A script sets it, because requests do not contain the time zone. */
export const zoneCookie = 'sixpane_zone'

export const defaultPreferences: Readonly<Preferences> = {
  theme: 'system',
  density: 'comfortable',
  timeZone: 'UTC',
  isBrowserZone: true,
  clock: '24h',
  range: '1h',
  motion: 'system',
  columns: defaultColumns,
}

/** The choices for each preference that has a fixed set of values. A time zone is valid if `Intl` supports it. */
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

/** Parses the preferences in the cookies of a request. Replaces invalid values with their defaults. */
export function preferencesOf(cookies: Readonly<Record<string, string | undefined>>): Preferences {
  return parsePreferences(cookies[preferencesCookie], cookies[zoneCookie])
}

export function parsePreferences(text: string | undefined, browserZone?: string): Preferences {
  const params = new URLSearchParams(text ?? '')
  const chosenZone = zoneOf(params.get('timeZone'))
  const range = params.get('range')
  return {
    theme: chosen(preferenceChoices.theme, params.get('theme')) ?? defaultPreferences.theme,
    density: chosen(preferenceChoices.density, params.get('density')) ?? defaultPreferences.density,
    timeZone: chosenZone ?? zoneOf(browserZone) ?? defaultPreferences.timeZone,
    isBrowserZone: chosenZone === null,
    clock: chosen(preferenceChoices.clock, params.get('clock')) ?? defaultPreferences.clock,
    range: isSpan(range) ? range : defaultPreferences.range,
    motion: chosen(preferenceChoices.motion, params.get('motion')) ?? defaultPreferences.motion,
    columns: writeColumns(parseColumns(params.get('columns') ?? '')),
  }
}

export function serializePreferences({ isBrowserZone, timeZone, ...others }: Preferences): string {
  return new URLSearchParams(isBrowserZone ? others : { ...others, timeZone }).toString()
}

function zoneOf(name: string | null | undefined): string | null {
  return name != null && isTimeZone(name) ? name : null
}

function chosen<Choice extends string>(choices: readonly Choice[], value: string | null): Choice | undefined {
  return choices.find(choice => choice === value)
}
