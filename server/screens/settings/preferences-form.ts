import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type FormPreferences, isTimeZone, preferenceChoices } from '../../../shared/preferences.ts'
import { spans } from '../../../shared/range.ts'
import type { PreferencesForm } from '../../../shared/screens/settings.ts'

type Values = PreferencesForm['values']
type Problems = PreferencesForm['problems']

/** The time zone names from `Intl`, plus UTC, which some runtimes omit. */
export const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter(
  (zone, index, all) => all.indexOf(zone) === index,
)

const schema = Type.Object({
  theme: Type.Enum(preferenceChoices.theme),
  density: Type.Enum(preferenceChoices.density),
  // Empty means the browser's time zone. Rejects offsets such as +01:00, because some browsers do not support them.
  timeZone: Type.Refine(Type.String({ pattern: '^(?:[A-Za-z]|$)' }), zone => zone === '' || isTimeZone(zone)),
  clock: Type.Enum(preferenceChoices.clock),
  range: Type.Enum(spans),
  motion: Type.Enum(preferenceChoices.motion),
})

/**
 * Returns the preferences, or the typed values with a problem for each invalid field. A missing field keeps its current
 * value, because the command palette changes only the theme.
 */
export function parsePreferencesForm(
  fields: URLSearchParams,
  current: FormPreferences,
): { preferences: FormPreferences } | PreferencesForm {
  const field = (name: keyof FormPreferences) => fields.get(name)?.trim() ?? current[name]
  const values: Values = {
    theme: field('theme'),
    density: field('density'),
    timeZone: canonicalZone(field('timeZone')),
    clock: field('clock'),
    range: field('range'),
    motion: field('motion'),
  }
  return Value.Check(schema, values) ? { preferences: values } : { values, problems: problemsOf(values) }
}

/** Returns the current values of the preferences that will change. */
export function formerValues(current: FormPreferences, next: FormPreferences): Record<string, string> {
  const given = new Map<string, string>(Object.entries(next))
  return Object.fromEntries(Object.entries(current).filter(([name, value]) => value !== given.get(name)))
}

function problemsOf(values: Values): Problems {
  const { theme, density, timeZone, clock, range, motion } = schema.properties
  const choice = 'Choose one of the options'
  const unknownZone = 'Unknown time zone. Enter a name such as Europe/Vienna or UTC'
  return {
    ...(Value.Check(theme, values.theme) ? {} : { theme: choice }),
    ...(Value.Check(density, values.density) ? {} : { density: choice }),
    ...(Value.Check(timeZone, values.timeZone) ? {} : { timeZone: unknownZone }),
    ...(Value.Check(clock, values.clock) ? {} : { clock: choice }),
    ...(Value.Check(range, values.range) ? {} : { range: choice }),
    ...(Value.Check(motion, values.motion) ? {} : { motion: choice }),
  }
}

/** Corrects the case of a time zone name such as `europe/vienna`. An unknown name stays as typed. */
function canonicalZone(typed: string): string {
  const lower = typed.toLowerCase()
  return timeZones.find(zone => zone.toLowerCase() === lower) ?? typed
}
