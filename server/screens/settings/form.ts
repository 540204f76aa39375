import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { type FormPreferences, isTimeZone, preferenceChoices } from '../../../shared/preferences.ts'
import { spans } from '../../../shared/range.ts'
import type { SettingsContent } from '../../../shared/screens/settings.ts'

type Values = SettingsContent['values']
type Problems = SettingsContent['problems']

/** The names that `Intl` lists, and the one that it leaves out. */
export const timeZones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter(
  (zone, index, all) => all.indexOf(zone) === index,
)

const form = Type.Object({
  theme: Type.Enum(preferenceChoices.theme),
  density: Type.Enum(preferenceChoices.density),
  // By name: offsets such as +01:00 are a zone in some runtimes only, and every browser has to draw the page too.
  timeZone: Type.Refine(Type.String({ pattern: '^[A-Za-z]' }), isTimeZone),
  clock: Type.Enum(preferenceChoices.clock),
  range: Type.Enum(spans),
  motion: Type.Enum(preferenceChoices.motion),
})

/** Reads the form of preferences: what was chosen, or what is wrong with each field and what was typed. */
export function readPreferencesForm(
  fields: URLSearchParams,
): { preferences: FormPreferences } | { values: Values; problems: Problems } {
  const field = (name: keyof FormPreferences) => fields.get(name)?.trim() ?? ''
  const values: Values = {
    theme: field('theme'),
    density: field('density'),
    timeZone: spelled(field('timeZone')),
    clock: field('clock'),
    range: field('range'),
    motion: field('motion'),
  }
  return Value.Check(form, values) ? { preferences: values } : { values, problems: problemsOf(values) }
}

function problemsOf(values: Values): Problems {
  const { theme, density, timeZone, clock, range, motion } = form.properties
  const choice = 'Choose one of these'
  return {
    ...(Value.Check(theme, values.theme) ? {} : { theme: choice }),
    ...(Value.Check(density, values.density) ? {} : { density: choice }),
    ...(Value.Check(timeZone, values.timeZone) ? {} : { timeZone: zoneProblem(values.timeZone) }),
    ...(Value.Check(clock, values.clock) ? {} : { clock: choice }),
    ...(Value.Check(range, values.range) ? {} : { range: choice }),
    ...(Value.Check(motion, values.motion) ? {} : { motion: choice }),
  }
}

function zoneProblem(typed: string): string {
  const use = 'Use a name such as Europe/Vienna, or UTC'
  return typed === '' ? `A time zone is needed. ${use}` : `This is not the name of a time zone. ${use}`
}

/** `europe/vienna` as it is listed; what is not listed stays as it was typed. */
function spelled(typed: string): string {
  const lower = typed.toLowerCase()
  return timeZones.find(zone => zone.toLowerCase() === lower) ?? typed
}
